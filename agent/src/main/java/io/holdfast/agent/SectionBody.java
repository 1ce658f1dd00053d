package io.holdfast.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;

/// Weaves a method whose whole body is a section: one that is `synchronized`, or `@FailureAtomic`.
///
/// ```text
/// acquired; try { body, with releasing before each return } catch (Throwable t) { releasing; throw t; }
/// ```
///
/// A `synchronized` method stays so: the JVM acquires the lock before the body and releases it
/// after, so the section is inside (WEAVE-1). A `@FailureAtomic` one has no lock; the hooks are
/// *enter* and *exit*.
///
/// The handler is not in its own range, and the returns are not either: where *releasing* has been
/// called, nothing that throws calls it again. *acquired* is outside too: if it throws, nothing was
/// entered, and the JVM releases the lock (WEAVE-3).
///
/// Used for one method, once; the last transform in its chain, so that its handler is the last in
/// the table.
final class SectionBody implements CodeTransform {
  private static final int THIS = 0;

  /// `null` for a section without a lock.
  private final ObjIntConsumer<CodeBuilder> loadLock;

  private final boolean copiesThis;
  private final List<Piece> pieces = new ArrayList<>();
  private int lockSlot = THIS;
  private Label start;
  private boolean empty;

  private record Piece(Label start, Label end) {}

  private SectionBody(ObjIntConsumer<CodeBuilder> loadLock, boolean copiesThis) {
    this.loadLock = loadLock;
    this.copiesThis = copiesThis;
  }

  /// Of a `synchronized` method.
  ///
  /// @param overwritesThis whether the body uses the local of `this` for something else, as javac
  ///   never does
  static SectionBody ofInstance(boolean overwritesThis) {
    return new SectionBody(CodeBuilder::aload, overwritesThis);
  }

  /// Of a static `synchronized` method.
  static SectionBody ofClass(ClassDesc owner) {
    return new SectionBody((code, _) -> code.loadConstant(owner), false);
  }

  static SectionBody withoutLock() {
    return new SectionBody(null, false);
  }

  @Override
  public void atStart(CodeBuilder code) {
    if (copiesThis) {
      lockSlot = code.allocateLocal(TypeKind.REFERENCE);
      code.aload(THIS); //           this
      code.astore(lockSlot); //      -
    }
    if (loadLock == null) {
      Hooks.enter(code); //          -
    } else {
      loadLock.accept(code, lockSlot); // lock
      Hooks.acquired(code); //       -
    }
    begin(code);
  }

  /// Stack: unchanged.
  private void leave(CodeBuilder code) {
    if (loadLock == null) {
      Hooks.exit(code);
    } else {
      loadLock.accept(code, lockSlot); // lock
      Hooks.releasing(code); //           -
    }
  }

  private void begin(CodeBuilder code) {
    start = code.newBoundLabel();
    empty = true;
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof ReturnInstruction) {
      leave(code); //                value?
      pieces.add(new Piece(start, code.newBoundLabel()));
      code.with(element); //         -
      begin(code);
    } else {
      empty &= !(element instanceof Instruction);
      code.with(element);
    }
  }

  @Override
  public void atEnd(CodeBuilder code) {
    Label handler = code.newBoundLabel(); // throwable
    if (!empty) {
      pieces.add(new Piece(start, handler));
    }
    leave(code); //                          throwable
    code.athrow();
    for (Piece piece : pieces) {
      code.exceptionCatchAll(piece.start(), piece.end(), handler);
    }
  }
}
