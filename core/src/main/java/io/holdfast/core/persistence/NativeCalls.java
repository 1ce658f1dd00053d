package io.holdfast.core.persistence;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Two native functions: `writeBack(address, length)` and `fence()`.
///
/// They are called as *critical*: without a transition to native state, so that a flush costs some
/// 2.5 ns, and with its fence what the instructions cost.
///
/// Addresses are passed as numbers, not as segments: keeping a segment alive across a call takes an
/// atomic increment, which waits for the write-backs before it (measured: 100 ns a flush). See
/// {@link CacheLine} for what keeps the mapping alive instead.
///
/// @param name the instruction or library
@SuppressWarnings("restricted") // what it is for
record NativeCalls(String name, MethodHandle writeBack, MethodHandle fence) {
  static NativeCalls of(String name, MemorySegment writeBack, MemorySegment fence) {
    Linker linker = Linker.nativeLinker();
    Linker.Option critical = Linker.Option.critical(false);
    return new NativeCalls(
        name,
        linker.downcallHandle(
            writeBack,
            FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
            critical),
        linker.downcallHandle(fence, FunctionDescriptor.ofVoid(), critical));
  }

  /// `pmem_flush` and `pmem_drain`, if libpmem is installed.
  ///
  /// @throws IllegalArgumentException if it is not
  static NativeCalls ofLibpmem() {
    SymbolLookup library = SymbolLookup.libraryLookup("libpmem.so.1", Arena.global());
    return of(
        "libpmem",
        library.find("pmem_flush").orElseThrow(),
        library.find("pmem_drain").orElseThrow());
  }
}
