package io.holdfast.agent;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.HashSet;
import java.util.Set;

/// Knows of the code that is read, element by element, whether an exception led there: it is in a
/// handler for all exceptions, as compilers write them for `finally` and blocks, before the throw
/// or return that ends it. An estimate, for advice at run time.
///
/// Confined to the reading of one method.
final class FinallyCode {
  private final Set<Label> handlers = new HashSet<>();
  private boolean inside;
  private boolean ends;

  /// Looks at the next element of the code; the handlers come before its instructions.
  void at(CodeElement element) {
    if (ends) {
      inside = false;
      ends = false;
    }
    if (element instanceof ExceptionCatch handler) {
      if (handler.catchType().isEmpty()) {
        handlers.add(handler.handler());
      }
    } else if (element instanceof LabelTarget target) {
      inside |= handlers.contains(target.label());
    } else {
      ends = element instanceof ThrowInstruction || element instanceof ReturnInstruction;
    }
  }

  /// Whether the element that was looked at last is.
  boolean isInside() {
    return inside;
  }
}
