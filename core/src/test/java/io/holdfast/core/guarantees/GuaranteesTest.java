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
import static io.holdfast.core.guarantees.Steps.copyIf;
import static io.holdfast.core.guarantees.Steps.enter;
import static io.holdfast.core.guarantees.Steps.exit;
import static io.holdfast.core.guarantees.Steps.fill;
import static io.holdfast.core.guarantees.Steps.load;
import static io.holdfast.core.guarantees.Steps.lock;
import static io.holdfast.core.guarantees.Steps.observe;
import static io.holdfast.core.guarantees.Steps.store;
import static io.holdfast.core.guarantees.Steps.unlock;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Stripes;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import io.holdfast.testkit.RecordingMemory;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The guarantees, each by programs that break when it does not hold; checked is always all that
/// {@link Reference} knows.
class GuaranteesTest {
  @CrashTest(opener = SceneOpener.class)
  void p1Atomic(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread("A", lock(X), store(0, 11), store(1, 12), store(0, 13), unlock(X))
        .thread("B", enter(), store(2, 21), store(3, 22), exit())
        .holdThough();
  }

  @CrashTest(opener = SceneOpener.class)
  void p1AtomicWhileItWaits(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread("A", lock(OF_A), lock(X), store(0, 11), unlock(X), store(1, 12), unlock(OF_A))
        .thread("B", lock(X), store(2, 21), store(3, 22), unlock(X))
        .holdThough("B1");
  }

  /// All three store the same word, and what is undone is undone in reverse.
  @CrashTest(opener = SceneOpener.class)
  void p2Ordered(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread("A", lock(OF_A), lock(X), store(0, 11), unlock(X), store(1, 12), unlock(OF_A))
        .thread("B", lock(X), copy(0, 2), store(0, 21), unlock(X))
        .thread("C", lock(X), store(0, 31), unlock(X))
        .holdThough("B1", "C1");
  }

  @CrashTest(opener = SceneOpener.class)
  void p2OrderedInACycleOfTwo(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread(
            "A",
            lock(OF_A),
            lock(X),
            store(0, 11),
            unlock(X),
            lock(X),
            copy(1, 2),
            unlock(X),
            store(4, 12),
            unlock(OF_A))
        .thread(
            "B",
            lock(OF_B),
            lock(X),
            store(1, 21),
            copy(0, 3),
            unlock(X),
            store(5, 22),
            unlock(OF_B))
        .holdThoughInACycleOf(2, "A1", "B1");
  }

  /// Each takes with its second lock what another released as its first.
  @CrashTest(opener = SceneOpener.class)
  void p2OrderedInACycleOfThree(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread(
            "A",
            lock(OF_A),
            lock(X),
            store(0, 11),
            unlock(X),
            lock(Z),
            copy(2, 3),
            unlock(Z),
            add(3, 100),
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
            add(4, 100),
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
            add(5, 100),
            unlock(OF_C))
        .holdThoughInACycleOf(3, "A1", "B1", "C1");
  }

  @CrashTest(opener = SceneOpener.class)
  void p2OrderedHandOverHand(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread(
            "A", lock(X), add(0, 1), lock(Y), unlock(X), add(1, 1), lock(Z), unlock(Y), add(2, 1),
            unlock(Z))
        .thread("B", lock(X), add(0, 2), lock(Y), unlock(X), add(1, 2), unlock(Y))
        .holdThough("B1");
  }

  @CrashTest(opener = SceneOpener.class)
  void p2OrderedByOverlappingLocks(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread(
            "A", lock(X), store(0, 11), lock(Y), store(1, 12), unlock(X), store(2, 13), unlock(Y))
        .thread("B", lock(Y), copy(1, 3), lock(X), copy(0, 4), unlock(Y), unlock(X))
        .thread("C", lock(X), store(0, 31), unlock(X))
        .holdThough("C1");
  }

  /// Atlas 3.3: A1 before A2 and B1 before B2 in their threads, and A2 before B1 by transient data
  /// alone. C keeps A1 from being durable.
  @CrashTest(opener = SceneOpener.class)
  void p2OrderedThroughTransientData(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread("C", lock(OF_C), lock(X), store(0, 31), unlock(X), unlock(OF_C))
        .thread("A", lock(X), copy(0, 1), unlock(X), lock(T), load("t", 1), unlock(T))
        .thread("B", lock(T), assign("mine", "t"), unlock(T), lock(Y), store(2, "mine"), unlock(Y))
        .holdThough("A1", "A2", "B1", "B2");
  }

  /// The same with the transient data in the middle of a section.
  @CrashTest(opener = SceneOpener.class)
  void p2OrderedThroughTransientDataOfAnOpenSection(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
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
        .holdThough("B1", "B2");
  }

  @CrashTest(opener = SceneOpener.class)
  void p2OrderedThroughSectionsThatOnlyRead(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread("A", lock(OF_A), lock(X), store(0, 11), unlock(X), store(1, 12), unlock(OF_A))
        .thread("B", lock(X), load("mine", 0), unlock(X), lock(Y), assign("b", "mine"), unlock(Y))
        .thread("C", lock(Y), store(2, "b"), unlock(Y))
        .holdThough("B1", "B2", "C1");
  }

