package io.holdfast.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.MonitorInstruction;
import java.util.ArrayList;
import java.util.List;

/// Weaves `monitorenter` and `monitorexit`: the hook *acquired* after the one, the hooks
/// *releasing* before and *released* after the other (WEAVE-1), with guards as {@link
/// MonitorStructure} asks for them (WEAVE-3, WEAVE-4). *released* is in the range of no handler
/// that would release the monitor once more (WEAVE-6).
///
/// The handlers of the method are held back to its end, because guards, and handlers around woven
/// calls, come first in the table: the JVM takes the first handler that covers an instruction.
///
/// Used for one method, once.
final class MonitorBlocks implements CodeTransform {
  private final MonitorStructure structure;
  private final List<ExceptionCatch> handlers = new ArrayList<>();
  private final List<Hole> guards = new ArrayList<>();
  private final List<Hole> releases = new ArrayList<>();
  private final FinallyCode finallyCode = new FinallyCode();
  private int lockSlot = -1;

  /// What a hook call added, with its guard if it has one.
  private record Hole(Label start, Label end) {}

  MonitorBlocks(MonitorStructure structure) {
    this.structure = structure;
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    finallyCode.at(element);
    if (element instanceof MonitorInstruction monitor) {
      boolean guarded = structure.isGuarded(guards.size());
      if (monitor.opcode() == Opcode.MONITORENTER) {
        enter(code, monitor, guarded);
      } else {
        exit(code, monitor, guarded);
      }
    } else if (element instanceof ExceptionCatch handler
        && handlers.size() < structure.handlers()) {
      handlers.add(handler);
    } else {
      code.with(element);
    }
  }

  /// The lock waits in a local, and not on the stack, for the monitor to be taken (WEAVE-5): where
  /// a virtual thread is unmounted because it has to wait, JDK 25 forgets what the interpreter's
  /// frame has on its stack, and a collection leaves the old reference there. Compilers of Java put
  /// nothing there either.
  private void enter(CodeBuilder code, MonitorInstruction monitor, boolean guarded) {
    code.dup(); //                  lock lock
    code.astore(lockSlot(code)); // lock
    code.with(monitor); //          -
    Label start = code.newBoundLabel();
    code.aload(lockSlot(code)); //  lock
    Hooks.acquired(code); //        -
    guards.add(guarded ? guard(code, start) : null);
    releases.add(null);
  }

  private void exit(CodeBuilder code, MonitorInstruction monitor, boolean guarded) {
    code.dup(); //                    lock lock
    if (guarded) {
      code.dup(); //                  lock lock lock
      code.astore(lockSlot(code)); // lock lock
    }
    Label start = code.newBoundLabel();
    if (finallyCode.isInside()) {
      Hooks.failing(code); //         lock lock
    }
    Hooks.releasing(code); //         lock
    guards.add(guarded ? guard(code, start) : null);
    if (!structure.isBalanced()) {
      Hooks.released(code); //        lock
    }
    code.with(monitor); //            -
    start = code.newBoundLabel();
    if (structure.isBalanced()) {
      Hooks.released(code); //        -
    }
    releases.add(new Hole(start, code.newBoundLabel()));
  }

  /// Releases the monitor without a report. What threw was the report: the section was not entered,
  /// or stays open and is undone by the next opening.
  private Hole guard(CodeBuilder code, Label start) {
    Label callEnd = code.newBoundLabel();
    Label end = code.newLabel();
    code.goto_(end);
    Label handler = code.newBoundLabel(); // throwable
    code.aload(lockSlot(code)); //           throwable lock
    code.monitorexit(); //                   throwable
    code.athrow();
    code.labelBinding(end);
    code.exceptionCatchAll(start, callEnd, handler);
    return new Hole(start, end);
  }

  /// One local for all monitors of the method: it is read only right after where it is written.
  private int lockSlot(CodeBuilder code) {
    if (lockSlot < 0) {
      lockSlot = code.allocateLocal(TypeKind.REFERENCE);
    }
    return lockSlot;
  }

  @Override
  public void atEnd(CodeBuilder code) {
    for (int i = 0; i < handlers.size(); i++) {
      ExceptionCatch handler = handlers.get(i);
      Label start = handler.tryStart();
      for (MonitorStructure.Hole each : structure.holes(i)) {
        Hole hole = (each.isBehind() ? releases : guards).get(each.monitor());
        cover(code, start, hole.start(), handler);
        start = hole.end();
      }
      if (!structure.endsWithAHole(i)) {
        cover(code, start, handler.tryEnd(), handler);
      }
    }
  }

  /// A piece is never empty: before a hole stands its `dup` or `monitorexit`, and after it
  /// `monitorexit` or what is not the range's end; a range that ends with a `monitorenter` has no
  /// hole there, because its handler holds no more than is held outside.
  private static void cover(CodeBuilder code, Label start, Label end, ExceptionCatch handler) {
    code.with(ExceptionCatch.of(handler.handler(), start, end, handler.catchType()));
  }
}
