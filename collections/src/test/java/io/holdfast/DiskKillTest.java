package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.DiskFile;
import io.holdfast.core.fixture.InMemory;
import io.holdfast.core.memory.ForwardingMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.redo.Disks;
import io.holdfast.testkit.TestForm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a kill leaves of a store on a disk whose operations do not wait for the device: its three
/// files as they are between two stores, opened again. P6 for process crashes, P7, LIVE-4.
class DiskKillTest {
  private static final Holdfast.Options RELAXED =
      Holdfast.Options.defaults()
          .durability(Durability.POWER_FAILURE)
          .acknowledge(Durability.PROCESS_CRASH);
  private static final int LOG_BYTES = 4 << 20;
  private static final String STREAMS = "s.hf.live";
  private static final List<String> FILES = List.of(STREAMS, "s.hf.log", "s.hf");

  @TempDir(factory = InMemory.class)
  Path directory;

  /// What a kill leaves is looked at in a thread that is in no section.
  private final ExecutorService looker = Executors.newSingleThreadExecutor();

  private final Random random = new Random(7);
  private final List<Throwable> violations = new ArrayList<>();
  private Path path;
  private volatile long begun;
  private volatile long acknowledged;
  private int images;

  @BeforeEach
  void prepare() throws IOException {
    path = directory.toRealPath().resolve("s.hf");
    Holdfast.open(path).close();
  }

  @AfterEach
  void end() {
    looker.shutdown();
  }

  private static RegionFile open(Path path) {
    return RegionFile.openOn(path, Disks.logged(Disk.local(), LOG_BYTES, Durability.PROCESS_CRASH));
  }

  /// A memory whose process is killed after some of its stores.
  private static final class KilledMemory extends ForwardingMemory {
    private final Runnable behindAStore;

    KilledMemory(Memory bytes, Runnable behindAStore) {
      super(bytes);
      this.behindAStore = behindAStore;
    }

    @Override
    public void writePlain(long offset, long value) {
      super.writePlain(offset, value);
      behindAStore.run();
    }

    @Override
    public void writeRelease(long offset, long value) {
      super.writeRelease(offset, value);
      behindAStore.run();
    }

    @Override
    public void writeLoggedByte(long offset, byte value) {
      super.writeLoggedByte(offset, value);
      behindAStore.run();
    }

    @Override
    public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
      super.writeEntryRelease(offset, w0, w1, w2, last);
      behindAStore.run();
    }

    @Override
    public void writeBytesPlain(long offset, byte[] from, int at, int count) {
      super.writeBytesPlain(offset, from, at, count);
      behindAStore.run();
    }

