package io.holdfast.stress.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A memory cgroup of one process, which has room for little more than the process has already: the
/// kernel's OOM killer finds nobody else in it.
///
/// @param directory its own, in the memory hierarchy of version 1, the one that this was seen with
record MemoryGroup(Path directory) implements AutoCloseable {
  /// What a process has asked for before counts where it was then.
  private static final long ROOM_BYTES = 4 << 20;

  private static final String MOUNTED = "/sys/fs/cgroup/memory";
  private static final String MEMORY = ":memory:";

  /// Whether this process may make such groups.
  static boolean isAllowed() {
    return Allowed.HERE;
  }

  /// A holder: it is found out once, by who asks first.
  private static final class Allowed {
    private static final boolean HERE = found();

    private static boolean found() {
      try (MemoryGroup _ = make("probe-" + ProcessHandle.current().pid())) {
        return true;
      } catch (UncheckedIOException _) {
        return false;
      }
    }
  }

  /// Makes one for a process, and puts it there.
  ///
  /// @throws UncheckedIOException if this process may not, or the other one has ended
  static MemoryGroup of(Process process) {
    MemoryGroup group = make("" + process.pid());
    try {
      group.write("cgroup.procs", process.pid());
      return group;
    } catch (UncheckedIOException e) {
      group.close();
      throw e;
    }
  }

  private static MemoryGroup make(String name) {
    MemoryGroup group = new MemoryGroup(where("holdfast-" + name));
    try {
      Files.createDirectory(group.directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      group.write("memory.limit_in_bytes", ROOM_BYTES);
      group.write("memory.swappiness", 0);
      return group;
    } catch (UncheckedIOException e) {
      group.close();
      throw e;
    }
  }

  /// Within this process's own.
  private static Path where(String name) {
    try {
      return Files.readAllLines(Path.of("/proc/self/cgroup")).stream()
          .filter(each -> each.contains(MEMORY))
          .map(each -> Path.of(MOUNTED + each.substring(each.lastIndexOf(':') + 1), name))
          .findFirst()
          .orElseThrow(() -> new IOException("no hierarchy of version 1 has the memory"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String file, long value) {
    try {
      Files.writeString(directory.resolve(file), "" + value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// How many processes the OOM killer has ended.
  long kills() {
    try {
      return Files.readAllLines(directory.resolve("memory.oom_control")).stream()
          .filter(line -> line.startsWith("oom_kill "))
          .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Gives it up, after the end of its process.
  @Override
  public void close() {
    try {
      Files.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("the memory cgroup of a worker can't be deleted", e);
    }
  }
}
