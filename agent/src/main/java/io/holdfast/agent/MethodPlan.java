package io.holdfast.agent;

import io.holdfast.agent.CallTable.Found;
import io.holdfast.agent.KnownClasses.Answer;
import io.holdfast.agent.KnownClasses.Field;
import io.holdfast.agent.Treatment.Edge;
import io.holdfast.agent.Treatment.Twin;
import io.holdfast.agent.WovenMethod.Site;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What is to be done in a method, found by reading it once.
///
/// What is not known counts for what costs durability nothing: a field of a class that is not to be
/// found is treated as volatile, since an edge too many only delays. A call that looks like a
/// lock's, on such a class, can't be woven; it is reported.
///
/// Confined to the weaving of one class.
final class MethodPlan {
  static final Set<String> OF_LOCK = Set.of("lock", "lockInterruptibly", "tryLock", "unlock");

  private static final String COROUTINE_LOCK = "kotlinx/coroutines/sync/Mutex";

  private final FirstLook firstLook;
  private final KnownClasses classes;
  private final References references;
  private final boolean leavesLocksOut;
  private final Place place;
  private final FinallyCode finallyCode = new FinallyCode();
  private final Map<Integer, Change> changes = new HashMap<>();
  private final List<Site> sites = new ArrayList<>();
  private final Set<Label> interrupts;
  private boolean hasMonitors;
  private boolean hasHandlers;
  private boolean isTask;
  private boolean isAtInterrupt;
  private int instructions;
  private int line = -1;

  /// Objects that were made and not yet initialized, in a constructor before it called another one;
  /// -1 from there on, and in other methods.
  private int uninitialized;

  /// @param leavesLocksOut whether the method is `@NotFailureAtomic`
  MethodPlan(
      MethodModel method,
      CodeModel code,
      FirstLook firstLook,
      KnownClasses classes,
      References references,
      boolean leavesLocksOut,
      Place place) {
    this.firstLook = firstLook;
    this.classes = classes;
    this.references = references;
    this.leavesLocksOut = leavesLocksOut;
    this.place = place;
    uninitialized = method.methodName().equalsString(ConstantDescs.INIT_NAME) ? 0 : -1;
    interrupts = firstLook.interrupts(code);
    code.forEach(this::look);
  }

  /// By the instruction's number.
  Map<Integer, Change> changes() {
    return changes;
  }

  List<Site> sites() {
    return sites;
  }

  /// Whether it has monitors that are to be woven.
  boolean hasMonitors() {
    return hasMonitors;
  }

  /// Whether there are to be handlers for what calls throw.
  boolean hasHandlers() {
    return hasHandlers;
  }

  /// Whether the whole is what an executor may run.
  boolean isTask() {
    return isTask;
  }

  /// Says that it is.
  void addTask() {
    isTask = true;
    add(Construct.TASK, "");
  }

  /// Adds what is not in the code.
  void add(Construct construct, String what) {
    sites.addFirst(new Site(construct, what, -1, construct == Construct.METHOD));
  }

  /// No switch by patterns, here and in the other loops over instructions: the JVM makes a class
  /// for each of those at its first run, and they are slower than this until they are compiled.
  private void look(CodeElement element) {
    finallyCode.at(element);
    if (element instanceof Instruction instruction) {
      place.at(instruction);
      look(instruction);
      if (isAtInterrupt) {
        caught(instruction);
      }
      instructions++;
    } else if (element instanceof LineNumber number) {
      line = number.line();
    } else if (element instanceof LabelTarget target) {
      isAtInterrupt |= interrupts.contains(target.label());
    }
  }

  private void look(Instruction instruction) {
    if (instruction instanceof InvokeInstruction call) {
      call(call);
    } else if (instruction instanceof FieldInstruction access) {
      access(access);
    } else if (instruction instanceof MonitorInstruction monitor) {
      monitor(monitor);
    } else if (instruction instanceof InvokeDynamicInstruction call) {
      reference(call);
    } else if (instruction instanceof NewObjectInstruction) {
      uninitialized += uninitialized < 0 ? 0 : 1;
    }
  }

  /// At the first instruction of a handler, which stores the exception, or drops it.
  private void caught(Instruction instruction) {
    isAtInterrupt = false;
    if (instruction instanceof StoreInstruction || instruction.opcode() == Opcode.POP) {
      changes.put(instructions, Change.caught(instruction));
      found(Construct.EDGE, "a caught java.lang.InterruptedException");
    }
  }

  private void found(Construct construct, String what) {
    found(construct, what, false);
  }

  private void found(Construct construct, String what, boolean releases) {
    sites.add(new Site(construct, what, line, releases));
  }

  private void monitor(MonitorInstruction monitor) {
    boolean enters = monitor.opcode() == Opcode.MONITORENTER;
    if (leavesLocksOut) {
      if (enters) {
        found(Construct.LEFT_OUT, Construct.BLOCK.toString());
      }
    } else {
      hasMonitors = true;
      if (enters) {
        found(Construct.BLOCK, "", true);
      }
    }
  }