  @CrashTest(opener = SceneOpener.class)
  void p2OrderedThroughAcquiresOutsideOfSections(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread("A", lock(OF_A), store(0, 11), lock(X), unlock(X), store(1, 12), unlock(OF_A))
        .thread("B", observe(X), lock(Y), store(2, 21), unlock(Y))
        .thread("C", lock(Y), store(3, 31), unlock(Y))
        .holdThough("B1", "C1");
  }

  /// Programs that nobody has thought of.
  @CrashTest(opener = SceneOpener.class)
  void p2OrderedInRandomPrograms(CrashExplorer<Scene> explorer) {
    Guarantees.holdForRandomPrograms(explorer);
  }

  /// The same in logs that are used again.
  @CrashTest(opener = SceneOpener.class)
  void p2OrderedInRandomProgramsOfVirtualThreads(CrashExplorer<Scene> explorer) {
    Guarantees.holdForRandomPrograms(explorer.inVirtualThreads());
  }

  /// Atlas, Figure 1.
  @CrashTest(opener = SceneOpener.class)
  void p3Published(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread(
            "A", enter(), allocate("t"), fill("t", 10), exit(), lock(X), store(6, "t"), unlock(X))
        .thread("B", lock(X), copy(6, 7), unlock(X))
        .holdThough();
  }

  /// The same by a section that is still open, to others that publish it again.
  @CrashTest(opener = SceneOpener.class)
  void p3PublishedByAnOpenSection(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread(
            "A",
            lock(OF_A),
            allocate("a"),
            fill("a", 10),
            lock(T),
            assign("t", "a"),
            unlock(T),
            store(0, 11),
            unlock(OF_A))
        .thread("B", lock(T), assign("b", "t"), unlock(T), lock(X), store(6, "b"), unlock(X))
        .thread("C", lock(X), copy(6, 7), unlock(X))
        .holdThough("B1", "B2", "C1");
  }

  /// Atlas, Figure 3: `tmp = pointer_to_new_nvram_data_structure(); l1.lock(); ptr_to_persistent->x
  /// = tmp; l1.unlock();`, with a value beside the pointer.
  @CrashTest(opener = SceneOpener.class)
  void p3PublishedWithAtomicPointerUpdate(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread(
            "A",
            enter(),
            allocate("tmp"),
            fill("tmp", 10),
            exit(),
            lock(X),
            store(6, "tmp"),
            store(0, 11),
            unlock(X))
        .thread("B", lock(OF_B), lock(X), copy(0, 1), unlock(X), copy(1, 2), unlock(OF_B))
        .thread("C", lock(X), copy(6, 7), store(0, 31), unlock(X))
        .holdThough("A2", "C1");
  }

  /// Atlas, Figure 4, its stores between the locks in sections of their own. Word 0 is `!valid`,
  /// word 1 the data, junk at first; B reads as restart code does. C keeps sections waiting.
  @CrashTest(opener = SceneOpener.class)
  void p3PublishedWhenItIsValid(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread("C", lock(OF_C), lock(X), store(3, 31), unlock(X), unlock(OF_C))
        .thread(
            "A",
            lock(X),
            store(0, 1),
            unlock(X),
            enter(),
            store(1, 666),
            exit(),
            enter(),
            store(1, 12),
            exit(),
            lock(X),
            store(0, 0),
            unlock(X))
        .thread("B", lock(X), copyIf(0, 0, 1, 2), unlock(X))
        .holdThough("A1", "A2", "A3", "A4", "B1");
  }

  /// One is taken from word to word, under the locks of both.
  @CrashTest(opener = SceneOpener.class)
  void p4StoppedBetween(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread("A", lock(X), add(0, -1), lock(Y), unlock(X), add(1, 1), unlock(Y))
        .thread("B", lock(Y), add(1, -1), lock(Z), unlock(Y), add(2, 1), unlock(Z))
        .thread("C", lock(X), add(0, -1), lock(Z), unlock(X), add(2, 1), unlock(Z))
        .alsoCheck(scene -> assertThat(sum(scene)).isZero())
        .holdThough("A1", "C1");
  }

  private static long sum(Scene scene) {
    return scene.visible().stream().mapToLong(Long::longValue).sum();
  }

  /// What a thread does after a section that waits falls with it, though nobody else is needed for
  /// it.
  @CrashTest(opener = SceneOpener.class)
  void p5NoEarlyTail(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread("A", lock(OF_A), lock(X), store(0, 11), unlock(X), unlock(OF_A))
        .thread(
            "B",
            lock(X),
            store(1, 21),
            unlock(X),
            lock(OF_B),
            store(2, 22),
            unlock(OF_B),
            enter(),
            store(3, 23),
            exit())
        .thread("C", lock(OF_B), store(4, 31), unlock(OF_B))
        .holdThough("B1", "B2", "B3", "C1");
  }

