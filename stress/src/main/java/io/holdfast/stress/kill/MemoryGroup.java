package io.holdfast.stress.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A memory cgroup of one process, which has room for little more than the process has already: the
/// kernel's OOM killer finds nobody else in it.
///
/// @param directory its own, in a hierarchy of version 1 or 2
/// @param version1 else 2
record MemoryGroup(Path directory, boolean version1) implements AutoCloseable {
  /// What a process has asked for before counts where it was then.
  private static final long ROOM_BYTES = 4 << 20;

  private static final Path MOUNTED = Path.of("/sys/fs/cgroup");
  private static final String VERSION_1 = ":memory:";
  private static final String VERSION_2 = "0::";

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
    MemoryGroup group = where("holdfast-" + name);
    try {
      Files.createDirectory(group.directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      group.limit();
      return group;
    } catch (UncheckedIOException e) {
      group.close();
      throw e;
    }
  }

  /// A group of version 2 that has processes has no groups within that limit anything, so there it
  /// is beside this process's.
  private static MemoryGroup where(String name) {
    Optional<Path> old = own(VERSION_1, MOUNTED.resolve("memory"));
    return old.isPresent()
        ? new MemoryGroup(old.get().resolve(name), true)
        : new MemoryGroup(own(VERSION_2, MOUNTED).orElse(MOUNTED).resolveSibling(name), false);
  }

  /// This process's group in a hierarchy.
  private static Optional<Path> own(String hierarchy, Path mounted) {
    try {
      List<String> groups = Files.readAllLines(Path.of("/proc/self/cgroup"));
      return groups.stream()
          .filter(each -> each.contains(hierarchy))
          .map(each -> Path.of(mounted + each.substring(each.lastIndexOf(':') + 1)))
          .findFirst();
    } catch (IOException _) {
      return Optional.empty(); // no Linux
    }
  }

  private void limit() {
    if (version1) {
      write("memory.limit_in_bytes", ROOM_BYTES);
      write("memory.swappiness", 0);
    } else {
      write("memory.max", ROOM_BYTES);
      write("memory.swap.max", 0);
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
    Path events = directory.resolve(version1 ? "memory.oom_control" : "memory.events");
    try {
      return Files.readAllLines(events).stream()
          .filter(line -> line.startsWith("oom_kill "))
          .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Gives it up, behind the end of its process.
  @Override
  public void close() {
    try {
      Files.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("the memory cgroup of a worker can't be deleted", e);
    }
  }
}
