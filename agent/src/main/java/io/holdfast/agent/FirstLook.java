package io.holdfast.agent;

import io.holdfast.agent.CallTable.Found;
import io.holdfast.agent.KnownClasses.Answer;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.ConstantPool;
import java.lang.classfile.constantpool.FieldRefEntry;
import java.lang.classfile.constantpool.InvokeDynamicEntry;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.invoke.MethodHandleInfo;
import java.util.HashSet;
import java.util.Set;

/// Says of a method, by its bytes alone, whether there is anything in it for {@link MethodPlan},
/// which reads it as instructions: ten times the work, and most methods have nothing.
///
/// | instruction | counts |
/// |---|---|
/// | `monitorenter`, `monitorexit` | always |
/// | accesses of fields, calls, `invokedynamic` | if what it names in the constant pool does, by the rules of MethodPlan; each is asked once |
/// | one that the JVM does not know | always: MethodPlan says what is wrong |
/// | a handler for `InterruptedException` | always |
///
/// Confined to the weaving of one class.
final class FirstLook {
  /// How long each instruction is, in bytes, by its opcode (JVMS 6.5); `?` where it has to be
  /// looked at, or is none.
  private static final String LENGTHS =
      "1".repeat(16) // nop to dconst_1
          + "23233" // bipush, sipush, ldc, ldc_w, ldc2_w
          + "2".repeat(5) // loads
          + "1".repeat(28)
          + "2".repeat(5) // stores
          + "1".repeat(73)
          + "3" // iinc
          + "1".repeat(20)
          + "3".repeat(16) // branches, jsr
          + "2??" // ret, tableswitch, lookupswitch
          + "1".repeat(6) // returns
          + "3".repeat(7) // fields, calls
          + "55323" // invokeinterface, invokedynamic, new, newarray, anewarray
          + "11" // arraylength, athrow
          + "33" // checkcast, instanceof
          + "11" // monitorenter, monitorexit
          + "?433" // wide, multianewarray, ifnull, ifnonnull
          + "55" // goto_w, jsr_w
          + "?".repeat(54);

  private static final int TABLESWITCH = 170;
  private static final int LOOKUPSWITCH = 171;
  private static final int GETSTATIC = 178;
  private static final int INVOKESTATIC = 184;
  private static final int INVOKEDYNAMIC = 186;
  private static final int MONITORENTER = 194;
  private static final int MONITOREXIT = 195;
  private static final int WIDE = 196;
  private static final int IINC = 132;

  private static final String INTERRUPTED = "java/lang/InterruptedException";

  private static final byte UNASKED = 0;
  private static final byte NOTHING = 1;
  private static final byte SOMETHING = 2;

  private final ConstantPool pool;
  private final KnownClasses classes;
  private final boolean asks;
  private final Extras extras;

  /// By index in the pool.
  private final byte[] answers;

  /// Whether the class names {@link #INTERRUPTED}, as few do: handlers are not read before.
  private final boolean namesInterrupts;

  /// @param asks whether calls count that are asked at run time
  /// @param extras what else is wanted
  FirstLook(ClassModel model, KnownClasses classes, boolean asks, Extras extras) {
    this.extras = extras;
    this.pool = model.constantPool();
    this.asks = asks;
    this.classes = classes;
    this.answers = new byte[pool.size()];
    this.namesInterrupts = namesInterrupts();
  }

  private boolean namesInterrupts() {
    for (PoolEntry entry : pool) {
      if (entry instanceof ClassEntry type && type.name().equalsString(INTERRUPTED)) {
        return true;
      }
    }
    return false;
  }

  Extras extras() {
    return extras;
  }

  /// Where handlers for interrupts begin.
  Set<Label> interrupts(CodeModel code) {
    if (!namesInterrupts) {
      return Set.of();
    }
    Set<Label> handlers = new HashSet<>();
    for (ExceptionCatch each : code.exceptionHandlers()) {
      if (each.catchType().isPresent() && each.catchType().get().name().equalsString(INTERRUPTED)) {
        handlers.add(each.handler());
      }
    }
    return handlers;
  }

