package io.holdfast.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.util.Map;

/// Weaves calls and accesses of fields: writes what {@link MethodPlan} found in the place of single
/// instructions.
///
/// Used for one method, once; the first transform in its chain, so that it counts the instructions
/// of the class file.
final class Accesses implements CodeTransform {
  private final Map<Integer, Change> changes;
  private final Place place;
  private final Scratch scratch = new Scratch();
  private int instructions;

  /// @param changes by the instruction's number
  Accesses(Map<Integer, Change> changes, Place place) {
    this.changes = changes;
    this.place = place;
  }

  @Override
  public void atStart(CodeBuilder code) {
    place.restart();
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (!(element instanceof Instruction instruction)) {
      code.with(element);
      return;
    }
    place.at(instruction);
    Change change = changes.get(instructions++);
    if (change == null) {
      code.with(element);
    } else {
      change.weave(code, scratch);
    }
  }
}
