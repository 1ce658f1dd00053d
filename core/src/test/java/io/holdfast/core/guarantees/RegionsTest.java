package io.holdfast.core.guarantees;

import static io.holdfast.core.guarantees.Steps.OF_A;
import static io.holdfast.core.guarantees.Steps.OF_B;
import static io.holdfast.core.guarantees.Steps.OF_C;
import static io.holdfast.core.guarantees.Steps.T;
import static io.holdfast.core.guarantees.Steps.X;
import static io.holdfast.core.guarantees.Steps.Y;
import static io.holdfast.core.guarantees.Steps.Z;
import static io.holdfast.core.guarantees.Steps.add;
import static io.holdfast.core.guarantees.Steps.allocate;
import static io.holdfast.core.guarantees.Steps.assign;
import static io.holdfast.core.guarantees.Steps.copy;
import static io.holdfast.core.guarantees.Steps.enter;
import static io.holdfast.core.guarantees.Steps.exit;
import static io.holdfast.core.guarantees.Steps.fill;
import static io.holdfast.core.guarantees.Steps.load;
import static io.holdfast.core.guarantees.Steps.lock;
import static io.holdfast.core.guarantees.Steps.store;
import static io.holdfast.core.guarantees.Steps.unlock;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.Regions;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.HeldChanges;
import io.holdfast.core.section.ThreadSections;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import io.holdfast.testkit.RecordingMemory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// R1 to R5: sections that end at releases. Checked is what {@link Reference} knows of them, whose
/// sections are cut at the same places.
class RegionsTest {
  private static Guarantees of(CrashExplorer<Scene> explorer) {
    return Guarantees.of(explorer).in(Regions.SYNCHRONIZATION_FREE);
  }

  /// An inner lock ends a region, and none of them is there in part.
  @CrashTest(opener = FreeSceneOpener.class)
  void r1Atomic(CrashExplorer<Scene> explorer) {
    of(explorer)
        .thread(
            "A",
            lock(X),
            store(0, 11),
            store(1, 12),
            lock(Y),
            store(0, 13),
            store(2, 14),
            unlock(Y),
            store(3, 15),
            store(4, 16),
            unlock(X))
        .thread("B", enter(), store(5, 21), exit())
        .holdThough();
  }

  /// The paper's Figure 1(b2), the append to a list that single durable stores tear: the last
  /// element's link, and the link to the last element.
  @CrashTest(opener = FreeSceneOpener.class)
  void r1AppendedToAList(CrashExplorer<Scene> explorer) {
    of(explorer)
        .thread(
            "A",
            lock(OF_A),
            lock(X),
            allocate("a"),
            fill("a", 10),
            store(6, "a"),
            store(7, "a"),
            unlock(X),
            store(0, 11),
            unlock(OF_A))
        .thread("B", lock(X), add(1, 1), unlock(X))
        .alsoCheck(scene -> assertThat(scene.visible().get(6)).isEqualTo(scene.visible().get(7)))
        .holdThough();
  }

  /// The paper's Figure 1(c), of which 1(a) makes one section: an element is made, and linked under
  /// an inner lock.
  @CrashTest(opener = FreeSceneOpener.class)
  void r1AnElementIsLinkedWhole(CrashExplorer<Scene> explorer) {
    of(explorer)
        .thread(
            "A",
            lock(OF_A),
            allocate("a"),
            fill("a", 10),
            lock(X),
            store(6, "a"),
            store(0, 11),
            unlock(X),
            store(1, 12),
            unlock(OF_A))
        .thread("B", lock(X), copy(6, 7), copy(0, 2), unlock(X))
        .holdThough();
  }

  /// A lock that is held for long, as around an event loop.
  @CrashTest(opener = FreeSceneOpener.class)
  void r2StoppedAtAReleaseOfItsOwn(CrashExplorer<Scene> explorer) {
    of(explorer)
        .thread(
            "A",
            lock(OF_A),
            lock(X),
            add(0, 1),
            add(1, 1),
            unlock(X),
            lock(X),
            add(0, 1),
            add(1, 1),
            unlock(X),
            unlock(OF_A))
        .thread("B", lock(X), add(0, 2), add(1, 2), unlock(X))
        .alsoCheck(
            scene -> assertThat(scene.visible().getFirst()).isEqualTo(scene.visible().get(1)))
        .holdThough();
  }

  /// The paper's Figure 2(b): one region releases what another acquires. The second is durable when
  /// it returns, though the first thread is still in its outer lock.
  @CrashTest(opener = FreeSceneOpener.class)
  void r3Ordered(CrashExplorer<Scene> explorer) {
    of(explorer)
        .thread("A", lock(OF_A), lock(X), store(0, 11), unlock(X), store(1, 12), unlock(OF_A))
        .thread("B", lock(X), copy(0, 2), store(0, 21), unlock(X))
        .thread("C", lock(X), store(0, 31), unlock(X))
        .holdThough();
  }

