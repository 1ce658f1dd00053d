package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.log.ScannedLog;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.commit.UncommittedReleases;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.RecordingMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Many sections that are open at once, and have passed through the same lock.
@Timeout(120)
class OpenSectionsTest {
  @TempDir Path directory;

  /// Virtual threads, each in a section of its own in which it has held a lock.
  private static final class Crowd {
    private final Region region;
    private final Lock inner = new ReentrantLock();
    private final List<CountDownLatch> ends = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    Crowd(Region region) {
      this.region = region;
    }

    void begin(int sections) throws InterruptedException {
      for (int i = 0; i < sections; i++) {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        threads.add(Thread.startVirtualThread(() -> run(begun, end)));
        ends.add(end);
        begun.await();
      }
    }

    private void run(CountDownLatch begun, CountDownLatch end) {
      SectionHooks.enter();
      inner.lock();
      SectionHooks.acquired(inner);
      Words.write(region, 0, Words.read(region, 0) + 1);
      SectionHooks.releasing(inner);
      inner.unlock();
      begun.countDown();
      try {
        end.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      SectionHooks.exit();
    }

    void end(int section) throws InterruptedException {
      ends.get(section).countDown();
      threads.get(section).join();
    }

    long dependencies() {
      return ScannedLog.scan(region.memory(), region.spans()).stream()
          .flatMap(log -> log.sections().stream())
          .mapToLong(section -> section.dependencies().size())
          .sum();
    }
  }

  /// The chain of sections is a chain in the logs too: not each of them with all before it.
  @Test
  void releases2EachSectionDependsOnTheLastOneAlone() throws Exception {
    int sections = 600;
    try (RegionFile file = RegionFile.open(directory.resolve("crowd.hf"));
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      Words.create(region, 1);
      Crowd crowd = new Crowd(region);
      crowd.begin(sections);
      assertThat(crowd.dependencies()).isEqualTo(sections - 1);
      assertThat(length(UncommittedReleases.at(UncommittedReleases.stripeOf(crowd.inner))))
          .isEqualTo(1);
      for (int i = 0; i < sections; i++) {
        crowd.end(i);
      }
      assertThat(crowd.threads).allMatch(thread -> UncommittedReleases.exposed(thread) == null);
      assertThat(Words.read(region, 0)).isEqualTo(sections);
    }
  }

  /// A thread that depends on another one's section, and whose own release takes the place of that
  /// one's in a stripe, then takes the lock that the other has released: what it stores is undone
  /// first.
  @Test
  void releases3TheStampOfAStripeIsPassedOn() throws Exception {
    List<Object> locks = SectionSteps.locks(4);
    Object first = locks.getFirst();
    Object sameStripe = new Object();
    while (UncommittedReleases.stripeOf(sameStripe) != UncommittedReleases.stripeOf(first)) {
      sameStripe = new Object();
    }
    Object second = sameStripe;
    RecordingMemory memory = new RecordingMemory();
    try (Region region = Words.open(memory);
        Baton baton = new Baton()) {
      Words.create(region, 1);
      for (String thread : List.of("A", "B", "C")) {
        baton.run(thread, SectionHooks::enter);
      }
      baton.run("A", () -> pass(locks.get(1)));
      baton.run("B", () -> pass(locks.get(1))); // depends on A
      baton.run("B", () -> SectionHooks.acquired(second));
      for (int i = 0; i < 5; i++) { // A's stamp becomes higher than B's
        baton.run("C", () -> pass(locks.get(2)));
        baton.run("A", () -> pass(locks.get(2)));
      }
      baton.run("A", () -> store(region, first, 1));
      baton.run("B", () -> SectionHooks.releasing(second));
      baton.run("B", () -> store(region, first, 2));
      try (Region recovered = Words.open(memory.copy())) {
        assertThat(Words.read(recovered, 0)).isZero();
      }
      for (String thread : List.of("A", "B", "C")) {
        baton.run(thread, SectionHooks::exit);
      }
    }
  }

