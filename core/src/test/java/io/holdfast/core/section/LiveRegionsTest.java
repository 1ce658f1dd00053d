package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.commit.UncommittedReleases;
import io.holdfast.core.section.hooks.EdgeHooks;
import io.holdfast.core.section.hooks.MonitorHooks;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class LiveRegionsTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 300_000;
  private static final Object OUTER = new Object(), INNER = new Object();

  /// Regions that are opened and closed by several threads at once: none is missing in the list of
  /// those that are open, and none stays in it.
  @Test
  void openedAndClosedByManyThreads() throws Exception {
    List<Region> regions = new ArrayList<>();
    List<FutureTask<Void>> tasks = new ArrayList<>();
    try {
      for (int i = 0; i < THREADS; i++) {
        Region region = Words.open(new RecordingMemory());
        regions.add(region);
        tasks.add(new FutureTask<>(() -> comeAndGo(region.sections()), null));
      }
      tasks.forEach(task -> Thread.ofPlatform().daemon().start(task));
      for (FutureTask<Void> task : tasks) {
        task.get();
      }
    } finally {
      regions.forEach(Region::close);
    }
    for (Region region : regions) {
      assertThat(SectionRegion.live).doesNotContain(region.sections().region());
    }
  }

  /// Releases inside of sections, and writes there, expose nobody as long as no store is open: a
  /// thread that is exposed costs all others a look at each lock that they take.
  @Test
  void withoutARegionNobodyIsExposed() throws Exception {
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) { // that carries nothing
      thread.submit(() -> withoutRegions(LiveRegionsTest::releaseInASection)).get();
    }
  }

  private static void releaseInASection() {
    MonitorHooks.acquired(OUTER);
    MonitorHooks.acquired(INNER);
    EdgeHooks.writing(INNER);
    ThreadSections.current().publish(INNER);
    MonitorHooks.releasing(INNER);
    assertThat(UncommittedReleases.exposed(Thread.currentThread())).isNull();
    MonitorHooks.releasing(OUTER);
    assertThat(ThreadSections.current().inSection()).isFalse();
  }

  /// A section that began before its region was opened is one from then on, and one that lasts
  /// longer than its region ends all the same.
  @Test
  void aSectionOutlivesBothEndsOfItsRegion() {
    withoutRegions(
        () -> {
          MonitorHooks.acquired(OUTER);
          MonitorHooks.acquired(INNER);
          try (Region region = Words.open(new RecordingMemory())) {
            MonitorHooks.releasing(INNER); // openly: it will store
            assertThat(UncommittedReleases.isEmpty()).isFalse();
            Words.create(region, 1);
            Words.write(region, 0, 1);
            assertThat(region.sections().isQuiet()).isFalse();
            MonitorHooks.releasing(OUTER);
            assertThat(region.sections().isQuiet()).isTrue();
            MonitorHooks.acquired(OUTER);
            MonitorHooks.acquired(INNER);
          }
          MonitorHooks.releasing(INNER);
          assertThat(ThreadSections.current().inSection()).isTrue();
          MonitorHooks.releasing(OUTER);
          assertThat(ThreadSections.current().inSection()).isFalse();
          assertThat(ThreadSections.current().held().size()).isZero();
        });
  }

  /// A thread that is in no sections itself, as a pool's, is exposed as long as what it has
  /// observed is open, and says so with what it tells next.
  @Test
  void whoHasObservedIsCoveredWhenThatIsDurable() throws Exception {
    try (Region region = Words.open(new RecordingMemory());
        ExecutorService pool = Executors.newSingleThreadExecutor()) {
      Words.create(region, 1);
      Thread other = pool.submit(Thread::currentThread).get();
      MonitorHooks.acquired(OUTER);
      Words.write(region, 0, 1);
      ThreadSections.current().publish(INNER);
      pool.submit(() -> ThreadSections.current().observe(INNER)).get();
      pool.submit(() -> ThreadSections.current().publish(INNER)).get();
      assertThat(UncommittedReleases.exposed(other)).isNotNull();
      MonitorHooks.releasing(OUTER);
      pool.submit(() -> ThreadSections.current().publish(INNER)).get();
      assertThat(UncommittedReleases.exposed(other)).isNull();
    }
  }

  /// What other tests have left open is not seen meanwhile.
  private static void withoutRegions(Runnable body) {
    SectionRegion[] others = SectionRegion.live;
    SectionRegion.live = new SectionRegion[0];
    try {
      body.run();
    } finally {
      SectionRegion.live = others;
    }
  }

  private static void comeAndGo(Sections region) {
    for (int i = 0; i < ROUNDS; i++) {
      region.region().setLive(false);
      assertThat(SectionRegion.live).doesNotContain(region.region());
      region.region().setLive(true);
      assertThat(SectionRegion.live).contains(region.region());
    }
  }
}
