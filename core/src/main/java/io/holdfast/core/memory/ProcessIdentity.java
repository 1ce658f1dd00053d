package io.holdfast.core.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/// A process, told from each other one that has had its number or will have it.
///
/// @param start when it started, in ticks since the system did: a time of day would move with the
///   clock. Where there is no `/proc` it is in milliseconds since 1970.
/// @param boot the run of the system ({@link BootId}); 0 if it is unknown
/// @param namespace of process numbers, which each container has of its own; 0 if it is unknown
record ProcessIdentity(long pid, long start, long boot, long namespace) {
  /// What one process can know of another one.
  enum State {
    ALIVE,
    DEAD,
    /// Its number means nothing here, or this process may not look.
    UNSEEN
  }

  private static final Path PROC = Path.of("/proc");
  private static final boolean HAS_PROC = Files.exists(PROC.resolve("self/stat"));

  /// Of `/proc/PID/stat`, counted from the state, which is the first after the name.
  private static final int RUN_STATE = 0, FLAGS = 6, THREADS = 17, START = 19;

  /// A flag of a thread that is past its last instruction.
  private static final long EXITING = 4;

  private static final long GONE = -1;

  /// A millisecond apart: the last threads of a process that was killed take some of them to end.
  private static final int ATTEMPTS = 200;

  private static final ProcessIdentity SELF = of(ProcessHandle.current().pid());

  /// The process that asks.
  static ProcessIdentity self() {
    return SELF;
  }

  /// Whether it is the process that asks. Not by `equals`: a record's is made when it is first
  /// called, and a new process would wait for that.
  boolean isSelf() {
    return pid == SELF.pid
        && start == SELF.start
        && boot == SELF.boot
        && namespace == SELF.namespace;
  }

  /// A process that has a number in this one's namespace.
  static ProcessIdentity of(long pid) {
    long start;
    try {
      start = startOf(pid);
    } catch (IOException e) {
      start = 0;
    }
    return new ProcessIdentity(pid, start, BootId.current(), ownNamespace());
  }

  private static long ownNamespace() {
    try {
      String name = Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString();
      return Long.parseLong(name.substring(name.indexOf('[') + 1, name.length() - 1));
    } catch (IOException | UnsupportedOperationException | NumberFormatException e) {
      return 0;
    }
  }

  /// Whether it still runs. A process of another run of the system does not.
  State state() {
    if (boot != SELF.boot) {
      return State.DEAD;
    }
    if (namespace != SELF.namespace) {
      return State.UNSEEN;
    }
    try {
      long found = startOf(pid);
      if (found == start) {
        return State.ALIVE;
      }
      // Where other users' processes are hidden, so is the first one.
      boolean seesAll = !HAS_PROC || Files.exists(PROC.resolve("1"));
      return found != GONE || seesAll ? State.DEAD : State.UNSEEN;
    } catch (IOException e) {
      return State.UNSEEN;
    }
  }

  private static long startOf(long pid) throws IOException {
    if (!HAS_PROC) {
      return ProcessHandle.of(pid)
          .flatMap(process -> process.info().startInstant())
          .map(Instant::toEpochMilli)
          .orElse(GONE);
    }
    for (int i = 1; ; i++) {
      String[] fields;
      try {
        String line = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
        fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
      } catch (NoSuchFileException e) {
        return GONE;
      } catch (IOException e) {
        if (i == ATTEMPTS) {
          throw e;
        }
        continue; // it ended while it was looked at
      }
      boolean ended =
          "ZX".contains(fields[RUN_STATE]) || (Long.parseLong(fields[FLAGS]) & EXITING) != 0;
      if (ended && Long.parseLong(fields[THREADS]) <= 1) {
        return GONE; // its parent has not asked for its exit code
      }
      if (!ended || i == ATTEMPTS) {
        return Long.parseLong(fields[START]);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Override
  public String toString() {
    String started =
        ProcessHandle.of(pid)
            .filter(_ -> namespace == SELF.namespace)
            .flatMap(process -> process.info().startInstant())
            .map(Instant::toString)
            .orElse("unknown");
    String where = namespace == SELF.namespace ? "" : ", in another container";
    return "pid=%s, started=%s%s".formatted(pid, started, where);
  }
}