  /// Whatever stripe a lock is in, there is an open section in it.
  @Test
  void anOpeningDependsOnNoSection() throws Exception {
    try (Region region = Words.open(new RecordingMemory());
        Baton baton = new Baton()) {
      Words.create(region, 1);
      baton.run("other", SectionHooks::enter);
      baton.run("other", () -> Words.write(region, 0, 1));
      baton.run("other", () -> everyStripe().forEach(SectionHooks::publishing));
      baton.run(
          "opener",
          () -> {
            Words.open(new RecordingMemory()).close();
            assertThat(ThreadSections.current().before()).isEmpty();
          });
      baton.run("other", SectionHooks::exit);
    }
  }

  private static Collection<Object> everyStripe() {
    Map<Integer, Object> keys = new HashMap<>();
    while (keys.size() < UncommittedReleases.STRIPES) {
      Object key = new Object();
      keys.put(UncommittedReleases.stripeOf(key), key);
    }
    return keys.values();
  }

  private static void pass(Object lock) {
    SectionHooks.acquired(lock);
    SectionHooks.releasing(lock);
  }

  private static void store(Region region, Object lock, long value) {
    SectionHooks.acquired(lock);
    Words.write(region, 0, value);
    SectionHooks.releasing(lock);
  }

  /// In whatever order sections end that wait for each other, each is looked at some few times.
  @ParameterizedTest
  @ValueSource(ints = {1, -1, 7, 241})
  void blocker1AnEndCostsTheSameHoweverManyWait(int step) throws Exception {
    int sections = 1_000;
    try (RegionFile file = RegionFile.open(directory.resolve("order.hf"));
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      Words.create(region, 1);
      Crowd crowd = new Crowd(region);
      crowd.begin(sections);
      for (int i = 0; i < sections; i++) {
        crowd.end(Math.floorMod(i * step + (step < 0 ? -1 : 0), sections));
      }
      assertThat(Words.read(region, 0)).isEqualTo(sections);
      assertThat(region.sections().region().groupCommit.looks()).isLessThan(16L * sections);
      assertThat(region.sections().region().groupCommit.look()).isNull();
    }
  }

  /// What a crowd took is given back when the region is closed, and how many sections there were is
  /// still known.
  @Test
  void pool2ACrowdLeavesNoLogsBehind() throws Exception {
    Path path = directory.resolve("gone.hf");
    int sections = 2_000;
    long durable;
    try (RegionFile file = RegionFile.open(path);
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      Words.create(region, 100);
      Crowd crowd = new Crowd(region);
      crowd.begin(sections);
      Words.atomically(
          () -> {
            for (int i = 1; i < 100; i++) { // more than a slot holds
              Words.write(region, i, i);
            }
          });
      for (int i = 0; i < sections; i++) {
        crowd.end(i);
      }
      region.sections().sync();
      durable = region.durableSections();
      assertThat(durable).isGreaterThanOrEqualTo(sections);
      assertThat(Words.spans(region, Use.LOG_GROUP)).isGreaterThan(60);
    }
    assertThat(Files.size(path)).isLessThanOrEqualTo(2 * RegionFile.INITIAL_BYTES);
    try (RegionFile file = RegionFile.open(path);
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      assertThat(region.durableSections()).isEqualTo(durable);
      assertThat(Words.spans(region, Use.LOG_GROUP)).isZero();
      Crowd crowd = new Crowd(region); // the numbers of slots begin anew
      crowd.begin(100);
      for (int i = 99; i >= 0; i--) {
        crowd.end(i);
      }
      assertThat(Words.read(region, 0)).isEqualTo(sections + 100);
    }
  }

  private static int length(UncommittedReleases.Node list) {
    int length = 0;
    for (UncommittedReleases.Node node = list; node != null; node = node.next) {
      length++;
    }
    return length;
  }
}
