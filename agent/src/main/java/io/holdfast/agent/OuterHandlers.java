package io.holdfast.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.ExceptionCatch;
import java.util.ArrayList;
import java.util.List;

/// Holds the handlers of a method back to its end, because those around woven calls come first in
/// the table, as {@link MonitorBlocks} does where there are monitors.
///
/// Used for one method, once.
final class OuterHandlers implements CodeTransform {
  private final int count;
  private final List<ExceptionCatch> handlers = new ArrayList<>();

  /// @param count of the method's handlers, which come first
  OuterHandlers(int count) {
    this.count = count;
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof ExceptionCatch handler && handlers.size() < count) {
      handlers.add(handler);
    } else {
      code.with(element);
    }
  }

  @Override
  public void atEnd(CodeBuilder code) {
    handlers.forEach(code::with);
  }
}
