package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DurableActionsTest {
  private static final List<Object> LOCKS = SectionSteps.locks(4);

  private final List<String> done = new CopyOnWriteArrayList<>();

  private static void lock(int lock) {
    SectionHooks.acquired(LOCKS.get(lock));
  }

  private static void unlock(int lock) {
    SectionHooks.releasing(LOCKS.get(lock));
  }

  private void ask(Region region, String what) {
    region.sections().onDurable(() -> done.add(what));
  }

  @Test
  void anActionRunsWhenItsSectionHasEnded() {
    try (Region region = Words.open(new RecordingMemory())) {
      Words.create(region, 4);
      lock(0);
      Words.write(region, 0, 1);
      ask(region, "first");
      ask(region, "second");
      region.sections().finishActions();
      assertThat(done).isEmpty();
      unlock(0);
      region.sections().finishActions();
      assertThat(done).containsExactly("first", "second");
    }
  }

  @Test
  void outsideOfSectionsItRunsAtOnce() {
    try (Region region = Words.open(new RecordingMemory())) {
      for (int i = 0; i < 200; i++) { // who adds and who runs meet in each other's way, as a rule
        ask(region, "now");
        region.sections().finishActions();
        assertThat(done).containsExactly("now");
        done.clear();
      }
    }
  }

  @Test
  void anActionThatFailsDoesNotStopOthers() {
    try (Region region = Words.open(new RecordingMemory())) {
      region
          .sections()
          .onDurable(
              () -> {
                throw new IllegalStateException("on purpose, for a test");
              });
      ask(region, "next");
      region.sections().finishActions();
      assertThat(done).containsExactly("next");
    }
  }

  /// One at a time, each once, whoever asks.
  @Test
  void ofManyThreads() throws Exception {
    int threads = 4;
    int each = 5_000;
    int[] count = new int[1]; // of whom one at a time adds to it
    try (Region region = Words.open(new RecordingMemory())) {
      List<FutureTask<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        tasks.add(
            new FutureTask<>(
                () -> {
                  for (int k = 0; k < each; k++) {
                    region.sections().onDurable(() -> count[0]++);
                  }
                  return null;
                }));
      }
      tasks.forEach(task -> Thread.ofPlatform().daemon().start(task));
      for (FutureTask<Void> task : tasks) {
        task.get();
      }
      region.sections().finishActions();
      assertThat(count[0]).isEqualTo(threads * each);
    }
  }

  @Test
  void finishingWaitsForActions() {
    AtomicInteger count = new AtomicInteger();
    try (Region region = Words.open(new RecordingMemory())) {
      for (int i = 0; i < 1_000; i++) {
        region.sections().onDurable(count::incrementAndGet);
      }
      region.sections().finishActions();
      assertThat(count).hasValue(1_000);
    }
  }

  /// B depends on A and ends first; both become durable when A ends. What A asked for before it
  /// released comes first, though it is B that waited longer.
  ///
  /// Shows ACTIONS-1.
  @Test
  void inHappensBeforeOrder() {
    try (Region region = Words.open(new RecordingMemory());
        Baton baton = new Baton()) {
      Words.create(region, 4);
      baton.run(
          "A",
          () -> {
            lock(0);
            lock(1);
            Words.write(region, 0, 1);
            ask(region, "A before its release");
            unlock(1);
          });
      baton.run(
          "B",
          () -> {
            lock(1);
            Words.write(region, 1, 1);
            ask(region, "B");
            unlock(1);
            ask(region, "B outside");
          });
      baton.run(
          "C",
          () -> {
            lock(1);
            ask(region, "C");
            unlock(1);
          });
      region.sections().finishActions();
      assertThat(done).as("while A is open").isEmpty();
      baton.run("A", () -> unlock(0));
      region.sections().finishActions();
      assertThat(done).hasSize(4);
      assertThat(done).containsSubsequence("A before its release", "B", "B outside");
      assertThat(done).containsSubsequence("B", "C");
    }
  }

  /// Two sections that depend on each other.
  @Test
  void inHappensBeforeOrderInACycle() {
    try (Region region = Words.open(new RecordingMemory());
        Baton baton = new Baton()) {
      Words.create(region, 4);
      baton.run(
          "A",
          () -> {
            lock(0);
            lock(1);
            Words.write(region, 0, 1);
            ask(region, "A first");
            unlock(1);
          });
      baton.run(
          "B",
          () -> {
            lock(2);
            lock(1);
            Words.write(region, 1, 1);
            ask(region, "B");
            unlock(1);
          });
      baton.run(
          "A",
          () -> {
            lock(1);
            ask(region, "A last");
            unlock(1);
            unlock(0);
          });
      region.sections().finishActions();
      assertThat(done).isEmpty();
      baton.run("B", () -> unlock(2));
      region.sections().finishActions();
      assertThat(done).containsExactly("A first", "B", "A last");
    }
  }
}
