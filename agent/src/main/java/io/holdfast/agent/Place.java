package io.holdfast.agent;

import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;

/// Where the weaver is, for the message if it fails there.
final class Place {
  private String method = "none yet";
  private String instruction = "none yet";
  private int nextBci;

  void enter(MethodModel entered) {
    method = entered.methodName().stringValue() + entered.methodTypeSymbol().displayDescriptor();
    restart();
  }

  /// Back to the start of the method.
  void restart() {
    instruction = "none yet";
    nextBci = 0;
  }

  /// @param next of the method's instructions, as they were before weaving
  void at(Instruction next) {
    instruction = next.opcode() + " at " + nextBci;
    nextBci += next.sizeInBytes();
  }

  @Override
  public String toString() {
    return "method=%s, last instruction=%s".formatted(method, instruction);
  }
}