  /// The paper's Figure 3(a): regions of two threads by turns, each after the one before.
  @CrashTest(opener = FreeSceneOpener.class)
  void r3OrderedByTurns(CrashExplorer<Scene> explorer) {
    of(explorer)
        .thread(
            "A",
            lock(OF_A),
            lock(X),
            add(0, 1),
            unlock(X),
            lock(Y),
            copy(1, 2),
            unlock(Y),
            unlock(OF_A))
        .thread(
            "B",
            lock(OF_B),
            lock(X),
            copy(0, 3),
            unlock(X),
            lock(Y),
            copy(3, 1),
            unlock(Y),
            unlock(OF_B))
        .holdThough();
  }

  @CrashTest(opener = FreeSceneOpener.class)
  void r3OrderedHandOverHand(CrashExplorer<Scene> explorer) {
    of(explorer)
        .thread(
            "A", lock(X), add(0, 1), lock(Y), unlock(X), add(1, 1), lock(Z), unlock(Y), add(2, 1),
            unlock(Z))
        .thread("B", lock(X), add(0, 2), lock(Y), unlock(X), add(1, 2), unlock(Y))
        .holdThough();
  }

  /// Three that would need each other, were they sections.
  @CrashTest(opener = FreeSceneOpener.class)
  void r3NoCycle(CrashExplorer<Scene> explorer) {
    of(explorer)
        .thread(
            "A",
            lock(OF_A),
            lock(X),
            store(0, 11),
            unlock(X),
            lock(Z),
            copy(2, 3),
            unlock(Z),
            unlock(OF_A))
        .thread(
            "B",
            lock(OF_B),
            lock(Y),
            store(1, 21),
            unlock(Y),
            lock(X),
            copy(0, 4),
            unlock(X),
            unlock(OF_B))
        .thread(
            "C",
            lock(OF_C),
            lock(Z),
            store(2, 31),
            unlock(Z),
            lock(Y),
            copy(1, 5),
            unlock(Y),
            unlock(OF_C))
        .holdThoughInACycleOf(0);
  }

  @CrashTest(opener = FreeSceneOpener.class)
  void r3OrderedThroughTransientData(CrashExplorer<Scene> explorer) {
    of(explorer)
        .thread(
            "A",
            lock(OF_A),
            store(0, 11),
            lock(T),
            load("t", 0),
            unlock(T),
            store(1, 12),
            unlock(OF_A))
        .thread("B", lock(T), assign("mine", "t"), unlock(T), lock(Y), store(2, "mine"), unlock(Y))
        .holdThough();
  }

  /// In a block an inner release ends nothing, and who saw it waits.
  @CrashTest(opener = FreeSceneOpener.class)
  void r4ABlockIsAtomic(CrashExplorer<Scene> explorer) {
    of(explorer)
        .thread(
            "A",
            lock(OF_A),
            store(0, 11),
            enter(),
            lock(X),
            store(1, 12),
            unlock(X),
            store(2, 13),
            exit(),
            unlock(OF_A))
        .thread("B", lock(X), copy(1, 3), unlock(X))
        .holdThough("B1");
  }

  @CrashTest(opener = FreeSceneOpener.class)
  void r1InRandomPrograms(CrashExplorer<Scene> explorer) {
    Guarantees.holdForRandomProgramsOfRegions(explorer);
  }

  @CrashTest(opener = FreeSceneOpener.class)
  void r1InRandomProgramsOfVirtualThreads(CrashExplorer<Scene> explorer) {
    Guarantees.holdForRandomProgramsOfRegions(explorer.inVirtualThreads());
  }

  private static final Object OUTER = OF_A, INNER = X;

  /// What ends a region, in the middle of a lock; `null` as the last one: nothing does.
  private static final Map<String, Runnable> RELEASES = new LinkedHashMap<>();

  static {
    RELEASES.put(
        "a lock",
        () -> {
          SectionHooks.acquired(INNER);
          SectionHooks.releasing(INNER);
        });
    RELEASES.put("a volatile write", () -> SectionHooks.publishing(INNER));
    RELEASES.put(
        "a wait",
        () -> {
          SectionHooks.acquired(INNER);
          SectionHooks.awaiting(INNER, 1);
          SectionHooks.awaited(INNER, 1);
          SectionHooks.releasing(INNER);
        });
  }

