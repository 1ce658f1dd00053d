package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.heap.HeapValidator.Block;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Sections on a full device: what they did is taken back, and the store goes on.
class RollbackTest {
  private static final int WORDS = 600, FOR_DEPENDENCIES = 8;
  private static final List<Object> LOCKS = SectionSteps.locks(12);
  private static final Object X = LOCKS.get(10), OUTER = LOCKS.get(11);

  private final RecordingMemory memory = new RecordingMemory();
  private Region region;

  @BeforeEach
  void open() {
    region = Words.open(memory);
    Words.create(region, WORDS);
    long[] block = new long[1];
    Words.atomically(() -> block[0] = region.heap().allocate(3_000_000));
    Words.atomically(() -> region.heap().free(block[0])); // leaves room in the file
  }

  /// What is left can be used, closed and opened.
  @AfterEach
  void goesOn() {
    List<Long> before = Words.read(region, 0, WORDS);
    List<Block> blocks = region.heap().validator().blocks();
    Words.atomically(() -> Words.write(region, 0, 4711));
    memory.limitTo(Long.MAX_VALUE);
    Words.atomically(() -> store(200, 5));
    region.close();
    try (Region again = Words.open(memory)) {
      assertThat(Words.read(again, 0, 200)).containsOnly(5L);
      assertThat(Words.read(again, 200, WORDS)).isEqualTo(before.subList(200, WORDS));
      assertThat(again.heap().validator().blocks()).isEqualTo(blocks);
    }
  }

  private void store(int count, long value) {
    for (int i = 0; i < count; i++) {
      Words.write(region, i, value);
    }
  }

  /// Leaves no span, and as many small blocks as there are.
  private void fillDevice() {
    memory.limitTo(memory.length());
    assertThatThrownBy(
            () -> {
              while (true) {
                Words.atomically(() -> region.heap().allocate(RegionLayout.SPAN_BYTES));
              }
            })
        .isInstanceOf(RegionFullException.class);
  }

  private void assertRefused(Runnable action) {
    assertThatThrownBy(action::run).isInstanceOf(RegionFullException.class);
  }

  private long[] lineOfWords() {
    return Words.read(region, 0, WORDS).stream().mapToLong(Long::longValue).toArray();
  }

  @Test
  void theSectionIsUndoneAndTheNextOneWorks() {
    Words.atomically(() -> store(40, 1));
    fillDevice();
    List<String> ran = new ArrayList<>();
    Words.atomically(
        () -> {
          region.sections().onDurable(() -> ran.add("action"));
          assertThatThrownBy(() -> store(WORDS, 2))
              .isInstanceOf(RegionFullException.class)
              .hasMessageStartingWith("recorded: full: ")
              .hasMessageEndingWith(
                  ". The section was rolled back: nothing that it did in this store since its first"
                      + " lock is there")
              .hasCauseInstanceOf(RegionFullException.class);
          assertThat(Words.read(region, 0, 40)).containsOnly(1L);
          assertThatThrownBy(() -> Words.write(region, 0, 3))
              .isInstanceOf(RegionFullException.class)
              .hasMessage(
                  "recorded: this section found no room, and nothing that it did in this store is"
                      + " there. It takes no more stores; release its outermost lock, and the next"
                      + " one does")
              .hasCauseInstanceOf(RegionFullException.class);
          Section section = region.sections().current();
          assertRefused(() -> section.writeOnly(Words.at(region, 0), 3, null));
          assertRefused(() -> section.reserve(1));
          assertRefused(() -> section.fill(Words.at(region, 0), 1, 3));
          assertRefused(() -> section.copy(Words.at(region, 0), new byte[8], 0, 8));
          assertRefused(() -> section.copy(Words.at(region, 1), Words.at(region, 0), 8));
          assertRefused(() -> region.heap().allocate(16));
          assertRefused(() -> region.sections().onDurable(() -> ran.add("refused")));
          Words.atomically(() -> assertRefused(() -> Words.write(region, 0, 3)));
        });
    assertThat(Words.read(region, 0, 40)).containsOnly(1L);
    assertThat(Words.read(region, 40, WORDS)).containsOnly(0L);
    Words.atomically(() -> store(50, 4));
    assertThat(Words.read(region, 0, 50)).containsOnly(4L);
    region.sections().finishActions();
    assertThat(ran).isEmpty();
  }

