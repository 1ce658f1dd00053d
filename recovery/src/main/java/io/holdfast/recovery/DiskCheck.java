package io.holdfast.recovery;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.disk.Blocks;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.DiskFile;
import io.holdfast.core.disk.RemoteFileSystems;
import io.holdfast.core.memory.Uninterrupted;
import io.holdfast.core.persistence.PersistentMemory;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What stores in a directory can be promised, and what that costs there: found out by asking the
/// system, and by making a file and a store, which are deleted again.
///
/// @param fileSystem its type, as the system names it
/// @param device as the system names it
/// @param writeCache what the device says of its cache; `null` if that is not known
/// @param isDirect whether a durable write is one call, past the page cache
/// @param means by what a loss of power is survived
/// @param write a durable write of 4 KiB: the median
/// @param slowWrite the same: of 100, the slowest but one
/// @param commit a change of a map by one thread, durable when it returns: the median; `null` where
///   a loss of power can't be survived
/// @param commitsPerSecond the same by 64 threads together; 0 where there are none
/// @param doubts why a loss of power may take more than it should, in sentences
public record DiskCheck(
    Path directory,
    String fileSystem,
    String device,
    String writeCache,
    boolean isDirect,
    Means means,
    Duration write,
    Duration slowWrite,
    Duration commit,
    long commitsPerSecond,
    List<String> doubts) {
  private static final int WRITES = 300;
  private static final int COMMITS = 300;
  private static final int THREADS = 64;
  private static final int COMMITS_EACH = 50;

  /// A flush takes a device longer than this, whatever it is made of.
  private static final Duration FASTEST = Duration.ofNanos(8_000);

  /// Half a turn at 15,000 turns a minute.
  private static final Duration FASTEST_TURN = Duration.ofMillis(2);

  private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");

  /// Mount options by which a sync does not reach the device.
  private static final Set<String> UNSAFE = Set.of("nobarrier", "barrier=0", "volatile");

  /// By what a loss of power is survived.
  public enum Means {
    /// A log beside the store.
    LOG,
    /// Cache lines are written back.
    PERSISTENT_MEMORY,
    /// By nothing.
    NONE
  }

  /// Looks at a directory.
  ///
  /// @param place the directory, or a file in it
  /// @throws RegionAccessException if the system refuses
  public static DiskCheck of(Path place) {
    try {
      Path real = place.toRealPath();
      Path directory = Files.isDirectory(real) ? real : real.getParent();
      try (TrialDirectory trial = TrialDirectory.in(directory)) {
        return check(directory, trial);
      }
    } catch (IOException e) {
      throw new RegionAccessException(
          "%s: cannot be looked at: %s. Name a directory that may be written to"
              .formatted(place, e),
          e);
    }
  }

  private static DiskCheck check(Path directory, TrialDirectory trial) throws IOException {
    FileStore files = Files.getFileStore(directory);
    Path file = trial.file();
    long[] nanos;
    boolean isDirect;
    Means means;
    try (DiskFile written = Disk.local().create(file)) {
      nanos = writes(written);
      isDirect = written.readsTheDevice();
      means =
          RemoteFileSystems.hold(file)
              ? Means.NONE
              : PersistentMemory.isDax(file) ? Means.PERSISTENT_MEMORY : Means.LOG;
    }
    Duration commit = null;
    long perSecond = 0;
    if (means != Means.NONE) {
      try (Holdfast store =
          Holdfast.open(
              trial.store(), Holdfast.Options.defaults().durability(Durability.POWER_FAILURE))) {
        Map<Long, Long> map = store.hashMap("map", Long.class, Long.class);
        commit = median(commits(map, 0, COMMITS));
        perSecond = commitsPerSecond(map);
      }
    }
    BlockDevice device = BlockDevice.of(files.name());
    Duration write = median(nanos);
    List<String> doubts = new ArrayList<>();
    if (means == Means.NONE) {
      doubts.add(
          "%s is a network file system: whether a write is durable, its server alone knows. POWER_FAILURE is refused here"
              .formatted(files.type()));
    }
    if (MEMORY.contains(files.type())) {
      doubts.add("%s is memory: nothing here survives a restart".formatted(files.type()));
    } else if (means == Means.LOG
        && write.compareTo(device.isTurning() ? FASTEST_TURN : FASTEST) < 0) {
      doubts.add(
          "a durable write takes %d µs, less than a device needs: something between says that it is done before it is, unless the device has a cache with a battery"
              .formatted(write.toNanos() / 1_000));
    }
    for (String option : mountOptions(directory)) {
      if (UNSAFE.contains(option)) {
        doubts.add(
            "mounted with %s: a sync does not reach the device. Mount it without"
                .formatted(option));
      }
    }
    return new DiskCheck(
        directory,
        files.type(),
        files.name(),
        device.writeCache(),
        isDirect,
        means,
        write,
        Duration.ofNanos(nanos[nanos.length - 1 - nanos.length / 100]),
        commit,
        perSecond,
        List.copyOf(doubts));
  }

  /// @return nanoseconds, ascending
  private static long[] writes(DiskFile file) throws IOException {
    file.write(0, Blocks.allocate(WRITES * Blocks.BYTES));
    file.force();
    long[] nanos = new long[WRITES];
    for (int i = 0; i < WRITES; i++) {
      long start = System.nanoTime();
      file.writeDurably((long) i * Blocks.BYTES, Blocks.allocate(Blocks.BYTES));
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    return nanos;
  }

  private static long[] commits(Map<Long, Long> map, long first, int count) {
    long[] nanos = new long[count];
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      map.put(first + i, start);
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    return nanos;
  }

  private static long commitsPerSecond(Map<Long, Long> map) {
    long start = System.nanoTime();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      long first = i * 1_000L;
      threads.add(Thread.ofPlatform().start(() -> commits(map, first, COMMITS_EACH)));
    }
    for (Thread each : threads) {
      Uninterrupted.await(each::join);
    }
    return THREADS * COMMITS_EACH * 1_000_000_000L / (System.nanoTime() - start);
  }

  private static Duration median(long[] nanos) {
    return Duration.ofNanos(nanos[nanos.length / 2]);
  }

  /// Those of the mount that a directory is in; none if the system has no list of them.
  private static List<String> mountOptions(Path directory) throws IOException {
    Path mounts = Path.of("/proc/self/mounts");
    if (!Files.isReadable(mounts)) {
      return List.of();
    }
    Path longest = Path.of("/");
    List<String> options = List.of();
    for (String line : Files.readAllLines(mounts)) {
      String[] fields = line.split(" "); // device, place, type, options
      Path place = Path.of(fields[1].replace("\\040", " "));
      if (directory.startsWith(place) && place.getNameCount() >= longest.getNameCount()) {
        longest = place;
        options = List.of(fields[3].split(","));
      }
    }
    return options;
  }

  /// What Linux knows of a block device.
  private record BlockDevice(String writeCache, boolean isTurning) {
    static BlockDevice of(String name) throws IOException {
      Path known = Path.of("/sys/class/block").resolve(Path.of(name).getFileName().toString());
      if (!Files.isDirectory(known)) {
        return new BlockDevice(null, false);
      }
      Path real = known.toRealPath();
      Path queue = real.resolve("queue");
      if (!Files.isDirectory(queue)) {
        queue = real.resolveSibling("queue"); // of the device that the partition is on
      }
      return new BlockDevice(
          read(queue.resolve("write_cache")), "1".equals(read(queue.resolve("rotational"))));
    }

    private static String read(Path file) throws IOException {
      return Files.isReadable(file) ? Files.readString(file).strip() : null;
    }
  }
}
