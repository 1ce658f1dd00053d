package io.holdfast.core.persistence;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Write-back by native calls: {@link MachineCode} in an executable page of our own, or libpmem's
/// `pmem_flush` and `pmem_drain` where such pages are refused. Decided once for the process.
///
/// The calls are *critical*: they take no transition to native state, so that a flush costs some
/// 2.5 ns and a flush with its fence what the instructions cost. The handles are constants, which
/// lets the compiler put the call where it is made.
///
/// Addresses are passed as numbers, not as segments: keeping a segment alive across a call takes an
/// atomic increment, which waits for the write-backs before it (measured: 100 ns a flush). See
/// {@link CacheLine} for what keeps the mapping alive instead.
@SuppressWarnings("restricted") // what it is for
final class NativeWriteBack {
  private static final MethodHandle WRITE_BACK;
  private static final MethodHandle FENCE;
  private static final String NAME;
  private static final String REFUSAL;

  private record Calls(String name, MethodHandle writeBack, MethodHandle fence) {}

  static {
    Calls calls = null;
    String refusal = "";
    try {
      calls = machineCode();
    } catch (Throwable e) {
      refusal = "machine code: " + e.getMessage();
      try {
        calls = libpmem();
      } catch (Throwable f) {
        refusal += "; libpmem: " + f.getMessage();
      }
    }
    NAME = calls == null ? null : calls.name;
    WRITE_BACK = calls == null ? null : calls.writeBack;
    FENCE = calls == null ? null : calls.fence;
    REFUSAL = refusal;
  }

  private NativeWriteBack() {}

  /// Whether there is such a way on this machine.
  static boolean isAvailable() {
    return NAME != null;
  }

  /// By which instructions or library.
  static String name() {
    return NAME;
  }

  /// Why there is none, or why not by machine code.
  static String refusal() {
    return REFUSAL;
  }

  /// Starts writing back the lines from an address, a line's first, on.
  static void writeBack(long address, long length) {
    try {
      WRITE_BACK.invokeExact(address, length);
    } catch (Throwable e) {
      throw new AssertionError(e); // it throws nothing
    }
  }

  /// Waits for what this thread has started.
  static void fence() {
    try {
      FENCE.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError(e); // it throws nothing
    }
  }

  private static Calls machineCode() throws Throwable {
    MachineCode code = MachineCode.ofThisMachine();
    ExecutablePage page = new ExecutablePage();
    MemorySegment writeBack = page.add(code.writeBack());
    MemorySegment fence = page.add(code.fence());
    page.makeExecutable();
    return calls(code.name(), writeBack, fence);
  }

  private static Calls calls(String name, MemorySegment writeBack, MemorySegment fence) {
    Linker linker = Linker.nativeLinker();
    Linker.Option critical = Linker.Option.critical(false);
    return new Calls(
        name,
        linker.downcallHandle(
            writeBack,
            FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
            critical),
        linker.downcallHandle(fence, FunctionDescriptor.ofVoid(), critical));
  }

  private static Calls libpmem() {
    SymbolLookup library = SymbolLookup.libraryLookup("libpmem.so.1", Arena.global());
    return calls(
        "libpmem",
        library.find("pmem_flush").orElseThrow(),
        library.find("pmem_drain").orElseThrow());
  }
}