    @Override
    public void zeroPlain(long offset, long count) {
      super.zeroPlain(offset, count);
      behindAStore.run();
    }
  }

  /// The files as they are: this thread alone stores, but the log's threads may be at work.
  private static Path left(Path path, Path image) throws IOException {
    Files.createDirectory(image);
    long before;
    do {
      before = nextBatch(path);
      for (String name : FILES) {
        Files.deleteIfExists(image.resolve(name));
        Files.copy(path.resolveSibling(name), image.resolve(name));
      }
    } while (nextBatch(path) != before
        || Files.mismatch(path.resolveSibling(STREAMS), image.resolve(STREAMS)) >= 0);
    return image.resolve("s.hf");
  }

  private static long nextBatch(Path path) throws IOException {
    byte[] live = Files.readAllBytes(path.resolveSibling(STREAMS));
    return ByteBuffer.wrap(live).order(ByteOrder.LITTLE_ENDIAN).getLong(72);
  }

  private void kill() {
    long least = acknowledged;
    long most = begun;
    try {
      Path image = left(path, directory.resolve("image" + images++));
      looker.submit(() -> check(image, least, most)).get();
    } catch (Exception e) {
      violations.add(e);
    }
  }

  private Void check(Path image, long least, long most) throws IOException {
    Path again = killedInRecovery(image, 1 + random.nextInt(60));
    for (Path each : again == null ? List.of(image) : List.of(image, again)) {
      try (Holdfast store = Holdfast.open(each, RELAXED)) {
        ChangedTogether things = new ChangedTogether(store);
        long last = things.check();
        assertThat(last).as("the last change").isBetween(least, most);
        things.change(last + 1); // it is used on
        assertThat(things.check()).isEqualTo(last + 1);
      }
      for (String name : FILES) {
        Files.deleteIfExists(each.resolveSibling(name));
      }
    }
    return null;
  }

  /// Opens a copy of what a kill has left.
  ///
  /// @param store after which one the next kill comes
  /// @return what that leaves; `null` if the recovery has fewer stores
  private Path killedInRecovery(Path image, int store) throws IOException {
    Path copy = image.resolveSibling("copy");
    Files.createDirectory(copy);
    for (String name : FILES) {
      Files.copy(image.resolveSibling(name), copy.resolve(name));
    }
    Path opened = copy.resolve("s.hf");
    Path[] again = new Path[1];
    int[] stores = {0};
    try (RegionFile file = open(opened)) {
      Memory killed =
          new KilledMemory(
              file.memory(),
              () -> {
                if (++stores[0] == store) {
                  try {
                    again[0] = left(opened, image.resolveSibling("again"));
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }
              });
      Holdfast.over(killed).close();
    }
    return again[0];
  }

  @Test
  void whatReturnedSurvivesAKill() {
    int changes = TestForm.count(20, 60);
    int each = 211; // stores between two kills
    int[] stores = {0};
    try (RegionFile file = open(path);
        Holdfast store =
            Holdfast.over(
                new KilledMemory(
                    file.memory(),
                    () -> {
                      if (++stores[0] % each == 0) {
                        kill();
                      }
                    }))) {
      ChangedTogether things = new ChangedTogether(store);
      for (long i = 1; i <= changes; i++) {
        begun = i;
        things.change(i);
        acknowledged = i;
      }
    }
    if (!violations.isEmpty()) {
      throw new AssertionError(
          "%d violations of %d".formatted(violations.size(), images), violations.getFirst());
    }
    assertThat(images).isGreaterThan(30);
  }

  /// OPEN-1: each process is killed before its first checkpoint has come to its end, some of them
  /// while they wait for it.
  @Test
  void open1CrashesOfOpeningsDoNotFillTheLog() throws Exception {
    Path at = path;
    for (int i = 0; i < 60; i++) {
      AtomicBoolean isHeld = new AtomicBoolean(true);
      Disk disk = withoutCheckpoints(isHeld);
      AtomicLong stores = new AtomicLong();
      long least = acknowledged;
      long most = begun;
      try (RegionFile file =
              RegionFile.openOn(at, Disks.logged(disk, LOG_BYTES, Durability.PROCESS_CRASH));
          Holdfast store =
              Holdfast.over(new KilledMemory(file.memory(), stores::incrementAndGet))) {
        Future<?> changing = looker.submit(() -> changeThreeTimes(store, least, most));
        long killedBehind;
        long killedIn;
        try {
          awaitRest(changing, stores);
          killedBehind = acknowledged;
          killedIn = begun;
          at = left(at, directory.resolve("killed" + i));
        } finally {
          isHeld.set(false); // closing waits for the checkpoint
        }
        changing.get();
        acknowledged = killedBehind;
        begun = killedIn;
      }
    }
    try (Holdfast store = Holdfast.open(at, RELAXED)) {
      assertThat(new ChangedTogether(store).check()).isBetween(acknowledged, begun);
    }
    assertThat(begun).isGreaterThan(100);
  }

  private Void changeThreeTimes(Holdfast store, long least, long most) {
    ChangedTogether things = new ChangedTogether(store);
    long last = things.check();
    assertThat(last).as("the last change").isBetween(least, most);
    for (int n = 0; n < 3; n++) {
      begun = ++last;
      things.change(last);
      acknowledged = last;
    }
    return null;
  }

  /// Waits until it is done, or waits for room in the log, which only a checkpoint makes.
  private static void awaitRest(Future<?> changing, AtomicLong stores) throws Exception {
    long before;
    do {
      before = stores.get();
      try {
        changing.get(1, TimeUnit.SECONDS);
        return;
      } catch (TimeoutException e) {
        // it goes on, or it waits
      }
    } while (stores.get() != before);
  }

  /// A disk on which checkpoints write nothing for a time.
  private static Disk withoutCheckpoints(AtomicBoolean isHeld) {
    return proxy(
        Disk.class,
        Disk.local(),
        opened ->
            opened instanceof DiskFile file
                ? proxy(DiskFile.class, file, UnaryOperator.identity(), () -> await(isHeld))
                : opened,
        () -> {});
  }

  private static void await(AtomicBoolean isHeld) {
    while (isHeld.get() && Thread.currentThread().getName().startsWith("holdfast-checkpoint")) {
      Thread.onSpinWait();
    }
  }

  private static <T> T proxy(
      Class<T> type, T of, UnaryOperator<Object> result, Runnable beforeAWrite) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              if (method.getName().equals("write")) {
                beforeAWrite.run();
              }
              try {
                return result.apply(method.invoke(of, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
