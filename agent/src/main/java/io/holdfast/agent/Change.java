package io.holdfast.agent;

import static java.lang.constant.ConstantDescs.CD_Object;

import io.holdfast.agent.Treatment.Channel;
import io.holdfast.agent.Treatment.Edge;
import io.holdfast.agent.Treatment.Twin;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.util.List;

/// What is written in the place of one instruction.
@FunctionalInterface
interface Change {
  void weave(CodeBuilder code, Scratch scratch);

  /// Stack: receiver, arguments → result, before and after.
  static Change twin(Twin twin) {
    return (code, _) -> code.invokestatic(twin.hooks(), twin.name(), twin.type());
  }

  /// The same for the release of a lock because of an exception.
  static Change twinOnFailure(Twin twin) {
    return (code, _) -> {
      Hooks.failing(code);
      code.invokestatic(twin.hooks(), twin.name(), twin.type());
    };
  }

  /// Stack: receiver, arguments → result.
  ///
  /// @param looks whether the locks are looked at that are held
  static Change edge(InvokeInstruction call, Edge edge, boolean looks) {
    List<ClassDesc> arguments = call.typeSymbol().parameterList();
    return (code, scratch) -> {
      scratch.storeAll(code, arguments); //         receiver
      code.dup(); //                                receiver receiver
      scratch.store(code, CD_Object, 0); //         receiver
      if (looks) {
        scratch.load(code, CD_Object, 0); //        receiver receiver
        Hooks.accessing(code, edge.writes()); //    receiver
      }
      if (edge.blocks()) {
        Hooks.blocking(code); //                    receiver
      }
      if (edge.writes()) {
        writing(code, scratch, edge); //            receiver
      }
      scratch.loadAll(code, arguments); //          receiver arguments
      Label start = edge.fails() ? code.newBoundLabel() : null;
      code.with(call); //                           result?
      Label end = edge.fails() ? code.newBoundLabel() : null;
      if (edge.reads()) {
        read(code, scratch, edge); //               result?
      }
      if (edge.fails()) {
        readOnFailure(code, scratch, edge, start, end);
      }
    };
  }

  /// The handler stands in the middle of the code, so that the method's own ones cover it.
  private static void readOnFailure(
      CodeBuilder code, Scratch scratch, Edge edge, Label start, Label end) {
    Label after = code.newLabel();
    code.goto_(after);
    Label handler = code.newBoundLabel(); //        throwable
    read(code, scratch, edge); //                   throwable
    code.dup(); //                                  throwable throwable
    Hooks.caught(code); //                          throwable
    code.athrow();
    code.labelBinding(after); //                    result?
    code.exceptionCatchAll(start, end, handler);
  }

  private static void writing(CodeBuilder code, Scratch scratch, Edge edge) {
    if (edge.channel() == Channel.STATIC) {
      if (edge.isOfTask()) {
        Hooks.handingAny(code);
      } else {
        Hooks.writingStaticByHandle(code);
      }
      return;
    }
    scratch.load(code, CD_Object, edge.channel().ordinal());
    if (edge.isOfTask()) {
      Hooks.handing(code);
    } else if (edge.asks()) {
      Hooks.writingShared(code);
    } else {
      Hooks.writing(code);
    }
  }

  private static void read(CodeBuilder code, Scratch scratch, Edge edge) {
    if (edge.isOfTask()) {
      Hooks.gotResult(code);
      return;
    }
    if (edge.channel() == Channel.STATIC) {
      Hooks.readStaticByHandle(code);
      return;
    }
    scratch.load(code, CD_Object, edge.channel().ordinal());
    if (edge.asks()) {
      Hooks.readShared(code);
    } else {
      Hooks.read(code);
    }
  }

  /// Stack: exception → what the handler's first instruction leaves.
  static Change caught(Instruction first) {
    return (code, _) -> {
      code.dup(); //                                exception exception
      Hooks.caught(code); //                        exception
      code.with(first);
    };
  }

  /// Stack: object → value.
  static Change fieldRead(FieldInstruction access) {
    return (code, scratch) -> {
      code.dup(); //                                object object
      scratch.store(code, CD_Object, 0); //         object
      code.with(access); //                         value
      scratch.load(code, CD_Object, 0); //          value object
      Hooks.read(code); //                          value
    };
  }

  /// Stack: object, value → nothing.
  static Change fieldWrite(FieldInstruction access) {
    ClassDesc type = access.typeSymbol();
    return (code, scratch) -> {
      scratch.store(code, type, 1); //              object
      code.dup(); //                                object object
      Hooks.writing(code); //                       object
      scratch.load(code, type, 1); //               object value
      code.with(access); //                         -
    };
  }

  /// Stack: nothing → value.
  ///
  /// @param field its class and name
  static Change staticRead(FieldInstruction access, String field) {
    return (code, _) -> {
      code.with(access);
      Hooks.readStatic(code, field);
    };
  }

  /// Stack: value → nothing.
  static Change staticWrite(FieldInstruction access, String field) {
    return (code, _) -> {
      Hooks.writingStatic(code, field);
      code.with(access);
    };
  }

  /// The same of a field of which it is not known which class has it, and so what others call it.
  static Change unknownStaticRead(FieldInstruction access) {
    return (code, _) -> {
      code.with(access);
      Hooks.readStaticByHandle(code);
    };
  }

  /// Stack: value → nothing.
  static Change unknownStaticWrite(FieldInstruction access) {
    return (code, _) -> {
      Hooks.writingStaticByHandle(code);
      code.with(access);
    };
  }

  /// A call of a lock's method by `super`, which no other class can make.
  ///
  /// Stack: this, arguments → result.
  static Change superCall(InvokeInstruction call) {
    List<ClassDesc> arguments = call.typeSymbol().parameterList();
    boolean unlocks = call.name().equalsString("unlock");
    boolean tries = call.name().equalsString("tryLock");
    return (code, scratch) -> {
      scratch.storeAll(code, arguments); //         this
      code.dup(); //                                this this
      scratch.store(code, CD_Object, 0); //         this
      if (unlocks) {
        loadLock(code, scratch); //                 this lock
        Hooks.releasingBySuper(code); //            this
      }
      scratch.loadAll(code, arguments); //          this arguments
      code.with(call); //                           taken?
      if (unlocks) {
        Hooks.released(code); //                    -
      } else {
        loadLock(code, scratch); //                 taken? lock
        if (tries) {
          Hooks.triedBySuper(code); //              taken
        } else {
          Hooks.tookBySuper(code); //               -
        }
      }
    };
  }

  private static void loadLock(CodeBuilder code, Scratch scratch) {
    scratch.load(code, CD_Object, 0);
  }
}
