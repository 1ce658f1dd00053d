package io.holdfast.core.section;

import static io.holdfast.core.section.SectionSteps.assertAllAtEnd;
import static io.holdfast.core.section.SectionSteps.assertImplies;
import static io.holdfast.core.section.SectionSteps.end;
import static io.holdfast.core.section.SectionSteps.lock;
import static io.holdfast.core.section.SectionSteps.openRelease;
import static io.holdfast.core.section.SectionSteps.prepared;
import static io.holdfast.core.section.SectionSteps.section;
import static io.holdfast.core.section.SectionSteps.unlock;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.WeakHashMap;

/// Crashes in sections that hold changes back until they end: words of a region, each with a lock
/// of its own.
class HeldChangesCrashTest {
  private static final int WORDS = 8;
  private static final List<Object> LOCKS = SectionSteps.locks(WORDS + 3);
  private static final Object OUTER = LOCKS.get(WORDS),
      INNER = LOCKS.get(WORDS + 1),
      OTHER = LOCKS.get(WORDS + 2);

  private static final Map<Region, List<SectionLock>> WORD_LOCKS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private static SectionLock lockOf(Region region, int word) {
    return WORD_LOCKS
        .computeIfAbsent(
            region,
            each ->
                LOCKS.stream()
                    .limit(WORDS)
                    .map(key -> new SectionLock(each.sections(), key))
                    .toList())
        .get(word);
  }

  /// What a section would store, by word.
  private static final class HeldWords implements HeldChanges {
    private final Region region;
    private final TreeMap<Integer, Long> values = new TreeMap<>();
    private final List<SectionLock> held = new ArrayList<>();

    private HeldWords(Region region) {
      this.region = region;
    }

    @Override
    public void store() {
      values.keySet().forEach(this::hold);
      values.forEach((word, value) -> Words.write(region, word, value));
      values.clear();
    }

    private void hold(int word) {
      SectionLock lock = lockOf(region, word);
      lock.hold();
      held.add(lock);
    }

    @Override
    public void letGo() {
      held.forEach(SectionLock::letGo);
      held.clear();
    }

    @Override
    public void storeOpenly() {
      values.forEach(
          (word, value) -> {
            SectionLock lock = lockOf(region, word);
            lock.hold();
            Words.write(region, word, value);
            lock.letGoOpenly();
          });
      values.clear();
    }
  }

  /// Holds a store back in the section that the thread is in.
  private static void hold(Region region, long value, int... words) {
    ThreadSections thread = ThreadSections.current();
    assertThat(thread.holdsBack()).isTrue();
    HeldWords held = (HeldWords) thread.heldBack();
    if (held == null) {
      held = new HeldWords(region);
      region.sections().holdBack(held);
    }
    for (int word : words) {
      held.values.put(word, value);
    }
  }

  /// A single operation: copies a word to another one, under both their locks.
  private static void copy(Region region, int from, int to) {
    Section section = lockOf(region, from).lock();
    // INNER-1: the lock is held, so giving it up here is no release.
    Section inner = lockOf(region, to).lock();
    Words.write(region, to, Words.read(region, from));
    lockOf(region, to).endSection(inner);
    lockOf(region, to).unlock();
    lockOf(region, from).endSection(section);
    lockOf(region, from).unlock();
  }

  /// Nothing is stored before the end, and then all or nothing is there, with what was stored in
  /// place.
  @CrashTest
  void held1AllOrNothing(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "A",
            "A holds 0, 1 and 2 back, and stores 3",
            region -> {
              lock(OUTER);
              hold(region, 1, 0, 1, 2);
              Words.write(region, 3, 1);
              assertThat(Words.read(region, 0, 4)).containsExactly(0L, 0L, 0L, 1L);
            })
        .step("B", "B sees none of it, and depends on nobody", region -> copy(region, 0, 4))
        .step("A", "A ends", end(OUTER))
        .step("B", "B stores 5, after all is durable", section(OTHER, 5))
        .check(
            (region, point) -> {
              assertThat(Words.read(region, 0, 4))
                  .isIn(List.of(0L, 0L, 0L, 0L), List.of(1L, 1L, 1L, 1L));
              assertThat(Words.read(region, 4)).isZero();
              assertImplies(region, 5, 0);
              if (point.acknowledged() >= 3) {
                assertThat(Words.read(region, 0)).isEqualTo(1);
              }
              assertAllAtEnd(region, point, 4, 1L, 1L, 1L, 1L, 0L, 1L);
            });
  }

  /// A section that gives up an inner lock stores before that what it has held back: who acquires
  /// the lock finds it, and depends on it.
  @CrashTest
  void held1StoredBeforeAnInnerRelease(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "A",
            "A holds 0 and 1 back, releases openly",
            region -> {
              lock(OUTER);
              lock(INNER);
              hold(region, 1, 0, 1);
              unlock(INNER);
              assertThat(Words.read(region, 0, 2)).containsExactly(1L, 1L);
              hold(region, 1, 2);
            })
        .step("B", "B copies 0 to 4, ends", region -> copy(region, 0, 4))
        .step(
            "A",
            "A holds 3 back, ends",
            region -> {
              hold(region, 1, 3);
              unlock(OUTER);
            })
        .check(
            (region, point) -> {
              assertThat(Words.read(region, 0, 4))
                  .isIn(List.of(0L, 0L, 0L, 0L), List.of(1L, 1L, 1L, 1L));
              assertImplies(region, 4, 0);
              assertAllAtEnd(region, point, 3, 1L, 1L, 1L, 1L, 1L);
            });
  }

  /// A's section has ended and waits for X's when it lets go of the locks of what it has stored.
  @CrashTest
  void held1WhatWaitsIsDependedOn(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("X", "X stores 0, releases openly", openRelease(OUTER, INNER, 0))
        .step(
            "A",
            "A acquires it, holds 1 and 2 back, ends, and waits",
            region -> {
              lock(INNER);
              hold(region, 1, 1, 2);
              unlock(INNER);
              assertThat(Words.read(region, 1, 3)).containsExactly(1L, 1L);
            })
        .step("B", "B copies 1 to 4, ends", region -> copy(region, 1, 4))
        .step("X", "X stores 3, ends", end(OUTER, 3))
        .check(
            (region, point) -> {
              assertImplies(region, 0, 3); // X is atomic
              assertImplies(region, 3, 0);
              assertImplies(region, 1, 2); // A is atomic
              assertImplies(region, 2, 1);
              assertImplies(region, 1, 0);
              assertImplies(region, 4, 1);
              assertAllAtEnd(region, point, 4, 1L, 1L, 1L, 1L, 1L);
            });
  }

  /// Two sections that hold back different words have nothing to do with each other.
  @CrashTest
  void held1SectionsOnDifferentWordsDoNotWait(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "A",
            "A holds 0 back",
            region -> {
              lock(OUTER);
              hold(region, 1, 0);
            })
        .step(
            "B",
            "B holds 1 back, ends",
            region -> {
              lock(OTHER);
              hold(region, 1, 1);
              unlock(OTHER);
              assertThat(region.sections().waiting()).isNull();
            })
        .step("A", "A ends", end(OUTER))
        .check(
            (region, point) -> {
              if (point.acknowledged() >= 2) {
                assertThat(Words.read(region, 1)).isEqualTo(1);
              }
              assertAllAtEnd(region, point, 3, 1L, 1L);
            });
  }
}
