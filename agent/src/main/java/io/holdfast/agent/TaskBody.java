package io.holdfast.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.ReturnInstruction;
import java.util.function.Consumer;

/// Weaves a method that an executor may run: hooks at its start, before its returns, and where an
/// exception leaves it.
///
/// The returns are in the handler's range: a hook that throws is called once more, which does no
/// harm.
///
/// Used for one method, once.
final class TaskBody implements CodeTransform {
  private final Consumer<CodeBuilder> begins;
  private final boolean isInSection;
  private Label start;

  /// @param begins writes the hook at its start
  /// @param isInSection whether the whole method is in a section, which ends after this
  TaskBody(Consumer<CodeBuilder> begins, boolean isInSection) {
    this.begins = begins;
    this.isInSection = isInSection;
  }

  @Override
  public void atStart(CodeBuilder code) {
    begins.accept(code);
    start = code.newBoundLabel();
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof ReturnInstruction) {
      Hooks.taskEnds(code, isInSection); // value?
    }
    code.with(element);
  }

  @Override
  public void atEnd(CodeBuilder code) {
    Label handler = code.newBoundLabel(); // throwable
    Hooks.taskEnds(code, isInSection); //    throwable
    code.athrow();
    code.exceptionCatchAll(start, handler, handler);
  }
}
