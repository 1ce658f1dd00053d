package io.holdfast.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;

/// Weaves a method whose whole body is a section: one that is `synchronized`, or `@FailureAtomic`.
///
/// ```text
/// monitorenter; try { acquired } catch (Throwable t) { monitorexit; throw t; }
/// try { body, with a jump to a way out for each return } catch (Throwable t) { way out; throw t; }
/// way out: try { releasing } catch (Throwable t) { monitorexit; throw t; } monitorexit; released
/// ```
///
/// A `synchronized` method becomes one that is not, with a monitor of its own: the JVM would
/// release the lock after the last instruction, and a thread that waits for a disk must have
/// released it before (ACK-2 of core). Where the method must keep its modifiers, the JVM still
/// takes the lock and gives it up, and the wait is inside. A `@FailureAtomic` one has no lock; the
/// hooks are *enter* and *exit*.
///
/// The handler is not in its own range, and nothing from *releasing* on is in a range of the
/// body's: where it has been called, nothing that throws calls it again. If *acquired* throws,
/// nothing was entered, and the lock is released (WEAVE-3).
///
/// Used for one method, once; the last transform in its chain, so that its handler is the last in
/// the table.
final class SectionBody implements CodeTransform {
  private static final int THIS = 0;

  /// `null` for a section without a lock.
  private final ObjIntConsumer<CodeBuilder> loadLock;

  /// Whether the woven code takes the lock, and not the JVM.
  private final boolean locks;

  /// Whether the lock is kept in a local of its own. HotSpot's check of structured locking knows
  /// the lock that is given up by the value that was taken, and a constant is another value each
  /// time.
  private final boolean copies;

  private final List<Exit> exits = new ArrayList<>();
  private final List<Piece> unlocked = new ArrayList<>();
  private int lockSlot = -1;
  private int resultSlot = -1;
  private int line = -1;
  private Label start;

  private record Piece(Label start, Label end) {}

  /// The way out of a return.
  private record Exit(Label label, TypeKind result, int line) {}

  private SectionBody(ObjIntConsumer<CodeBuilder> loadLock, boolean locks, boolean copies) {
    this.loadLock = loadLock;
    this.locks = locks;
    this.copies = copies;
  }

  /// Of a `synchronized` method.
  ///
  /// @param locks whether it will not be `synchronized` any more
  /// @param overwritesThis whether the body uses the local of `this` for something else, as javac
  ///   never does
  static SectionBody ofInstance(boolean locks, boolean overwritesThis) {
    return new SectionBody(CodeBuilder::aload, locks, overwritesThis);
  }

  /// Of a static `synchronized` method.
  static SectionBody ofClass(boolean locks, ClassDesc owner) {
    return new SectionBody((code, _) -> code.loadConstant(owner), locks, locks);
  }

  static SectionBody withoutLock() {
    return new SectionBody(null, false, false);
  }

  @Override
  public void atStart(CodeBuilder code) {
    if (copies) {
      loadLock.accept(code, THIS); // lock
      lockSlot = code.allocateLocal(TypeKind.REFERENCE);
      code.astore(lockSlot); //      -
    }
    if (locks) {
      loadLock(code); //             lock
      code.monitorenter(); //        -
    }
    if (loadLock == null) {
      Hooks.enter(code); //          -
    } else {
      Label taken = code.newBoundLabel();
      loadLock(code); //             lock
      Hooks.acquired(code); //       -
      unlocked.add(new Piece(taken, code.newBoundLabel()));
    }
    start = code.newBoundLabel();
  }

  /// Stack: nothing → lock.
  private void loadLock(CodeBuilder code) {
    if (copies) {
      code.aload(lockSlot);
    } else {
      loadLock.accept(code, THIS);
    }
  }

  /// Stack: unchanged.
  private void leave(CodeBuilder code) {
    if (loadLock == null) {
      Hooks.exit(code);
    } else {
      loadLock(code); // lock
      Hooks.releasing(code); // -
    }
  }

  /// Stack: unchanged.
  private void unlock(CodeBuilder code) {
    if (locks) {
      loadLock(code); //    lock
      code.monitorexit(); // -
    }
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof ReturnInstruction back) {
      Exit exit = new Exit(code.newLabel(), back.typeKind(), line);
      if (exit.result() != TypeKind.VOID) {
        resultSlot = resultSlot < 0 ? code.allocateLocal(exit.result()) : resultSlot;
        code.storeLocal(exit.result(), resultSlot); // -
      }
      code.goto_(exit.label());
      exits.add(exit);
    } else {
      line = element instanceof LineNumber number ? number.line() : line;
      code.with(element);
    }
  }

  @Override
  public void atEnd(CodeBuilder code) {
    List<Piece> covered = new ArrayList<>();
    covered.add(new Piece(start, code.newBoundLabel()));
    for (Exit exit : exits) {
      code.labelBinding(exit.label());
      if (exit.line() >= 0) {
        code.lineNumber(exit.line());
      }
      Label from = code.newBoundLabel();
      leave(code); //                        -
      covered.add(new Piece(from, code.newBoundLabel()));
      unlock(code); //                       -
      Hooks.released(code); //               -
      if (exit.result() != TypeKind.VOID) {
        code.loadLocal(exit.result(), resultSlot); // value
      }
      code.return_(exit.result()); //        -
    }
    Label handler = code.newBoundLabel(); // throwable
    Hooks.failing(code); //                  throwable
    leave(code); //                          throwable
    unlocked.add(new Piece(handler, code.newBoundLabel()));
    unlock(code); //                         throwable
    Hooks.released(code); //                 throwable
    code.athrow();
    covered.forEach(piece -> code.exceptionCatchAll(piece.start(), piece.end(), handler));
    if (locks) {
      Label release = code.newBoundLabel(); // throwable
      unlock(code); //                         throwable
      code.athrow();
      unlocked.forEach(piece -> code.exceptionCatchAll(piece.start(), piece.end(), release));
    }
  }
}