  static Stream<String> releases() {
    return RELEASES.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("releases")
  void r5IsDurableBeforeItIsReleased(String release) {
    RecordingMemory memory = new RecordingMemory();
    try (Region region = Words.open(memory)) {
      region.sections().delimitBy(Regions.SYNCHRONIZATION_FREE);
      Words.create(region, 10);
      SectionHooks.acquired(OUTER);
      try {
        Words.write(region, 0, 1);
        RELEASES.get(release).run();
        Words.write(region, 1, 1);
        assertThat(afterACrash(memory)).containsExactly(1L, 0L);
      } finally {
        SectionHooks.releasing(OUTER);
      }
      assertThat(afterACrash(memory)).containsExactly(1L, 1L);
    }
  }

  /// What ends nothing: an acquire, a block's end, an inner hold.
  @Test
  void anAcquireEndsNothing() {
    RecordingMemory memory = new RecordingMemory();
    try (Region region = Words.open(memory)) {
      region.sections().delimitBy(Regions.SYNCHRONIZATION_FREE);
      Words.create(region, 10);
      SectionHooks.acquired(OUTER);
      try {
        Words.write(region, 0, 1);
        SectionHooks.observed(INNER);
        SectionHooks.acquired(INNER);
        SectionHooks.enterBlock();
        SectionHooks.exitBlock();
        assertThat(afterACrash(memory)).containsExactly(0L, 0L);
        SectionHooks.releasing(INNER);
        assertThat(afterACrash(memory)).containsExactly(1L, 0L);
      } finally {
        SectionHooks.releasing(OUTER);
      }
    }
  }

  /// What is undone is undone since the last release.
  @Test
  void aRegionIsRolledBack() {
    RecordingMemory memory = new RecordingMemory();
    try (Region region = Words.open(memory)) {
      region.sections().delimitBy(Regions.SYNCHRONIZATION_FREE);
      Words.create(region, 10);
      SectionHooks.acquired(OUTER);
      try {
        Words.write(region, 0, 1);
        RELEASES.get("a lock").run();
        Words.write(region, 0, 2);
        Words.write(region, 1, 2);
        assertThat(region.sections().current().undo()).isTrue();
      } finally {
        SectionHooks.releasing(OUTER);
      }
      assertThat(Words.read(region, 0, 2)).containsExactly(1L, 0L);
      assertThat(afterACrash(memory)).containsExactly(1L, 0L);
    }
  }

  /// An edge tells nobody: the section must not go on, and keep the part at its end.
  @Test
  void r1WhatIsHeldBackIsStoredInPart() {
    RecordingMemory memory = new RecordingMemory();
    try (Region region = Words.open(memory)) {
      region.sections().delimitBy(Regions.SYNCHRONIZATION_FREE);
      Words.create(region, 10);
      SectionHooks.acquired(OUTER);
      try {
        Words.write(region, 0, 1);
        ThreadSections.current().holdBack(new CutOff(region));
        assertThatThrownBy(() -> SectionHooks.publishing(INNER))
            .isInstanceOf(StackOverflowError.class);
      } finally {
        SectionHooks.releasing(OUTER);
      }
      assertThat(afterACrash(memory)).containsExactly(0L, 0L);
    }
  }

  /// Changes of which the second finds no frame.
  private record CutOff(Region region) implements HeldChanges {
    @Override
    public void store() {
      Words.write(region, 1, 1);
      throw new StackOverflowError();
    }

    @Override
    public void letGo() {
      // It has no lock.
    }

    @Override
    public void storeOpenly() {
      store();
    }
  }

  /// Each region of a process as it was opened, in one and the same thread.
  @Test
  void anotherRegionsSectionsGoOn() {
    RecordingMemory free = new RecordingMemory();
    RecordingMemory outermost = new RecordingMemory();
    try (Region one = Words.open(free);
        Region other = Words.open(outermost)) {
      one.sections().delimitBy(Regions.SYNCHRONIZATION_FREE);
      Words.create(one, 10);
      Words.create(other, 10);
      SectionHooks.acquired(OUTER);
      try {
        Words.write(one, 0, 1);
        Words.write(other, 0, 1);
        RELEASES.get("a lock").run();
        assertThat(afterACrash(free)).containsExactly(1L, 0L);
        assertThat(afterACrash(outermost)).containsExactly(0L, 0L);
      } finally {
        SectionHooks.releasing(OUTER);
      }
      assertThat(afterACrash(outermost)).containsExactly(1L, 0L);
    }
  }

  private static Iterable<Long> afterACrash(RecordingMemory memory) {
    try (Region recovered = Words.open(memory.copy())) {
      return Words.read(recovered, 0, 2);
    }
  }
}
