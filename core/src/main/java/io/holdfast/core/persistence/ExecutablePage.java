package io.holdfast.core.persistence;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
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
  private static final int PROT_READ = 1, PROT_WRITE = 2, PROT_EXEC = 4;
  private static final int MAP_PRIVATE = 0x02, MAP_ANONYMOUS = 0x20;

  private final MemorySegment page;
  private long used;

  /// @throws IllegalCallerException if native access is denied to this module
  /// @throws UnsupportedOperationException if the system refuses the page
  ExecutablePage() throws Throwable {
    if (!System.getProperty("os.name").equals("Linux")) {
      throw new UnsupportedOperationException("executable pages are made on Linux only");
    }
    MethodHandle mmap =
        function(
            "mmap",
            FunctionDescriptor.of(
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG));
    long address =
        (long)
            mmap.invokeExact(
                0L, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
    if (address == -1) {
      throw new UnsupportedOperationException("mmap refused a page");
    }
    page = MemorySegment.ofAddress(address).reinterpret(PAGE_BYTES);
  }

  private static MethodHandle function(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), descriptor);
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
        function(
            "mprotect",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT));
    int refused = (int) mprotect.invokeExact(page.address(), PAGE_BYTES, PROT_READ | PROT_EXEC);
    if (refused != 0) {
      throw new UnsupportedOperationException("mprotect refused to make a page executable");
    }
  }
}
