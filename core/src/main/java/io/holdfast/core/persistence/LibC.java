package io.holdfast.core.persistence;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Functions of the C library for what Java has no call for. The constants are those of Linux.
@SuppressWarnings("restricted") // what it is for
final class LibC {
  static final int PROT_READ = 1, PROT_WRITE = 2, PROT_EXEC = 4;
  static final int MAP_PRIVATE = 0x02, MAP_ANONYMOUS = 0x20, MAP_NORESERVE = 0x4000;
  static final int O_CLOEXEC = 0x80000;

  private LibC() {}

  static boolean isOnLinux() {
    return System.getProperty("os.name").equals("Linux");
  }

  static MethodHandle function(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().find(name).orElseThrow(), descriptor, options);
  }

  /// @param file its descriptor; -1 for none
  /// @return an address; -1 if the system refuses
  static long mmap(long length, int protection, int flags, int file, long offset) throws Throwable {
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
    return (long) mmap.invokeExact(0L, length, protection, flags, file, offset);
  }
}