  private void call(InvokeInstruction call) {
    if (call.opcode() == Opcode.INVOKESTATIC) {
      staticCall(call);
      return;
    }
    if (call.name().equalsString(ConstantDescs.INIT_NAME)) {
      uninitialized -= uninitialized < 0 ? 0 : 1; // -1: the constructor's own object
      return;
    }
    if (!firstLook.mayConcern(call.method())) {
      return;
    }
    String owner = call.owner().asInternalName();
    String name = call.name().stringValue();
    String what = owner.replace('/', '.') + '.' + name;
    if (isOfCoroutine(call.method())) {
      found(Construct.NOT_WOVEN, "a coroutine's lock, which belongs to no thread: " + what);
      return;
    }
    Found found = CallTable.find(owner, name, call.type().stringValue(), classes);
    if (found.answer() == Answer.UNKNOWN) {
      found(Construct.NOT_WOVEN, "its class is not to be found: " + what);
    } else if (found.treatment() != null) {
      treat(call, found.treatment(), what);
    }
  }

  /// Whether it takes or gives up a lock of Kotlin's coroutines. `withLock` is one, inline.
  static boolean isOfCoroutine(MemberRefEntry method) {
    return method.owner().name().equalsString(COROUTINE_LOCK)
        && OF_LOCK.contains(method.name().stringValue());
  }

  private void staticCall(InvokeInstruction call) {
    if (firstLook.mayConcernStatic(call.method())) {
      String owner = call.owner().asInternalName();
      String name = call.name().stringValue();
      Found found = CallTable.findStatic(owner, name, call.type().stringValue(), classes);
      treat(call, found.treatment(), owner.replace('/', '.') + '.' + name);
    }
  }

  private void treat(InvokeInstruction call, Treatment treatment, String what) {
    if (leavesLocksOut && treatment.isOfLock()) {
      found(Construct.LEFT_OUT, what);
      return;
    }
    switch (treatment) {
      case Edge edge when uninitialized >= 0 ->
          changes.put(instructions, Change.edge(call, edge.withoutHandler(), looks(edge)));
      case Edge edge -> {
        hasHandlers |= edge.fails();
        changes.put(instructions, Change.edge(call, edge, looks(edge)));
      }
      case Twin twin when call.opcode() != Opcode.INVOKESPECIAL || isWait(twin) ->
          changes.put(
              instructions,
              releases(twin) && finallyCode.isInside()
                  ? Change.twinOnFailure(twin)
                  : Change.twin(twin));
      case Twin twin when isOfLock(twin) -> changes.put(instructions, Change.superCall(call));
      case Twin _ -> {
        found(Construct.NOT_WOVEN, "a call by super: " + what);
        return;
      }
    }
    found(treatment.construct(), what, treatment.releases());
  }

  /// Whether the locks are looked at that are held at the call.
  private boolean looks(Edge edge) {
    return firstLook.extras().lockSets() && edge.mayBeOfCollection();
  }

  private static boolean releases(Twin twin) {
    return twin.construct() == Construct.LOCK && twin.name().startsWith("unlock");
  }

  /// `wait` is final, so super.wait() is this.wait().
  private static boolean isWait(Twin twin) {
    return twin.construct() == Construct.WAIT;
  }

  /// Whether it takes or gives up a lock, of those that programs extend.
  private static boolean isOfLock(Twin twin) {
    return twin.hooks().equals(Hooks.LOCKS) && OF_LOCK.contains(twin.name());
  }

  private void access(FieldInstruction access) {
    if (!firstLook.mayConcern(access.field())) {
      return;
    }
    String owner = access.owner().asInternalName();
    String name = access.name().stringValue();
    Field field = classes.field(owner, name, access.type().stringValue());
    String what = field.owner().replace('/', '.') + '.' + name;
    switch (access.opcode()) {
      case GETFIELD -> changes.put(instructions, Change.fieldRead(access));
      case GETSTATIC ->
          changes.put(
              instructions,
              field.isVolatile() == Answer.UNKNOWN
                  ? Change.unknownStaticRead(access)
                  : Change.staticRead(access, what));
      case PUTSTATIC ->
          changes.put(
              instructions,
              field.isVolatile() == Answer.UNKNOWN
                  ? Change.unknownStaticWrite(access)
                  : Change.staticWrite(access, what));
      default -> {
        if (uninitialized >= 0 && classes.isSelf(owner)) {
          return; // of an object that nobody else knows of yet, by all that is known
        }
        changes.put(instructions, Change.fieldWrite(access));
      }
    }
    found(
        Construct.VOLATILE,
        field.isVolatile() == Answer.YES
            ? what
            : what + ", which may be one: its class is not to be found",
        access.opcode() == Opcode.PUTFIELD || access.opcode() == Opcode.PUTSTATIC);
  }

  private void reference(InvokeDynamicInstruction call) {
    if (!firstLook.mayConcern(call.invokedynamic())) {
      return;
    }
    references
        .look(call, leavesLocksOut)
        .ifPresent(
            reference -> {
              if (reference.change() != null) {
                changes.put(instructions, reference.change());
              }
              found(reference.construct(), reference.what(), reference.releases());
            });
  }
}
