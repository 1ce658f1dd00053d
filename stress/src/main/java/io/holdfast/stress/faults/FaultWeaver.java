package io.holdfast.stress.faults;

import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// Finds the sites of one class, and leaves out what is at some of them.
///
/// The order in which sites are met is that of the class file, and so is their number. Used for one
/// pass over one class.
final class FaultWeaver {
  /// What is done at the sites.
  interface Plan {
    /// Whether what is at a site is left out.
    boolean omits(Site site);

    /// A number that is noted each time when the site is run through, or -1.
    default int probe(Site site) {
      return -1;
    }
  }

  /// Questions whether what was read counts, and the answer that lets go on.
  private static final Set<String> YES =
      Set.of("isStill", "counts", "isWhole", "isValid", "isHeader", "isWholeRange", "isLive");

  private static final Set<String> NO = Set.of("isHeld", "needsLock");

  private static final ClassDesc WEAKER = ClassDesc.of(Weaker.class.getName());
  private static final ClassDesc REACH = ClassDesc.of(Reach.class.getName());
  private static final MethodTypeDesc UNLOCK =
      MethodTypeDesc.ofDescriptor("(Ljava/util/concurrent/locks/ReentrantLock;)V");

  private final ClassModel model;
  private final Plan plan;
  private final String owner;
  private final Map<String, Map<FaultKind, Integer>> counts = new HashMap<>();

  private FaultWeaver(byte[] bytes, Plan plan) {
    this.model = ClassFile.of().parse(bytes);
    this.plan = plan;
    this.owner = model.thisClass().asInternalName();
  }

  /// The class file with a plan carried out.
  static byte[] weave(byte[] bytes, Plan plan) {
    return new FaultWeaver(bytes, plan).weave();
  }

  private byte[] weave() {
    ClassTransform transform =
        (builder, element) -> {
          switch (element) {
            case MethodModel method when method.code().isPresent() ->
                builder.transformMethod(method, transform(method));
            case FieldModel field
                when field.flags().has(AccessFlag.VOLATILE) && plan.omits(siteOf(field)) ->
                builder.transformField(
                    field,
                    (fields, each) -> {
                      if (each instanceof AccessFlags flags) {
                        fields.withFlags(flags.flagsMask() & ~ClassFile.ACC_VOLATILE);
                      } else {
                        fields.with(each);
                      }
                    });
            default -> builder.with(element);
          }
        };
    return ClassFile.of().transformClass(model, transform);
  }

  private Site siteOf(FieldModel field) {
    return Site.of(owner, field.fieldName().stringValue(), FaultKind.VOLATILE, 1);
  }

  private Site next(String member, FaultKind kind) {
    int number =
        counts
            .computeIfAbsent(member, _ -> new EnumMap<>(FaultKind.class))
            .merge(kind, 1, Integer::sum);
    return Site.of(owner, member, kind, number);
  }

  /// A lambda's code is its method's.
  private static String memberOf(MethodModel method) {
    String name = method.methodName().stringValue();
    return name.startsWith("lambda$") ? name.substring(7, name.lastIndexOf('$')) : name;
  }

  private MethodTransform transform(MethodModel method) {
    String member = memberOf(method);
    boolean isSynchronized = method.flags().has(AccessFlag.SYNCHRONIZED);
    Site entry = isSynchronized ? next(member, FaultKind.SYNCHRONIZED) : null;
    CodeTransform code = transform(method, member, entry);
    return (builder, element) -> {
      switch (element) {
        // Always, and the code takes the monitor: a class that is loaded keeps its flags.
        case AccessFlags flags when isSynchronized ->
            builder.withFlags(flags.flagsMask() & ~ClassFile.ACC_SYNCHRONIZED);
        case CodeModel body -> builder.transformCode(body, code);
        default -> builder.with(element);
      }
    };
  }