  /// The log forgets which words it knows: two of these share a place.
  @Test
  void wordsThatWereLoggedTwice() {
    fillDevice();
    Words.atomically(
        () -> {
          assertThatThrownBy(
                  () -> {
                    for (int round = 1; ; round++) {
                      for (int i = 0; i < 300; i += 7) {
                        Words.write(region, i, round);
                        Words.write(region, WORDS - 1 - i, round);
                      }
                    }
                  })
              .isInstanceOf(RegionFullException.class);
          assertThat(lineOfWords()).containsOnly(0L);
        });
  }

  @Test
  void allKindsOfStoresAreUndone() {
    Words.atomically(() -> store(WORDS, 7));
    fillDevice();
    Words.atomically(
        () -> {
          Section section = region.sections().current();
          section.fill(Words.at(region, 3), 20, -1L);
          Words.write(region, 5, 8);
          section.copy(Words.at(region, 10), Words.at(region, 2), 64);
          section.copy(Words.at(region, 30), new byte[150], 0, 150);
          Words.write(region, 31, 9);
          assertRefused(() -> region.heap().allocate(10_000_000));
          assertThat(lineOfWords()).containsOnly(7L);
        });
  }

  /// An uncommitted release stores the allocation bytes of blocks before the section ends.
  @Test
  void blocksThatAnOpenReleaseHasPublished() {
    long[] held = new long[1];
    Words.atomically(() -> held[0] = region.heap().allocate(100));
    memory.limitTo(memory.length());
    List<Block> before = region.heap().validator().blocks();
    SectionHooks.acquired(OUTER);
    SectionHooks.acquired(X);
    long both = region.heap().allocate(100);
    region.heap().allocate(200);
    region.heap().free(held[0]);
    SectionHooks.releasing(X);
    region.heap().free(both);
    assertThat(region.heap().validator().blocks()).isNotEqualTo(before);
    assertThatThrownBy(() -> region.heap().allocate(10_000_000))
        .isInstanceOf(RegionFullException.class)
        .hasMessageContaining("rolled back");
    assertThat(region.heap().validator().blocks()).isEqualTo(before);
    SectionHooks.releasing(OUTER);
    assertThat(region.heap().validator().blocks()).isEqualTo(before);
    Words.atomically(() -> assertThat(region.heap().allocate(100)).isNotEqualTo(held[0]));
  }

  @Test
  void blocksAreFreeAgainAndFreedOnesAreThere() {
    long[] held = new long[3];
    Words.atomically(
        () -> {
          held[0] = region.heap().allocate(100);
          held[1] = region.heap().allocate(200_000);
          held[2] = region.heap().allocate(100);
        });
    Words.atomically(() -> region.heap().free(held[2]));
    memory.limitTo(memory.length());
    List<Block> before = region.heap().validator().blocks();
    for (int i = 0; i < 3; i++) { // or what is lost in each would be missed
      Words.atomically(
          () -> {
            region.heap().free(held[0]);
            region.heap().free(held[1]);
            assertThat(region.heap().allocate(100)).isEqualTo(held[2]);
            region.heap().free(held[2]);
            region.heap().allocate(100_000);
            assertThatThrownBy(() -> region.heap().allocate(10_000_000))
                .isInstanceOf(RegionFullException.class)
                .hasMessageContaining("rolled back");
            assertThat(region.heap().validator().blocks()).isEqualTo(before);
            assertRefused(() -> region.heap().free(held[0]));
          });
      assertThat(region.heap().validator().blocks()).isEqualTo(before);
    }
    Words.atomically(
        () -> {
          assertThat(region.heap().allocate(100)).isEqualTo(held[2]); // and not those that are held
          assertThat(region.heap().allocate(100)).isNotEqualTo(held[0]);
          region.heap().free(held[0]);
          region.heap().free(held[1]);
        });
    Words.atomically(() -> region.heap().allocate(200_000)); // in its place
  }

  @Test
  void blocksThatWereAllocatedOutsideGoWithTheSection() {
    memory.limitTo(memory.length());
    List<Block> before = region.heap().validator().blocks();
    region.heap().allocate(WORDS * 8);
    region.heap().allocate(70_000);
    Words.atomically(
        () -> {
          Words.write(region, 0, 1);
          assertRefused(() -> region.heap().allocate(10_000_000));
        });
    assertThat(region.heap().validator().blocks()).isEqualTo(before);
    Words.atomically(() -> region.heap().allocate(70_000));
  }