  /// C depends on nobody: it is durable when it returns, whoever waits.
  @CrashTest(opener = SceneOpener.class)
  void p6Acknowledged(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer)
        .thread("A", lock(OF_A), lock(X), store(0, 11), unlock(X), unlock(OF_A))
        .thread("B", lock(X), store(1, 21), unlock(X))
        .thread("C", lock(OF_C), store(2, 31), unlock(OF_C), enter(), store(3, 32), exit())
        .holdThough("B1");
  }

  /// Virtual threads give their logs back, so sections of different threads follow each other in
  /// one.
  @CrashTest(opener = SceneOpener.class)
  void p6AcknowledgedInLogsThatAreUsedAgain(CrashExplorer<Scene> explorer) {
    Guarantees.of(explorer.inVirtualThreads())
        .thread("A", lock(OF_A), lock(X), store(0, 11), unlock(X), unlock(OF_A))
        .thread("B", lock(X), store(1, 21), unlock(X), lock(OF_B), store(2, 22), unlock(OF_B))
        .thread("C", lock(X), copy(0, 3), unlock(X), enter(), store(4, 32), exit())
        .holdThough("B1", "B2", "C1", "C2");
  }

  @CrashTest(opener = SceneOpener.class)
  void p7Opens(CrashExplorer<Scene> explorer) {
    Guarantees.withCrashesOfRecovery(explorer)
        .thread("A", lock(OF_A), lock(X), store(0, 11), unlock(X), store(1, 12), unlock(OF_A))
        .thread("B", lock(X), store(0, 21), unlock(X), enter(), store(2, 22), exit())
        .thread("C", lock(X), store(0, 31), unlock(X))
        .holdThough("B1", "B2", "C1");
  }

  /// Blocks as well.
  @CrashTest(opener = SceneOpener.class)
  void p7OpensWithBlocks(CrashExplorer<Scene> explorer) {
    Guarantees.withCrashesOfRecovery(explorer)
        .thread(
            "A",
            lock(OF_A),
            lock(X),
            allocate("a"),
            fill("a", 10),
            store(6, "a"),
            unlock(X),
            unlock(OF_A))
        .thread("B", lock(X), allocate("b"), fill("b", 20), copy(6, 7), store(6, "b"), unlock(X))
        .holdThough("B1");
  }

  /// A hook can't throw. If it can't note that a section needs others, since the device has no room
  /// for a longer log and the places that are kept for this are used up, the section is never
  /// durable, and whoever asks for more is told. Refusals elsewhere: RegionRefusalTest,
  /// SectionsTest.misuseIsRefused, HeapTest, and in collections PersistentQueueFullDeviceTest and
  /// QueueLayoutTest.
  @Test
  void p8NothingSilent() {
    RecordingMemory memory = new RecordingMemory();
    try (Region region = Words.open(memory);
        Baton baton = new Baton()) {
      Words.create(region, 90);
      leaveNoSpan(region, memory);
      // More than a full log keeps places for, and none that implies another.
      List<Object> locks = Stripes.distinct(10, Object::new, List::of);
      List<Object> inner = locks.subList(0, 9);
      Object outer = locks.getLast();
      for (int i = 0; i < 9; i++) {
        int own = i;
        baton.run(
            "A" + i,
            () -> {
              SectionHooks.enter();
              SectionHooks.acquired(inner.get(own));
              Words.write(region, 80 + own, 1);
              SectionHooks.releasing(inner.get(own));
            });
      }
      baton.run(
          "B",
          () -> {
            SectionHooks.acquired(outer);
            assertThatThrownBy(() -> fillTheLog(region)).isInstanceOf(RegionFullException.class);
            inner.forEach(SectionHooks::acquired);
            inner.forEach(SectionHooks::releasing);
            SectionHooks.releasing(outer);
            assertThatThrownBy(() -> region.sections().sync()).satisfies(this::saysWhatToDo);
          });
      for (int i = 0; i < 9; i++) {
        baton.run("A" + i, SectionHooks::exit);
      }
      assertThatThrownBy(() -> Words.atomically(() -> Words.write(region, 0, 2)))
          .satisfies(this::saysWhatToDo);
      try (Region recovered = Words.open(memory.copy())) {
        // Those of A ended after the failure (CLOSE-2).
        assertThat(Words.read(recovered, 0, 90)).containsOnly(0L);
      }
    }
  }

  private void saysWhatToDo(Throwable refusal) {
    assertThat(refusal)
        .isInstanceOf(HoldfastException.class)
        .hasMessageStartingWith("recorded: the store failed and takes no more changes: ")
        .hasMessageContaining("full")
        .hasMessageEndingWith(". Close it and open it again; opening recovers what was durable")
        .hasCauseInstanceOf(RegionFullException.class);
  }

  private static void leaveNoSpan(Region region, RecordingMemory memory) {
    memory.limitTo(memory.length());
    assertThatThrownBy(
            () -> {
              while (true) { // each in a section of its own, or all would be given back
                Words.atomically(() -> region.heap().allocate(RegionLayout.SPAN_BYTES));
              }
            })
        .isInstanceOf(RegionFullException.class);
  }

  private static void fillTheLog(Region region) {
    for (int word = 1; word < 80; word++) {
      Words.write(region, word, 1);
    }
  }
}
