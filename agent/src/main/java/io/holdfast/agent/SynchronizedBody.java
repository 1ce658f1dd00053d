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

/// Weaves the body of a `synchronized` method, which stays `synchronized`: the JVM acquires the
/// lock before the body and releases it behind, so the section is inside (WEAVE-1).
///
/// ```text
/// acquired; try { body, with releasing before each return } catch (Throwable t) { releasing; throw t; }
/// ```
///
/// The handler is not in its own range, and the returns are not either: where *releasing* has been
/// called, nothing that throws calls it again. *acquired* is outside too: if it throws, nothing was
/// entered, and the JVM releases the lock (WEAVE-3).
///
/// Used for one method, once; the last transform in its chain, so that its handler is the last in
/// the table.
final class SynchronizedBody implements CodeTransform {
  private static final int THIS = 0;

  private final ObjIntConsumer<CodeBuilder> loadLock;
  private final boolean copiesThis;
  private final List<Piece> pieces = new ArrayList<>();
  private int lockSlot = THIS;
  private Label start;
  private boolean empty;

  private record Piece(Label start, Label end) {}

  private SynchronizedBody(ObjIntConsumer<CodeBuilder> loadLock, boolean copiesThis) {
    this.loadLock = loadLock;
    this.copiesThis = copiesThis;
  }

  /// @param overwritesThis whether the body uses the local of `this` for something else, as javac
  ///   never does
  static SynchronizedBody ofInstance(boolean overwritesThis) {
    return new SynchronizedBody(CodeBuilder::aload, overwritesThis);
  }

  static SynchronizedBody ofClass(ClassDesc owner) {
    return new SynchronizedBody((code, _) -> code.loadConstant(owner), false);
  }

  @Override
  public void atStart(CodeBuilder code) {
    if (copiesThis) {
      lockSlot = code.allocateLocal(TypeKind.REFERENCE);
      code.aload(THIS); //           this
      code.astore(lockSlot); //      -
    }
    loadLock.accept(code, lockSlot); // lock
    Hooks.acquired(code); //         -
    begin(code);
  }

  private void begin(CodeBuilder code) {
    start = code.newBoundLabel();
    empty = true;
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof ReturnInstruction) {
      loadLock.accept(code, lockSlot); // value? lock
      Hooks.releasing(code); //        value?
      pieces.add(new Piece(start, code.newBoundLabel()));
      code.with(element); //           -
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
    loadLock.accept(code, lockSlot); //      throwable lock
    Hooks.releasing(code); //                throwable
    code.athrow();
    for (Piece piece : pieces) {
      code.exceptionCatchAll(piece.start(), piece.end(), handler);
    }
  }
}
