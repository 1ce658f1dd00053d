package io.holdfast.agent;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.StoreInstruction;

/// A method's code as text: instructions, then the handlers.
final class Listing {
  private final CodeAttribute code;
  private final StringBuilder text = new StringBuilder();

  private Listing(CodeModel code) {
    this.code = (CodeAttribute) code;
  }

  static String of(byte[] classFile, String method) {
    return ClassFile.of().parse(classFile).methods().stream()
        .filter(each -> each.methodName().equalsString(method))
        .map(each -> new Listing(each.code().orElseThrow()).print())
        .findFirst()
        .orElseThrow();
  }

  private String print() {
    int bci = 0;
    for (CodeElement element : code) {
      if (element instanceof Instruction instruction) {
        text.append("%3d %s%n".formatted(bci, describe(instruction)));
        bci += instruction.sizeInBytes();
      }
    }
    for (ExceptionCatch handler : code.exceptionHandlers()) {
      text.append(
          "[%d, %d) -> %d %s%n"
              .formatted(
                  bci(handler.tryStart()),
                  bci(handler.tryEnd()),
                  bci(handler.handler()),
                  handler.catchType().map(type -> type.asInternalName()).orElse("any")));
    }
    return text.toString();
  }

  private int bci(Label label) {
    return code.labelToBci(label);
  }

  private String describe(Instruction instruction) {
    String name = instruction.opcode().name().toLowerCase(java.util.Locale.ROOT);
    return switch (instruction) {
      case LoadInstruction load -> "load " + load.slot();
      case StoreInstruction store -> "store " + store.slot();
      case BranchInstruction branch -> name + " " + bci(branch.target());
      case InvokeInstruction call -> "call " + call.name().stringValue();
      default -> name;
    };
  }
}