  private CodeTransform transform(MethodModel method, String member, Site entry) {
    Site check = checkOf(method, member);
    Site monitor =
        has(method, MonitorInstruction.class::isInstance) ? next(member, FaultKind.MONITOR) : null;
    boolean unmonitored = monitor != null && plan.omits(monitor);
    boolean unguarded = entry != null && plan.omits(entry);
    boolean guarded = entry != null && !unguarded;
    boolean isStatic = method.flags().has(AccessFlag.STATIC);
    return new CodeTransform() {
      private Label begin;

      /// Whether the method has lost a lock by now.
      private boolean givesWay = unmonitored || unguarded;

      @Override
      public void atStart(CodeBuilder code) {
        probe(code, entry);
        probe(code, check);
        probe(code, monitor);
        if (check != null && plan.omits(check)) {
          // What is after it can't be reached, and is left to be found dead.
          code.loadConstant(YES.contains(member) ? 1 : 0).ireturn();
        }
        if (guarded) {
          monitorOf(code).monitorenter();
          begin = code.newBoundLabel();
        }
      }

      /// Whose monitor a `synchronized` method takes.
      private CodeBuilder monitorOf(CodeBuilder code) {
        return isStatic ? code.loadConstant(model.thisClass().asSymbol()) : code.aload(0);
      }

      @Override
      public void atEnd(CodeBuilder code) {
        if (guarded) {
          Label end = code.newBoundLabel();
          monitorOf(code).monitorexit().athrow().exceptionCatchAll(begin, end, end);
        }
      }

      @Override
      public void accept(CodeBuilder code, CodeElement element) {
        if (givesWay && isStep(element)) {
          code.invokestatic(WEAKER, "giveWay", MethodTypeDesc.of(ConstantDescs.CD_void));
        }
        switch (element) {
          case InvokeInstruction call -> givesWay |= call(code, call, member);
          case MonitorInstruction _ when unmonitored -> code.pop();
          case ReturnInstruction _ when guarded -> monitorOf(code).monitorexit().with(element);
          case FieldInstruction field -> {
            String of = field.owner().asInternalName();
            if (of.startsWith("io/holdfast/")) {
              probe(code, Site.of(of, field.name().stringValue(), FaultKind.VOLATILE, 1));
            }
            code.with(field);
          }
          default -> code.with(element);
        }
      }
    };
  }

  /// Whether others may find something changed by it, or it something that others have changed.
  private static boolean isStep(CodeElement element) {
    return element instanceof InvokeInstruction
        || element instanceof ArrayStoreInstruction
        || element instanceof FieldInstruction field
            && (field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC);
  }

  private static boolean has(MethodModel method, Predicate<CodeElement> what) {
    return method.code().orElseThrow().elementStream().anyMatch(what);
  }

  private Site checkOf(MethodModel method, String member) {
    boolean asks = method.methodTypeSymbol().returnType().equals(ConstantDescs.CD_boolean);
    return asks && (YES.contains(member) || NO.contains(member))
        ? next(member, FaultKind.CHECK)
        : null;
  }

  /// @return whether a lock is left out
  private boolean call(CodeBuilder code, InvokeInstruction call, String member) {
    Omission omission = Omission.of(call);
    if (omission == null || isOfTheProgram(omission)) {
      if (isUnlock(call)) {
        code.invokestatic(WEAKER, "unlock", UNLOCK);
      } else {
        code.with(call);
      }
      return false;
    }
    Site site = next(member, omission.kind());
    probe(code, site);
    if (plan.omits(site)) {
      omission.weaker().accept(code);
      return omission.kind() == FaultKind.LOCK;
    }
    code.with(call);
    return false;
  }

  /// Locks that hooks take are the program's, whose faults are its own.
  private boolean isOfTheProgram(Omission omission) {
    return omission.kind() == FaultKind.LOCK && (owner.endsWith("Hooks") || isDelimiting());
  }

  private boolean isDelimiting() {
    return owner.endsWith("DelimitingLock");
  }

  private boolean isUnlock(InvokeInstruction call) {
    return call.opcode() == Opcode.INVOKEVIRTUAL
        && call.owner().asInternalName().equals("java/util/concurrent/locks/ReentrantLock")
        && call.name().stringValue().equals("unlock")
        && !owner.endsWith("Hooks")
        && !isDelimiting();
  }

  private void probe(CodeBuilder code, Site site) {
    if (site != null) {
      probe(code, plan.probe(site));
    }
  }

  private static void probe(CodeBuilder code, int number) {
    if (number >= 0) {
      code.loadConstant(number)
          .invokestatic(
              REACH, "note", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int));
    }
  }
}
