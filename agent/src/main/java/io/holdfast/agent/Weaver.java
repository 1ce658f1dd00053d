package io.holdfast.agent;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes sections of one class's `synchronized` blocks and methods. Methods without them are copied
/// byte for byte.
///
/// Used for one class, once.
final class Weaver {
  /// `ldc` of a class came with Java 5.
  private static final int LDC_CLASS_VERSION = ClassFile.JAVA_5_VERSION;

  private final ClassModel model;
  private final ClassFile classFile;
  private final Place place = new Place();
  private final List<String> waiting = new ArrayList<>();
  private int methods;
  private int blocks;

  /// What became of a class.
  ///
  /// @param bytes the woven class file, or nothing if there was nothing to weave
  /// @param methods that were `synchronized`
  /// @param blocks that were woven: `monitorenter` instructions
  /// @param waiting methods that call {@link Object#wait()}, which is not woven
  /// @param marked whether it was woven before (MARK-1)
  record Result(
      Optional<byte[]> bytes, int methods, int blocks, List<String> waiting, boolean marked) {}

  private Weaver(byte[] bytes, ClassLoader loader) {
    this.model = ClassFile.of().parse(bytes);
    this.classFile =
        ClassFile.of(ClassHierarchyResolverOption.of(ClassHierarchy.around(model, loader)));
  }

  /// @param loader of the class, whose resources tell its frames' types; `null` for the boot loader
  /// @throws WeavingException naming method, instruction and cause
  static Result weave(byte[] bytes, ClassLoader loader) {
    Weaver weaver;
    try {
      weaver = new Weaver(bytes, loader);
    } catch (RuntimeException e) {
      throw new WeavingException("not a class file that JDK 25 can read: " + e, e);
    }
    try {
      return weaver.weave();
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError | AssertionError e) {
      throw new WeavingException(weaver.place + ": " + reason(e), e);
    }
  }

  private static String reason(Throwable e) {
    return e instanceof WeavingException ? e.getMessage() : e.toString();
  }

  private Result weave() {
    if (WovenMark.isOn(model)) {
      return new Result(Optional.empty(), 0, 0, waiting, true);
    }
    Map<MethodModel, CodeTransform> transforms = new HashMap<>();
    for (MethodModel method : model.methods()) {
      place.enter(method);
      plan(method).ifPresent(transform -> transforms.put(method, transform));
    }
    if (transforms.isEmpty()) {
      return new Result(Optional.empty(), 0, 0, waiting, false);
    }
    byte[] woven =
        classFile.transformClass(
            model,
            new ClassTransform() {
              @Override
              public void accept(ClassBuilder builder, ClassElement element) {
                CodeTransform transform = transformOf(element, transforms);
                if (transform == null) {
                  builder.with(element);
                } else {
                  place.enter((MethodModel) element);
                  builder.transformMethod(
                      (MethodModel) element, MethodTransform.transformingCode(transform));
                }
              }

              @Override
              public void atEnd(ClassBuilder builder) {
                builder.with(WovenMark.ofThisWeaver());
              }
            });
    return new Result(Optional.of(woven), methods, blocks, waiting, false);
  }

  private static CodeTransform transformOf(
      ClassElement element, Map<MethodModel, CodeTransform> transforms) {
    return element instanceof MethodModel method ? transforms.get(method) : null;
  }

  private Optional<CodeTransform> plan(MethodModel method) {
    boolean isSynchronized = method.flags().has(AccessFlag.SYNCHRONIZED);
    if (method.code().isEmpty()) {
      if (isSynchronized) {
        throw new WeavingException("a native synchronized method has no body to weave");
      }
      return Optional.empty();
    }
    CodeModel code = method.code().get();
    boolean hasBlocks = false;
    for (CodeElement element : code) {
      hasBlocks |= element instanceof MonitorInstruction;
      if (element instanceof InvokeInstruction call && isWait(call)) {
        waiting.add(method.methodName().stringValue());
      }
    }
    if (!hasBlocks && !isSynchronized) {
      return Optional.empty();
    }
    MonitorStructure structure = new MonitorStructure(code, place);
    blocks += structure.blocks();
    // Stateful, so made anew for each try: code whose jumps grow beyond 32 KiB is built twice.
    CodeTransform transform = CodeTransform.ofStateful(() -> new MonitorBlocks(structure, place));
    if (isSynchronized) {
      methods++;
      transform = transform.andThen(synchronizedBody(method, code));
    }
    return Optional.of(transform);
  }

  private CodeTransform synchronizedBody(MethodModel method, CodeModel code) {
    if (!method.flags().has(AccessFlag.STATIC)) {
      boolean overwritesThis = overwritesThis(code);
      return CodeTransform.ofStateful(() -> SynchronizedBody.ofInstance(overwritesThis));
    }
    if (model.majorVersion() < LDC_CLASS_VERSION) {
      throw new WeavingException(
          "a static synchronized method in a class file older than Java 5: version=%d.%d"
              .formatted(model.majorVersion(), model.minorVersion()));
    }
    return CodeTransform.ofStateful(() -> SynchronizedBody.ofClass(model.thisClass().asSymbol()));
  }

  private static boolean overwritesThis(CodeModel code) {
    for (CodeElement element : code) {
      if (element instanceof StoreInstruction store && store.slot() == 0) {
        return true;
      }
    }
    return false;
  }

  /// javac names Object as the owner of its methods, whatever the receiver's type.
  private static boolean isWait(InvokeInstruction call) {
    return call.name().equalsString("wait")
        && call.owner().asInternalName().equals("java/lang/Object");
  }
}
