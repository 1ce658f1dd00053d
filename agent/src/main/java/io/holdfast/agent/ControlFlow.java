package io.holdfast.agent;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/// Where control goes in a method from each of its elements, which are known by their position in
/// the code, counted from 0.
///
/// Confined to the reading of one method.
final class ControlFlow {
  private final List<CodeElement> elements;
  private final Map<Label, Integer> positions = new HashMap<>();
  private final List<ExceptionCatch> handlers = new ArrayList<>();

  ControlFlow(CodeModel code) {
    elements = code.elementList();
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof LabelTarget target) {
        positions.put(target.label(), i);
      } else if (elements.get(i) instanceof ExceptionCatch handler) {
        handlers.add(handler);
      }
    }
  }

  List<CodeElement> elements() {
    return elements;
  }

  List<ExceptionCatch> handlers() {
    return handlers;
  }

  int position(Label label) {
    return positions.get(label);
  }

  boolean covers(ExceptionCatch range, int position) {
    return position(range.tryStart()) <= position && position < position(range.tryEnd());
  }

  /// Tells each position to which control may go from an instruction that does not throw.
  void next(int position, Instruction instruction, IntConsumer reached) {
    switch (instruction) {
      case BranchInstruction branch -> reached.accept(position(branch.target()));
      case TableSwitchInstruction table -> next(table.defaultTarget(), table.cases(), reached);
      case LookupSwitchInstruction lookup -> next(lookup.defaultTarget(), lookup.cases(), reached);
      default -> {}
    }
    if (!isLast(instruction.opcode())) {
      reached.accept(position + 1);
    }
  }

  private void next(Label defaultTarget, List<SwitchCase> cases, IntConsumer reached) {
    reached.accept(position(defaultTarget));
    cases.forEach(each -> reached.accept(position(each.target())));
  }

  /// Whether control never goes on to the next instruction.
  private static boolean isLast(Opcode opcode) {
    return switch (opcode) {
      case GOTO, GOTO_W, ATHROW, TABLESWITCH, LOOKUPSWITCH -> true;
      default -> opcode.kind() == Opcode.Kind.RETURN;
    };
  }
}