  @Test
  void aRootThatWasCreatedIsNotThere() {
    memory.limitTo(memory.length());
    Words.atomically(
        () -> {
          region.roots().create("new", "kind", "", () -> region.heap().allocate(64));
          assertThat(region.roots().find("new")).isNotNull();
          assertRefused(() -> region.heap().allocate(10_000_000));
          assertThat(region.roots().find("new")).isNull();
        });
    assertThat(region.roots().all()).hasSize(1);
    region.roots().create("new", "kind", "", () -> region.heap().allocate(64));
  }

  /// A section that finds no log.
  @Test
  void aSectionThatCannotBegin() {
    fillDevice();
    try (Baton baton = new Baton()) {
      int slots = 0;
      while (slots < 40 && takeSlot(baton, "thread" + slots)) {
        slots++;
      }
      assertThat(slots).isLessThan(40);
      String last = "thread" + slots;
      baton.run(
          last,
          () -> {
            assertRefused(() -> Words.atomically(() -> Words.write(region, 500, 1)));
            SectionHooks.acquired(OUTER);
            SectionHooks.acquired(X);
            SectionHooks.releasing(X); // openly, with nothing to say
            assertRefused(() -> Words.write(region, 500, 1));
            assertRefused(() -> region.sections().current().reserve(1));
            SectionHooks.releasing(OUTER);
          });
      baton.run("thread0", SectionHooks::exit);
      baton.run("thread0", () -> Words.atomically(() -> Words.write(region, 300, 6)));
      for (int i = 1; i < slots; i++) {
        baton.run("thread" + i, SectionHooks::exit);
      }
    }
    assertThat(Words.read(region, 300)).isEqualTo(6);
    assertThat(Words.read(region, 500)).isZero();
  }

  /// Has a thread begin a section.
  private boolean takeSlot(Baton baton, String thread) {
    boolean[] taken = new boolean[1];
    baton.run(
        thread,
        () -> {
          SectionHooks.enter();
          try {
            Words.write(region, 200 + Integer.parseInt(thread.substring(6)), 1);
            taken[0] = true;
          } catch (RegionFullException e) {
            SectionHooks.exit();
          }
        });
    return taken[0];
  }

  @Test
  void anOpenReleaseThatNobodyAcquiredIsUndone() {
    fillDevice();
    SectionHooks.acquired(OUTER);
    SectionHooks.acquired(X);
    Words.write(region, 0, 1);
    SectionHooks.releasing(X);
    assertRefused(() -> store(WORDS, 1));
    assertThat(lineOfWords()).containsOnly(0L);
    try (Baton baton = new Baton()) {
      baton.run(
          "B",
          () -> {
            SectionHooks.acquired(X);
            Words.write(region, 1, Words.read(region, 0) + 1);
            SectionHooks.releasing(X);
          });
      SectionHooks.releasing(OUTER);
      baton.run("B", region.sections()::sync);
    }
    assertThat(Words.read(region, 0, 3)).containsExactly(0L, 1L, 0L);
  }

  /// Others have seen it: it is told, and goes on.
  @Test
  void aSectionThatOthersHaveTakenHoldOf() {
    fillDevice();
    SectionHooks.acquired(OUTER);
    SectionHooks.acquired(X);
    Words.write(region, 500, 1);
    SectionHooks.releasing(X);
    try (Baton baton = new Baton()) {
      baton.run("B", () -> SectionHooks.acquired(X));
      assertThatThrownBy(() -> region.heap().allocate(1_000_000))
          .isInstanceOf(RegionFullException.class)
          .hasMessageStartingWith("recorded: full: ")
          .hasMessageEndingWith(
              ". The operation that needed room changed nothing; but the section was not rolled"
                  + " back, because others have already seen what it did before")
          .hasCauseInstanceOf(RegionFullException.class);
      Words.write(region, 501, 1);
      baton.run(
          "B",
          () -> {
            Words.write(region, 502, Words.read(region, 500) + 1);
            SectionHooks.releasing(X);
          });
      SectionHooks.releasing(OUTER);
      baton.run("B", region.sections()::sync);
    }
    assertThat(Words.read(region, 500, 503)).containsExactly(1L, 1L, 2L);
  }

