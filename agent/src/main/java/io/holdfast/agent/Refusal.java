package io.holdfast.agent;

import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.CLASS_INIT_NAME;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/// Takes the place of a class in scope that can't be woven, and throws wherever it is used
/// (WEAVE-2).
///
/// A transformer that throws leaves the class running unwoven, exit code 0 (FACTS 12): the program
/// would look well and lose its atomicity at the first crash. So the JVM gets a class of the same
/// shape instead, so that whoever uses it links and gets the reason, not a riddle of the linker's.
final class Refusal {
  /// No class file at all, for when even the refusal can't be made. The JVM answers with
  /// ClassFormatError.
  static final byte[] NOT_A_CLASS = {0};

  /// A string constant holds 65,535 bytes, and a character takes at most 3 of them: 3 × 20,000 fit.
  private static final int MESSAGE_LENGTH_MAX = 20_000;

  private static final ClassDesc ERROR = ClassDesc.of("java.lang.LinkageError");
  private static final MethodTypeDesc OF_MESSAGE = MethodTypeDesc.of(CD_void, CD_String);

  private final String message;

  Refusal(String message) {
    this.message = message.substring(0, Math.min(message.length(), MESSAGE_LENGTH_MAX));
  }

  /// In place of a class that is being loaded: its initializer throws, and so does each method.
  byte[] ofNew(String internalName, byte[] bytes) {
    try {
      return transformed(
          bytes,
          ClassTransform.dropping(Refusal::isInitializer)
              .andThen(ClassTransform.transformingMethods(throwing()))
              .andThen(ClassTransform.endHandler(this::withInitializer)));
    } catch (RuntimeException e) {
      return ClassFile.of().build(ClassDesc.ofInternalName(internalName), this::withInitializer);
    }
  }

  /// In place of a class that runs already: its methods throw. The JVM allows no other change.
  byte[] ofLoaded(byte[] bytes) {
    return transformed(bytes, ClassTransform.transformingMethods(throwing()));
  }

  private static byte[] transformed(byte[] bytes, ClassTransform transform) {
    try {
      return transformed(ClassFile.of(), bytes, transform);
    } catch (IllegalArgumentException e) { // its constant pool is full
      return transformed(ClassFile.of(ConstantPoolSharingOption.NEW_POOL), bytes, transform);
    }
  }

  private static byte[] transformed(ClassFile by, byte[] bytes, ClassTransform transform) {
    return by.transformClass(by.parse(bytes), transform);
  }

  private static boolean isInitializer(ClassElement element) {
    return element instanceof MethodModel method
        && method.methodName().equalsString(CLASS_INIT_NAME);
  }

  private MethodTransform throwing() {
    return (builder, element) -> {
      if (element instanceof CodeModel) {
        builder.withCode(this::throwMessage);
      } else {
        builder.with(element);
      }
    };
  }

  private void withInitializer(ClassBuilder builder) {
    builder.withMethodBody(CLASS_INIT_NAME, MTD_void, ClassFile.ACC_STATIC, this::throwMessage);
  }

  private void throwMessage(CodeBuilder code) {
    code.new_(ERROR) //                                        error
        .dup() //                                              error error
        .ldc(message) //                                       error error message
        .invokespecial(ERROR, INIT_NAME, OF_MESSAGE) //        error
        .athrow();
  }
}
