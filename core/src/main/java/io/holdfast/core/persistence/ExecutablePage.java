package io.holdfast.core.persistence;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// A page of machine code, which lives as long as the process: first writable, then executable,
/// never both. (On AArch64, whose instruction cache does not see stores, Linux cleans it when a
/// page first becomes executable.)
@SuppressWarnings("restricted") // what it is for
final class ExecutablePage {
  private static final long PAGE_BYTES = 4096;
  private static final int ALIGNMENT = 64;

  private final MemorySegment page;
  private long used;

  /// @throws IllegalCallerException if native access is denied to this module
  /// @throws UnsupportedOperationException if the system refuses the page
  ExecutablePage() throws Throwable {
    if (!LibC.isOnLinux()) {
      throw new UnsupportedOperationException("executable pages are made on Linux only");
    }
    long address =
        LibC.mmap(
            PAGE_BYTES,
            LibC.PROT_READ | LibC.PROT_WRITE,
            LibC.MAP_PRIVATE | LibC.MAP_ANONYMOUS,
            -1,
            0);
    if (address == -1) {
      throw new UnsupportedOperationException("mmap refused a page");
    }
    page = MemorySegment.ofAddress(address).reinterpret(PAGE_BYTES);
  }

  /// Adds a function.
  MemorySegment add(byte[] code) {
    MemorySegment function = page.asSlice(used);
    MemorySegment.copy(code, 0, function, ValueLayout.JAVA_BYTE, 0, code.length);
    used += (code.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return function;
  }

  /// Lets the functions be called; no more can be added.
  void makeExecutable() throws Throwable {
    MethodHandle mprotect =
        LibC.function(
            "mprotect",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT));
    int refused =
        (int) mprotect.invokeExact(page.address(), PAGE_BYTES, LibC.PROT_READ | LibC.PROT_EXEC);
    if (refused != 0) {
      throw new UnsupportedOperationException("mprotect refused to make a page executable");
    }
  }
}
