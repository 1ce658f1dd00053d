package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.fixture.Intruder;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.commit.UncommittedReleases;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SectionsTest {
  @TempDir Path directory;

  /// Threads with nested locks over shared words: in the end all is durable and adds up.
  @Test
  void p6AcknowledgedByManyThreads() throws Exception {
    int threads = 6;
    int rounds = 4_000;
    Path path = directory.resolve("many.hf");
    List<ReentrantLock> locks = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      locks.add(new ReentrantLock());
    }
    try (RegionFile file = RegionFile.open(path);
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      Words.create(region, locks.size());
      try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
          Random random = new Random(thread);
          tasks.add(
              () -> {
                for (int i = 0; i < rounds; i++) {
                  int first = random.nextInt(locks.size() - 1);
                  int second = first + 1 + random.nextInt(locks.size() - first - 1);
                  move(region, locks, first, second);
                }
                region.sections().sync();
                return null;
              });
        }
        for (Future<Void> done : executor.invokeAll(tasks)) {
          done.get();
        }
      }
      // A copy that was not closed: recovery must find all that was acknowledged.
      Path left = Files.copy(path, directory.resolve("left.hf"));
      try (RegionFile copy = RegionFile.open(left);
          Region again = Region.open(copy.memory(), RegionFile.INITIAL_BYTES)) {
        assertThat(again.report().outcome()).isEqualTo(Outcome.RECOVERED);
        assertThat(again.report().entriesUndone()).isZero();
        List<Long> words = Words.read(again, 0, locks.size());
        assertThat(words.stream().mapToLong(Long::longValue).sum()).isZero();
        assertThat(words.getFirst()).isNegative();
      }
    }
  }

  /// One from a word to another, under both their locks; the first is released openly.
  private static void move(Region region, List<ReentrantLock> locks, int first, int second) {
    ReentrantLock one = locks.get(first);
    ReentrantLock two = locks.get(second);
    one.lock();
    SectionHooks.acquired(one);
    Words.write(region, first, Words.read(region, first) - 1);
    two.lock();
    SectionHooks.acquired(two);
    SectionHooks.releasing(one);
    one.unlock();
    Words.write(region, second, Words.read(region, second) + 1);
    SectionHooks.releasing(two);
    two.unlock();
  }

  /// One section stays open while another thread's, which depend on it, come and go.
  @Test
  void whatWaitsIsKnownByItsLastSection() throws Exception {
    int sections = 20_000;
    RecordingMemory memory = new RecordingMemory();
    try (Region region = Words.open(memory)) {
      Words.create(region, 2);
      Object outer = new Object();
      Object inner = new Object();
      SectionHooks.acquired(outer);
      SectionHooks.acquired(inner);
      Words.write(region, 0, 1);
      SectionHooks.releasing(inner);
      Thread dependent =
          Thread.startVirtualThread(
              () -> {
                for (int i = 1; i <= sections; i++) {
                  SectionHooks.acquired(inner);
                  Words.write(region, 1, i);
                  SectionHooks.releasing(inner);
                }
              });
      dependent.join();
      int releases = 0;
      UncommittedReleases.Node node = UncommittedReleases.at(UncommittedReleases.stripeOf(inner));
      for (; node != null; node = node.next) {
        releases++;
      }
      assertThat(releases).isBetween(1, 2);
      SectionHooks.releasing(outer);
      region.sections().sync();
      try (Region again = Words.open(memory.copy())) {
        assertThat(Words.read(again, 1)).isEqualTo(sections);
      }
    }
  }

  @Test
  void tenThousandThreadsDoNotGrowTheFile() throws Exception {
    Path path = directory.resolve("threads.hf");
    try (RegionFile file = RegionFile.open(path);
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      Words.create(region, 1);
      for (int i = 0; i < 10_000; i++) {
        long value = i + 1;
        Thread.Builder builder = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
        Thread thread = builder.start(() -> Words.atomically(() -> Words.write(region, 0, value)));
        thread.join();
        assertThat(Words.read(region, 0)).isEqualTo(value);
      }
      assertThat(Files.size(path)).isEqualTo(RegionFile.INITIAL_BYTES);
    }
  }

  /// Each section takes a log and gives it back, for these threads live no longer; somebody looks
  /// which are open.
  @Test
  void logsGoRound() throws Exception {
    int threads = 4;
    int sections = 2_000;
    try (RegionFile file = RegionFile.open(directory.resolve("round.hf"));
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      Words.create(region, 2 * threads);
      AtomicBoolean done = new AtomicBoolean();
      FutureTask<Void> looks =
          new FutureTask<>(
              () -> {
                while (!done.get()) {
                  assertThat(region.sections().open()).doesNotContainNull();
                }
                return null;
              });
      Thread.ofPlatform().daemon().start(looks);
      List<FutureTask<Void>> tasks = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int word = 2 * thread;
        tasks.add(
            new FutureTask<>(
                () -> {
                  for (int i = 1; i <= sections; i++) {
                    long value = i;
                    FutureTask<Void> section =
                        new FutureTask<>(
                            () ->
                                Words.atomically(
                                    () -> {
                                      Words.write(region, word, value);
                                      Words.write(region, word + 1, value);
                                    }),
                            null);
                    Thread.startVirtualThread(section);
                    section.get();
                  }
                  return null;
                }));
      }
      tasks.forEach(task -> Thread.ofPlatform().daemon().start(task));
      for (FutureTask<Void> task : tasks) {
        task.get();
      }
      done.set(true);
      looks.get();
      assertThat(Words.read(region, 0, 2 * threads)).containsOnly((long) sections);
      assertThat(Words.spans(region, Use.LOG_GROUP)).isZero();
    }
  }

  /// Who closes a region is told that it is closed when it is, also if somebody else was about it.
  @Test
  void whoClosesWaitsForWhoCloses() throws Exception {
    HookedMemory memory = new HookedMemory(new RecordingMemory());
    Region region = Words.open(memory);
    FutureTask<Boolean> other =
        new FutureTask<>(
            () -> {
              region.close();
              return memory.isClosed();
            });
    Thread thread = Thread.ofPlatform().daemon().unstarted(other);
    memory.beforeClose(
        () -> {
          thread.start();
          Intruder.awaitEndOrWait(thread);
        });
    region.close();
    assertThat(other.get()).isTrue();
  }

  @Test
  void aSectionOfAMillionStores() {
    int stores = 1_000_000;
    RecordingMemory memory = new RecordingMemory();
    Region region = Words.open(memory);
    Words.create(region, stores);
    Words.atomically(() -> fill(region, stores, 1));
    SectionHooks.enter();
    fill(region, stores, 2);
    try (Region recovered = Words.open(memory.copy())) {
      assertThat(recovered.report().entriesUndone()).isEqualTo(stores);
      assertThat(Words.read(recovered, 0, stores)).containsOnly(1L);
    }
    SectionHooks.exit();
    long length = memory.length();
    Words.atomically(() -> fill(region, stores, 3)); // the chunks are used again
    assertThat(memory.length()).isEqualTo(length);
    region.close();
    try (Region closed = Words.open(memory)) {
      assertThat(closed.report().outcome()).isEqualTo(Outcome.CLEAN);
      assertThat(Words.read(closed, 0, stores)).containsOnly(3L);
    }
  }

  private static void fill(Region region, int stores, long value) {
    Section section = region.sections().current();
    long first = Words.at(region, 0);
    for (int i = 0; i < stores; i++) {
      section.write(first + i * 8L, value);
    }
  }

  @Test
  void recoveryIsIdempotent() {
    RecordingMemory memory = new RecordingMemory();
    Region region = Words.open(memory);
    Words.create(region, 3);
    Words.atomically(() -> Words.write(region, 0, 1));
    SectionHooks.enter();
    Words.write(region, 0, 2);
    Words.write(region, 1, 2);
    RecordingMemory crashed = memory.copy();
    SectionHooks.exit();
    region.close();
    for (int i = 0; i < 3; i++) {
      Region again = Words.open(crashed); // and halted: not closed
      assertThat(again.report().entriesUndone()).isEqualTo(i == 0 ? 2 : 0);
      assertThat(Words.read(again, 0, 3)).containsExactly(1L, 0L, 0L);
      again.sections().close();
    }
  }

  /// Who has a lock by then from somebody who will be undone must not store on top of that.
  @Test
  void close2ASingleStoreIsRefused() {
    Region region = Words.open(new RecordingMemory());
    Words.create(region, 1);
    SectionHooks.enter();
    Section section = region.sections().current();
    assertThat(section.isAlone()).isTrue();
    region.sections().close();
    assertThatThrownBy(() -> section.writeOnly(Words.at(region, 0), 1, null))
        .isInstanceOf(StoreClosedException.class);
    SectionHooks.exit();
    assertThat(Words.read(region, 0)).isZero();
    region.close();
  }

  @Test
  void misuseIsRefused() {
    Region region = Words.open(new RecordingMemory());
    assertThatThrownBy(() -> region.sections().current())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "recorded: a change that must be atomic, outside of a section. Hold a lock, or use"
                + " atomically");
    Words.atomically(
        () ->
            assertThatThrownBy(() -> region.sections().sync())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("sync inside of a section"));
    region.close();
    assertThatThrownBy(() -> Words.atomically(() -> region.sections().current().write(0x2000, 1)))
        .hasMessage("recorded: the store is closed. Open it again");
  }

  @Test
  void aThreadThatDiesInASectionIsTold() throws Exception {
    RecordingMemory memory = new RecordingMemory();
    Object outer = new Object();
    Object inner = new Object();
    try (Region region = Words.open(memory)) {
      Words.create(region, 2);
      Thread dies =
          Thread.ofPlatform()
              .name("short-lived")
              .start(
                  () -> {
                    SectionHooks.acquired(outer);
                    SectionHooks.acquired(inner);
                    Words.write(region, 0, 1);
                    SectionHooks.releasing(inner);
                  });
      dies.join();
      SectionHooks.acquired(inner);
      Words.write(region, 1, 1);
      SectionHooks.releasing(inner);
      assertThatThrownBy(() -> region.sections().sync())
          .isInstanceOf(HoldfastException.class)
          .hasMessageContaining("recorded: the thread")
          .hasMessageContaining("short-lived")
          .hasMessageContaining("died in the middle of a section");
      try (Region again = Words.open(memory.copy())) {
        assertThat(Words.read(again, 0, 2)).containsExactly(0L, 0L);
      }
    }
  }

  /// A region whose memory is gone without its being closed, and which nobody stores to.
  @Test
  void aRegionThatHasFailedIsNobodysConcern() throws Exception {
    Object outer = new Object();
    Object inner = new Object();
    Path lost = directory.resolve("lost.hf");
    Region failed;
    try (RegionFile file = RegionFile.open(lost)) {
      failed = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
    }
    try (Region region = Words.open(new RecordingMemory())) {
      Words.create(region, 1);
      for (int i = 1; i <= 3; i++) {
        SectionHooks.acquired(outer);
        SectionHooks.acquired(inner);
        Words.write(region, 0, i);
        SectionHooks.releasing(inner);
        SectionHooks.releasing(outer);
      }
      SectionHooks.acquired(outer);
      SectionHooks.releasing(outer);
      assertThat(UncommittedReleases.exposed(Thread.currentThread())).isNull();
      region.sections().sync();
    } finally {
      failed.sections().close();
    }
  }

  /// Ten million entries: 320 MB of log.
  @Test
  void aSectionOfTenMillionStores() {
    int words = 1_000_000;
    int rounds = 10;
    try (RegionFile file = RegionFile.open(directory.resolve("large.hf"));
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      Words.create(region, words);
      Words.atomically(
          () -> {
            for (int round = 1; round <= rounds; round++) {
              fill(region, words, round);
            }
          });
      assertThat(Words.read(region, 0, words)).containsOnly((long) rounds);
      assertThat(region.memory().length()).isGreaterThan(32L * words * rounds);
    }
  }

  /// Each process dies in a section that has outgrown its log; the next one uses its logs again.
  @Test
  void theLogsOfAProcessThatDiedAreUsedAgain() throws Exception {
    int words = 200;
    RecordingMemory memory = new RecordingMemory();
    try (Region region = Words.open(memory)) {
      Words.create(region, words);
    }
    long length = 0;
    for (int process = 0; process < 50; process++) {
      Region region = Words.open(memory);
      Thread dies =
          new Thread(
              () -> {
                SectionHooks.enter();
                fill(region, words, 1);
              });
      dies.start();
      dies.join();
      memory = memory.copy(); // what is left of it
      region.close();
      if (process == 0) {
        length = memory.length();
      }
    }
    assertThat(memory.length()).isEqualTo(length);
    try (Region last = Words.open(memory)) {
      assertThat(Words.read(last, 0, words)).containsOnly(0L);
    }
  }
}
