package io.holdfast.core.persistence;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// A private mapping of a file that Linux does not count. It counts those which Java makes, as if
/// each of their pages was going to be stored to, and refuses one that is longer than memory and
/// swap together.
@SuppressWarnings("restricted") // what it is for
final class UncountedMapping {
  private UncountedMapping() {}

  /// Whether it can be made without a warning by the JVM.
  static boolean isPossible() {
    return LibC.isOnLinux() && UncountedMapping.class.getModule().isNativeAccessEnabled();
  }

  /// @param arena decides how long it is mapped
  /// @throws IOException if the system refuses
  static MemorySegment of(Path file, long start, long length, Arena arena) throws IOException {
    try {
      // First: code that can't make it would leave the mapping for ever.
      MethodHandle munmap =
          LibC.function(
              "munmap",
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
      long address = map(file, start, length);
      return MemorySegment.ofAddress(address)
          .reinterpret(length, arena, _ -> unmap(munmap, address, length));
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e); // a call throws nothing else
    }
  }

  private static long map(Path file, long start, long length) throws Throwable {
    MethodHandle open =
        LibC.function(
            "open",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    MethodHandle close =
        LibC.function("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    int opened;
    try (Arena call = Arena.ofConfined()) {
      opened = (int) open.invokeExact(call.allocateFrom(file.toString()), LibC.O_CLOEXEC);
    }
    if (opened < 0) {
      throw new IOException("cannot be opened to be mapped");
    }
    try {
      long address =
          LibC.mmap(
              length,
              LibC.PROT_READ | LibC.PROT_WRITE,
              LibC.MAP_PRIVATE | LibC.MAP_NORESERVE,
              opened,
              start);
      if (address == -1) {
        throw new IOException("the system refuses a mapping of %d bytes".formatted(length));
      }
      return address;
    } finally {
      int _ = (int) close.invokeExact(opened);
    }
  }

  private static void unmap(MethodHandle munmap, long address, long length) {
    try {
      int _ = (int) munmap.invokeExact(address, length);
    } catch (Throwable e) {
      throw new IllegalStateException(e); // a call throws nothing
    }
  }
}
