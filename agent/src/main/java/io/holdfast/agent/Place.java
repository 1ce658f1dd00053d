package io.holdfast.agent;

import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;

/// Where the weaver is, for the message if it fails there. Told of each instruction, so the text is
/// made only when it is asked for.
final class Place {
  private MethodModel method;
  private Opcode opcode;
  private int bci;
  private int nextBci;

  void enter(MethodModel entered) {
    method = entered;
    restart();
  }

  /// Back to the start of the method.
  void restart() {
    opcode = null;
    nextBci = 0;
  }

  /// @param next of the method's instructions, as they were before weaving
  void at(Instruction next) {
    opcode = next.opcode();
    bci = nextBci;
    nextBci += next.sizeInBytes();
  }

  @Override
  public String toString() {
    return "method=%s, last instruction=%s"
        .formatted(
            method == null
                ? "none yet"
                : method.methodName().stringValue() + method.methodTypeSymbol().displayDescriptor(),
            opcode == null ? "none yet" : opcode + " at " + bci);
  }
}
