package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import io.holdfast.testkit.RecordingMemory;
import java.util.HashSet;
import java.util.List;

/// Crashes in sections of one thread.
class SectionCrashTest {
  /// For logs of hundreds of entries, each of which a recovery can be cut off at.
  private static final Bounds FEW = new Bounds(2, 2, 2, 8);

  private static void fill(Region region, int words, long value) {
    Words.atomically(
        () -> {
          for (int i = 0; i < words; i++) {
            Words.write(region, i, value);
          }
        });
  }

  /// Shows SECTION-1.
  @CrashTest
  void p1Atomic(CrashExplorer<Region> explorer) {
    explorer
        .given(region -> Words.create(region, 8))
        .step("first", region -> fill(region, 3, 1))
        .step(
            "a word twice",
            region ->
                Words.atomically(
                    () -> {
                      Words.write(region, 0, 7);
                      Words.write(region, 1, 7);
                      Words.write(region, 0, 8);
                      Words.write(region, 1, 8);
                    }))
        .step("nested", region -> Words.atomically(() -> fill(region, 2, 9)))
        .step("nothing stored", region -> Words.atomically(() -> {}))
        .state(region -> Words.read(region, 0, 4));
  }

  @CrashTest
  void p1AtomicWithRootsAndFreshMemory(CrashExplorer<Region> explorer) {
    explorer
        .step("create", region -> Words.create(region, 2))
        .step("fill", region -> fill(region, 2, 5))
        .state(
            region ->
                region.roots().all().stream().map(root -> root.name() + root.kind()).toList()
                    + " "
                    + Words.read(region, 0, 2));
  }

  /// Several sections in one step, so that only the commit's own fence keeps them apart.
  @CrashTest
  void entriesAreNotReusedBeforeTheCommit(CrashExplorer<Region> explorer) {
    explorer
        .given(region -> Words.create(region, 8))
        .withoutModel()
        .step(
            "three sections",
            region -> {
              fill(region, 3, 1);
              fill(region, 3, 2);
              fill(region, 3, 3);
            })
        .state(region -> Words.read(region, 0, 3))
        .check(
            (region, point) ->
                assertThat(new HashSet<>(Words.read(region, 0, 3))).as("words alike").hasSize(1));
  }

  @CrashTest
  void p1AtomicBeyondTheRing(CrashExplorer<Region> explorer) {
    explorer
        .given(
            region -> {
              Words.create(region, 128);
              Words.dirtyFreeSpans(region);
            })
        .bounds(FEW)
        .step("100 stores", region -> fill(region, 100, 1))
        .step("100 again", region -> fill(region, 100, 2))
        .step("one", region -> fill(region, 1, 3))
        .state(region -> Words.read(region, 0, 100))
        .check((region, point) -> assertThat(Words.spans(region, Use.LOG_CHUNK)).isZero());
  }

  @CrashTest
  void p1AtomicBeyondAChunk(CrashExplorer<Region> explorer) {
    explorer
        .given(region -> Words.create(region, 2_200))
        .bounds(new Bounds(1, 1, 1, 5))
        .step("2,200 stores", region -> fill(region, 2_200, 1))
        .state(region -> Words.read(region, 0, 2_200))
        .check((region, point) -> assertThat(Words.spans(region, Use.LOG_CHUNK)).isZero());
  }

  private static final List<Object> LOCKS = SectionSteps.locks(4);

  /// A section logs two dependencies, in one line, and a store, in the next: a crash may take the
  /// first line alone. The section that has this log next comes as far as the second line.
  ///
  /// Shows SLOT-1, LOG-4.
  @CrashTest
  void numbersAreNotUsedAgain(CrashExplorer<Region> explorer) {
    int words = 16;
    explorer
        .given(region -> Words.create(region, words))
        .withoutModel()
        .withoutDisk(); // its check copies the bytes to a memory without a log
    for (int i = 0; i < 2; i++) {
      int thread = i;
      explorer.step(
          "T" + i,
          "an open release",
          region -> {
            SectionHooks.acquired(LOCKS.get(2 * thread));
            SectionHooks.acquired(LOCKS.get(2 * thread + 1));
            Words.write(region, 1 + thread, 1);
            SectionHooks.releasing(LOCKS.get(2 * thread + 1));
          });
    }
    explorer
        .step(
            "T2",
            "two dependencies and a store",
            region -> {
              SectionHooks.acquired(LOCKS.get(1));
              SectionHooks.acquired(LOCKS.get(3));
              Words.write(region, 0, 1);
            })
        .check(
            (region, point) -> {
              for (int i = 3; i < 13; i += 2) {
                int word = i;
                inAThread(
                    () -> {
                      SectionHooks.enter(); // and does not end
                      Words.write(region, word, 1);
                      Words.write(region, word + 1, 1);
                    });
              }
              inAThread(() -> Words.atomically(() -> Words.write(region, 0, 42)));
              try (Region again = Words.open(copyOf(region.memory()))) {
                assertThat(Words.read(again, 0)).isEqualTo(42);
                assertThat(Words.read(again, 1, words)).containsOnly(0L);
              }
            });
  }

  private static void inAThread(Runnable action) throws InterruptedException {
    Thread thread = Thread.ofPlatform().start(action);
    thread.join();
  }

  private static RecordingMemory copyOf(Memory memory) {
    byte[] bytes = new byte[(int) memory.length()];
    memory.readBytes(0, bytes, 0, bytes.length);
    RecordingMemory copy = new RecordingMemory();
    copy.grow(bytes.length);
    copy.writeBytesPlain(0, bytes, 0, bytes.length);
    return copy;
  }

  /// A store that is a section by itself comes after what it publishes, and before what follows it.
  @CrashTest
  void writeOnlyPublishesWhole(CrashExplorer<Region> explorer) {
    explorer
        .given(region -> Words.create(region, 24))
        .withoutModel()
        .step(
            "publish",
            region ->
                Words.atomically(
                    () -> {
                      region.memory().writePlain(Words.at(region, 8), 1);
                      region.sections().current().writeOnly(Words.at(region, 0), 1, null);
                      region.memory().writePlain(Words.at(region, 16), 1);
                    }))
        .check(
            (region, point) -> {
              long published = Words.read(region, 0);
              assertThat(Words.read(region, 8)).isGreaterThanOrEqualTo(published);
              assertThat(Words.read(region, 16)).isLessThanOrEqualTo(published);
              assertThat(published).isGreaterThanOrEqualTo(point.acknowledged());
            });
  }
}
