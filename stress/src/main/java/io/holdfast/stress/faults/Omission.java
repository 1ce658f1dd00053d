package io.holdfast.stress.faults;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import java.util.Set;

/// A call that keeps an order, and what takes its place in a fault.
///
/// @param kind what the call is
/// @param weaker emits what takes its place; the operands are on the stack
record Omission(FaultKind kind, java.util.function.Consumer<CodeBuilder> weaker) {
  private static final ClassDesc WEAKER = ClassDesc.of(Weaker.class.getName());
  private static final String HOLDFAST = "io/holdfast/";
  private static final String VAR_HANDLE = "java/lang/invoke/VarHandle";
  private static final String ATOMIC = "java/util/concurrent/atomic/Atomic";

  private static final Set<String> FLUSHES =
      Set.of("flush", "flushAll", "flushAllBut", "writeBack", "writeBackAll", "writeBackOthers");
  private static final Set<String> FENCES =
      Set.of("fence", "fenceOrdered", "releaseFence", "makeDataDurable");
  private static final Map<String, FaultKind> HANDLE_FENCES =
      Map.of(
          "fullFence", FaultKind.FENCE,
          "releaseFence", FaultKind.PUBLISH,
          "storeStoreFence", FaultKind.PUBLISH,
          "acquireFence", FaultKind.ACQUIRE,
          "loadLoadFence", FaultKind.ACQUIRE);

  /// Those of a section's lock, without arguments.
  private static final Set<String> LOCKINGS =
      Set.of("lock", "lockUnlessHoldingBack", "hold", "take");

  /// Stores and loads of a memory, to one with the same operands.
  private static final Map<String, String> MEMORY_STORES =
      Map.of("writeRelease", "writePlain", "writeLogged", "writePlain");

  private static final Map<String, String> HANDLE_STORES =
      Map.of("setRelease", "set", "setVolatile", "set");
  private static final Map<String, String> HANDLE_LOADS =
      Map.of("getAcquire", "get", "getVolatile", "get");
  private static final Map<String, String> ATOMIC_STORES =
      Map.of("set", "setPlain", "setRelease", "setPlain", "lazySet", "setPlain");
  private static final Map<String, String> ATOMIC_LOADS =
      Map.of("get", "getPlain", "getAcquire", "getPlain");

  /// @return `null` if the call keeps no order
  static Omission of(InvokeInstruction call) {
    String owner = call.owner().asInternalName();
    String name = call.name().stringValue();
    if (owner.startsWith(HOLDFAST)) {
      return ofHoldfast(call, owner, name);
    }
    if (owner.equals(VAR_HANDLE)) {
      if (HANDLE_FENCES.containsKey(name)) {
        return new Omission(HANDLE_FENCES.get(name), _ -> {});
      }
      return renamed(call, name, FaultKind.PUBLISH, HANDLE_STORES, HANDLE_LOADS);
    }
    if (owner.startsWith(ATOMIC)) {
      return renamed(call, name, FaultKind.PUBLISH, ATOMIC_STORES, ATOMIC_LOADS);
    }
    boolean isLock =
        owner.equals("java/util/concurrent/locks/ReentrantLock")
            || owner.equals("java/util/concurrent/locks/Lock");
    return isLock && name.equals("lock") ? helped(call, FaultKind.LOCK, name) : null;
  }

  private static Omission ofHoldfast(InvokeInstruction call, String owner, String name) {
    boolean isMemory = owner.startsWith(HOLDFAST + "core/memory/") && owner.endsWith("Memory");
    boolean isVoid = call.typeSymbol().returnType().equals(ConstantDescs.CD_void);
    if (FLUSHES.contains(name) && isVoid) {
      return new Omission(FaultKind.FLUSH, code -> drop(call, code));
    }
    if (FENCES.contains(name) && isVoid) {
      return new Omission(FaultKind.FENCE, code -> drop(call, code));
    }
    if (isMemory && name.equals("readAcquire")) {
      return renamed(call, name, FaultKind.RELEASE, Map.of(), Map.of("readAcquire", "readPlain"));
    }
    if (isMemory && MEMORY_STORES.containsKey(name)) {
      return renamed(call, name, FaultKind.RELEASE, MEMORY_STORES, Map.of());
    }
    boolean isStore =
        Set.of("writeLoggedByte", "writeEntryRelease", "writeEnd").contains(name)
            && call.opcode() != Opcode.INVOKESPECIAL;
    if (isMemory && isStore) {
      return helped(call, FaultKind.RELEASE, name);
    }
    boolean isSectionLock = owner.equals(HOLDFAST + "core/section/SectionLock");
    return isSectionLock && LOCKINGS.contains(name) && call.typeSymbol().parameterCount() == 0
        ? helped(call, FaultKind.LOCK, name)
        : null;
  }

  private static void drop(InvokeInstruction call, CodeBuilder code) {
    for (ClassDesc parameter : call.typeSymbol().parameterList().reversed()) {
      if (TypeKind.from(parameter).slotSize() == 2) {
        code.pop2();
      } else {
        code.pop();
      }
    }
    if (call.opcode() != Opcode.INVOKESTATIC) {
      code.pop();
    }
  }

  private static Omission renamed(
      InvokeInstruction call,
      String name,
      FaultKind store,
      Map<String, String> stores,
      Map<String, String> loads) {
    String weaker = stores.getOrDefault(name, loads.get(name));
    if (weaker == null) {
      return null;
    }
    return new Omission(
        stores.containsKey(name) ? store : FaultKind.ACQUIRE,
        code ->
            code.invoke(
                call.opcode(),
                call.owner().asSymbol(),
                weaker,
                call.typeSymbol(),
                call.isInterface()));
  }

  /// What one of {@link Weaker}'s methods does instead.
  private static Omission helped(InvokeInstruction call, FaultKind kind, String name) {
    MethodTypeDesc type = call.typeSymbol().insertParameterTypes(0, receiver(call));
    return new Omission(kind, code -> code.invokestatic(WEAKER, name, type));
  }

  /// The type by which these methods know what a call is made on. By its name: a class that the
  /// agent had loaded while it looks at another one would stay as it is, without faults.
  private static ClassDesc receiver(InvokeInstruction call) {
    String owner = call.owner().asInternalName();
    if (owner.endsWith("Memory")) {
      return ClassDesc.of("io.holdfast.core.memory.Memory");
    }
    return owner.endsWith("SectionLock")
        ? ClassDesc.of("io.holdfast.core.section.SectionLock")
        : call.owner().asSymbol();
  }
}