  /// Hooks can't throw, so places are kept for what they log.
  @Test
  void dependenciesFindRoomWhereStoresDoNot() {
    fillDevice();
    try (Baton baton = new Baton()) {
      for (int i = 0; i < FOR_DEPENDENCIES; i++) {
        int thread = i;
        baton.run(
            "T" + i,
            () -> {
              SectionHooks.enter();
              SectionHooks.acquired(LOCKS.get(thread));
              Words.write(region, 500 + thread, 1);
              SectionHooks.releasing(LOCKS.get(thread));
            });
      }
      baton.run(
          "last",
          () -> {
            SectionHooks.enter();
            assertRefused(() -> store(WORDS, 1));
            for (int i = 0; i < FOR_DEPENDENCIES; i++) {
              SectionHooks.acquired(LOCKS.get(i));
              SectionHooks.releasing(LOCKS.get(i));
            }
            SectionHooks.exit();
            // What follows depends on what the section has seen, and there is no place left for it.
            assertRefused(() -> Words.atomically(() -> Words.write(region, 499, 1)));
          });
      for (int i = 0; i < FOR_DEPENDENCIES; i++) {
        baton.run("T" + i, SectionHooks::exit);
      }
      baton.run("last", region.sections()::sync);
      baton.run("last", () -> Words.atomically(() -> Words.write(region, 499, 1)));
    }
    assertThat(Words.read(region, 499)).isEqualTo(1);
    assertThat(Words.read(region, 0, 100)).containsOnly(0L);
  }

  /// The section after one that waits is rolled back alone.
  @Test
  void whatWaitsInTheSameLogStays() {
    fillDevice();
    try (Baton baton = new Baton()) {
      baton.run(
          "A",
          () -> {
            SectionHooks.acquired(OUTER);
            SectionHooks.acquired(X);
            Words.write(region, 500, 1);
            SectionHooks.releasing(X);
          });
      SectionHooks.acquired(X);
      Words.write(region, 501, Words.read(region, 500) + 1);
      SectionHooks.releasing(X); // and waits
      SectionHooks.acquired(X);
      Words.write(region, 501, 3);
      assertRefused(() -> store(WORDS, 1));
      assertThat(Words.read(region, 0, 3)).containsOnly(0L);
      assertThat(Words.read(region, 501)).isEqualTo(2);
      SectionHooks.releasing(X);
      try (Region crashed = Words.open(memory.copy())) {
        assertThat(Words.read(crashed, 0, WORDS)).containsOnly(0L);
      }
      baton.run("A", () -> SectionHooks.releasing(OUTER));
      region.sections().sync();
    }
    assertThat(Words.read(region, 500, 502)).containsExactly(1L, 2L);
    assertThat(Words.read(region, 0, 3)).containsOnly(0L);
  }

  /// Each region by itself.
  @Test
  void whatTheSectionDidInAnotherStoreStays() {
    RecordingMemory elsewhere = new RecordingMemory();
    fillDevice();
    try (Region other = Words.open(elsewhere)) {
      Words.create(other, WORDS);
      Words.atomically(
          () -> {
            Words.write(other, 0, 1);
            assertRefused(() -> store(WORDS, 1));
            Words.write(other, 1, 1);
          });
      assertThat(Words.read(other, 0, 2)).containsExactly(1L, 1L);
    }
    assertThat(lineOfWords()).containsOnly(0L);
  }

  @Test
  void outsideOfSections() {
    fillDevice();
    assertThatThrownBy(() -> region.heap().allocate(1_000_000))
        .isInstanceOf(RegionFullException.class)
        .hasNoCause();
    region.sections().write(Words.at(region, 3), 1);
    assertThat(Words.read(region, 3)).isEqualTo(1);
  }

  /// A rollback that fails ends the store, and the next opening does it.
  @Test
  void aRollbackThatFails() {
    memory.limitTo(memory.length());
    SectionHooks.enter();
    region
        .sections()
        .current()
        .enlist(
            () -> {
              throw new IllegalStateException("of the test");
            });
    Words.write(region, 0, 1);
    assertRefused(() -> region.heap().allocate(10_000_000));
    SectionHooks.exit();
    assertThatThrownBy(() -> Words.atomically(() -> Words.write(region, 0, 2)))
        .isInstanceOf(HoldfastException.class)
        .hasMessageContaining("of the test");
    region.close();
    region = Words.open(memory);
    assertThat(Words.read(region, 0)).isZero();
  }
}