  /// Whether there may be something.
  boolean mayConcern(CodeAttribute method) {
    if (!interrupts(method).isEmpty()) {
      return true;
    }
    byte[] code = method.codeArray();
    int at = 0;
    while (at < code.length) {
      int opcode = code[at] & 0xff;
      if (opcode == MONITORENTER || opcode == MONITOREXIT) {
        return true;
      }
      if (isByPool(opcode) && mayConcern(u2(code, at + 1), opcode == INVOKESTATIC)) {
        return true;
      }
      int length = LENGTHS.charAt(opcode) - '0';
      if (length > 5) {
        length = length(code, at);
        if (length <= 0) {
          return true;
        }
      }
      at += length;
    }
    return at != code.length;
  }

  private static boolean isByPool(int opcode) {
    return opcode >= GETSTATIC && opcode <= INVOKEDYNAMIC;
  }

  /// @return 0 or less if it is no instruction
  private static int length(byte[] code, int at) {
    int operands = (at & ~3) + 4; // after padding
    return switch (code[at] & 0xff) {
          case TABLESWITCH ->
              operands + 12 + 4 * (s4(code, operands + 8) - s4(code, operands + 4) + 1);
          case LOOKUPSWITCH -> operands + 8 + 8 * s4(code, operands + 4);
          case WIDE -> at + ((code[at + 1] & 0xff) == IINC ? 6 : 4);
          default -> at;
        }
        - at;
  }

  private static int u2(byte[] code, int at) {
    return (code[at] & 0xff) << 8 | code[at + 1] & 0xff;
  }

  private static int s4(byte[] code, int at) {
    return u2(code, at) << 16 | u2(code, at + 2);
  }

  /// Whether accesses, calls of methods with a receiver, and lambdas of this kind count.
  ///
  /// @param entry of the class's pool
  boolean mayConcern(PoolEntry entry) {
    return mayConcern(entry.index(), false);
  }

  /// The same of calls of static methods.
  boolean mayConcernStatic(MemberRefEntry method) {
    return mayConcern(method.index(), true);
  }

  private boolean mayConcern(int index, boolean isStaticCall) {
    if (answers[index] == UNASKED) {
      PoolEntry entry = pool.entryByIndex(index);
      boolean concerns = isStaticCall ? isTreatedStatic((MemberRefEntry) entry) : ask(entry);
      answers[index] = concerns ? SOMETHING : NOTHING;
    }
    return answers[index] == SOMETHING;
  }

  private boolean ask(PoolEntry entry) {
    if (entry instanceof FieldRefEntry field) {
      return classes
              .field(
                  field.owner().asInternalName(),
                  field.name().stringValue(),
                  field.type().stringValue())
              .isVolatile()
          != Answer.NO;
    }
    if (entry instanceof MemberRefEntry method) {
      return isTreated(method);
    }
    return !(entry instanceof InvokeDynamicEntry call) || hasTreated(call);
  }

  private boolean isTreated(MemberRefEntry method) {
    if (MethodPlan.isOfCoroutine(method)) {
      return true;
    }
    Found found =
        CallTable.find(
            method.owner().asInternalName(),
            method.name().stringValue(),
            method.type().stringValue(),
            classes);
    return found.treatment() != null && counts(found.treatment())
        || found.answer() == Answer.UNKNOWN;
  }

  private boolean counts(Treatment treatment) {
    return (extras.tasks() || !treatment.isOfTask()) && (asks || treatment.construct().isTold());
  }

  private boolean isTreatedStatic(MemberRefEntry method) {
    Treatment treatment =
        CallTable.findStatic(
                method.owner().asInternalName(),
                method.name().stringValue(),
                method.type().stringValue(),
                classes)
            .treatment();
    return treatment != null && counts(treatment);
  }

  /// Whether it is a reference to a method that is woven, or a dynamic call of a lock.
  private boolean hasTreated(InvokeDynamicEntry call) {
    MemberRefEntry bootstrap = call.bootstrap().bootstrapMethod().reference();
    for (LoadableConstantEntry argument : call.bootstrap().arguments()) {
      if (argument instanceof StringEntry name
          && References.isDynamic(bootstrap.owner().asInternalName(), name.stringValue())) {
        return true;
      }
      if (argument instanceof MethodHandleEntry handle
          && handle.reference() instanceof MemberRefEntry method
          && !(method instanceof FieldRefEntry)
          && (handle.kind() == MethodHandleInfo.REF_invokeStatic
              ? isTreatedStatic(method)
              : isTreated(method))) {
        return true;
      }
    }
    return false;
  }
}
