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
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.util.List;

/// Crashes in sections of several threads that depend on each other through uncommitted releases.
class DependencyCrashTest {
  private static final List<Object> LOCKS = SectionSteps.locks(6);
  private static final Object OUTER = LOCKS.get(0), INNER = LOCKS.get(1), OTHER = LOCKS.get(2);

  /// A makes an uncommitted release after its first store; B sees it, ends, and waits for A.
  @CrashTest
  void p2Ordered(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("A", "A stores 0, releases openly", openRelease(OUTER, INNER, 0))
        .step("B", "B stores 1 and 2, ends", section(INNER, 1, 2))
        .step("B", "B's next section stores 3", section(OTHER, 3))
        .step("A", "A stores 4, ends", end(OUTER, 4))
        .step("B", "B stores 5, after all is durable", section(OTHER, 5))
        .check(
            (region, point) -> {
              assertImplies(region, 0, 4); // A is atomic
              assertImplies(region, 4, 0);
              assertImplies(region, 1, 2); // B is atomic
              assertImplies(region, 2, 1);
              assertImplies(region, 1, 4); // P2
              assertImplies(region, 3, 1);
              assertImplies(region, 5, 3);
              if (point.acknowledged() >= 4) {
                assertThat(Words.read(region, 0, 5)).doesNotContain(0L);
              }
              assertAllAtEnd(region, point, 5, 1L, 1L, 1L, 1L, 1L, 1L, 0L, 0L);
            });
  }

  /// The section that waits is whole when its log says that it has ended.
  @CrashTest
  void p1Atomic(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("A", "A releases openly", openRelease(OUTER, INNER, 0))
        .step(
            "B+A",
            "B stores and ends, in one go with its next section",
            region -> {
              lock(INNER);
              Words.write(region, 1, 1);
              Words.write(region, 2, 1);
              unlock(INNER);
              lock(OTHER);
              Words.write(region, 3, 1);
              Words.write(region, 4, 1);
              unlock(OTHER);
            })
        .step("A", "A ends", end(OUTER))
        .check(
            (region, point) -> {
              assertImplies(region, 1, 2);
              assertImplies(region, 2, 1);
              assertImplies(region, 3, 4);
              assertImplies(region, 4, 3);
              assertImplies(region, 3, 1);
              assertImplies(region, 1, 0);
              assertAllAtEnd(region, point, 3, 1L, 1L, 1L, 1L, 1L);
            });
  }

  /// A acquires what B released, and B what A released: durable together or not at all.
  @CrashTest
  void p2OrderedInACycle(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("A", "A stores 0, releases openly", openRelease(OUTER, INNER, 0))
        .step("B", "B acquires it, stores 1, releases openly", openRelease(LOCKS.get(3), INNER, 1))
        .step(
            "A",
            "A acquires it back, stores 2, ends",
            region -> {
              lock(INNER);
              Words.write(region, 2, 1);
              unlock(INNER);
              unlock(OUTER);
            })
        .step("B", "B stores 3, ends", end(LOCKS.get(3), 3))
        .check(
            (region, point) -> {
              List<Long> words = Words.read(region, 0, 4);
              assertThat(words).isIn(List.of(0L, 0L, 0L, 0L), List.of(1L, 1L, 1L, 1L));
              assertAllAtEnd(region, point, 4, 1L, 1L, 1L, 1L);
            });
  }

  /// C depends on B alone, and by that on A.
  @CrashTest
  void releases2AChainOfOpenSections(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("A", "A stores 0, releases openly", openRelease(OUTER, INNER, 0))
        .step("B", "B acquires it, stores 1, releases openly", openRelease(LOCKS.get(3), INNER, 1))
        .step("C", "C acquires it, stores 2, ends", section(INNER, 2))
        .step("B", "B stores 3, ends", end(LOCKS.get(3), 3))
        .step("A", "A stores 4, ends", end(OUTER, 4))
        .check(
            (region, point) -> {
              assertImplies(region, 2, 1);
              assertImplies(region, 1, 3); // B is atomic
              assertImplies(region, 1, 0);
              assertImplies(region, 0, 4); // A is atomic
              assertAllAtEnd(region, point, 5, 1L, 1L, 1L, 1L, 1L);
            });
  }

  /// A and B hold the lock together, as readers do: neither has seen the other's release. So B's is
  /// not there in place of A's.
  @CrashTest
  void releases1TheReleasesOfTwoReadersStay(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "B",
            "B begins, and reads",
            region -> {
              lock(LOCKS.get(3));
              lock(INNER);
            })
        .step("A", "A reads, stores 0, releases openly", openRelease(OUTER, INNER, 0))
        .step(
            "B",
            "B stores 1, releases openly",
            region -> {
              Words.write(region, 1, 1);
              unlock(INNER);
            })
        .step("C", "C acquires, stores 2, ends", section(INNER, 2))
        .step("B", "B ends", end(LOCKS.get(3)))
        .step("A", "A stores 3, ends", end(OUTER, 3))
        .check(
            (region, point) -> {
              assertImplies(region, 2, 0); // P2
              assertImplies(region, 2, 1);
              assertImplies(region, 0, 3); // A is atomic
              assertAllAtEnd(region, point, 6, 1L, 1L, 1L, 1L);
            });
  }

  /// A has released before C began, and its clock was raised before it released again. Of the two
  /// stores to a word, A's is the older one.
  @CrashTest
  void releases3StampsOfAReleaseThatIsLeftOut(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("A", "A stores 0, releases openly", openRelease(OUTER, INNER, 0))
        .step("B", "B acquires it, releases openly", openRelease(LOCKS.get(3), INNER, 1))
        .step(
            "A",
            "A acquires it back, and raises its clock",
            region -> {
              lock(INNER);
              Words.write(region, 2, 1);
              unlock(INNER);
            })
        .step(
            "C",
            "C acquires it, stores the same word, ends",
            region -> {
              lock(INNER);
              Words.write(region, 2, 2);
              unlock(INNER);
            })
        .step("B", "B ends", end(LOCKS.get(3)))
        .step("A", "A ends", end(OUTER))
        .check(
            (region, point) -> {
              assertImplies(region, 2, 0); // C's store is undone before A's
              assertThat(Words.read(region, 2) == 2 && Words.read(region, 1) == 0).isFalse(); // P2
              assertAllAtEnd(region, point, 6, 1L, 1L, 2L);
            });
  }

  /// B stores nothing persistent, but hands on what it acquired openly.
  @CrashTest
  void p2OrderedThroughASectionThatStoresNothing(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .thoroughInBothForms() // crashes of recovery show the order of its last stores
        .step("A", "A stores 0, releases openly", openRelease(OUTER, INNER, 0))
        .step(
            "B",
            "B acquires and stores nothing",
            region -> {
              lock(INNER);
              unlock(INNER);
              lock(OTHER);
              unlock(OTHER);
            })
        .step(
            "C",
            "C acquires from B, stores 0 and 1, ends",
            region -> {
              lock(OTHER);
              Words.write(region, 0, 2);
              Words.write(region, 1, 2);
              unlock(OTHER);
            })
        .step("A", "A stores 2, ends", end(OUTER, 2))
        .check(
            (region, point) -> {
              assertThat(Words.read(region, 0, 3))
                  .isIn(List.of(0L, 0L, 0L), List.of(1L, 0L, 1L), List.of(2L, 2L, 1L));
              assertAllAtEnd(region, point, 4, 2L, 2L, 1L);
            });
  }

  /// Atlas, section 3.3: f1 and f2 of one thread, f3 and f4 of another. f2 and f3 share a lock, and
  /// with it transient data alone; f4 must not be durable without f1, which waits for X.
  @CrashTest
  void p2OrderedThroughTransientData(CrashExplorer<Region> explorer) {
    Object transientData = LOCKS.get(3);
    prepared(explorer)
        .step("X", "X stores 0, releases openly", openRelease(OUTER, INNER, 0))
        .step("A", "f1 stores 1", section(INNER, 1))
        .step("A", "f2 stores nothing", section(transientData))
        .step("B", "f3 stores nothing", section(transientData))
        .step("B", "f4 stores 2", section(OTHER, 2))
        .step("X", "X stores 3, ends", end(OUTER, 3))
        .check(
            (region, point) -> {
              assertImplies(region, 0, 3);
              assertImplies(region, 3, 0);
              assertImplies(region, 1, 3);
              assertImplies(region, 2, 1);
              assertAllAtEnd(region, point, 6, 1L, 1L, 1L, 1L);
            });
  }

  /// Conflicting stores are undone in the reverse of their order, across logs.
  @CrashTest
  void conflictingStoresAreUndoneByStamp(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("A", "A stores 0", openRelease(OUTER, INNER, 0))
        .step(
            "B",
            "B stores 0",
            region -> {
              lock(INNER);
              Words.write(region, 0, 2);
              unlock(INNER);
            })
        .step(
            "C",
            "C stores 0",
            region -> {
              lock(INNER);
              Words.write(region, 0, 3);
              unlock(INNER);
            })
        .step("A", "A stores 1 and ends", end(OUTER, 1))
        .crashesOfRecovery(2)
        .check(
            (region, point) -> {
              if (Words.read(region, 1) == 0) {
                assertThat(Words.read(region, 0)).isZero();
              }
              assertAllAtEnd(region, point, 4, 3L, 1L);
            });
  }

  /// What is seen of a root depends on the section that created it.
  @CrashTest
  void p2OrderedThroughANewRoot(CrashExplorer<Region> explorer) {
    explorer
        .given(region -> Words.create(region, 8))
        .withoutModel()
        .bounds(new Bounds(6, 8, 8, 100))
        .state(region -> Words.read(region, 0, 1) + " " + region.roots().all().size())
        .step(
            "A",
            "A creates a root inside of an outer section",
            region -> {
              lock(OUTER);
              region.roots().create("A's", "test", "", () -> region.heap().allocate(16));
            })
        .step(
            "B",
            "B stores 0, and creates another",
            region ->
                Words.atomically(
                    () -> {
                      Words.write(region, 0, 1);
                      region.roots().create("B's", "test", "", () -> region.heap().allocate(16));
                    }))
        .step("C", "C sees B's", region -> Words.atomically(() -> useOf(region, "B's")))
        .step("A", "A ends", end(OUTER))
        .check(
            (region, point) -> {
              boolean created = region.roots().find("B's") != null;
              assertThat(Words.read(region, 0)).isEqualTo(created ? 1 : 0);
              if (Words.read(region, 1) == 1) {
                assertThat(created).isTrue();
              }
              if (point.acknowledged() == 4) {
                assertThat(region.roots().all()).hasSize(3);
                assertThat(Words.read(region, 0, 2)).containsExactly(1L, 1L);
              }
            });
  }

  private static void useOf(Region region, String root) {
    if (region.roots().find(root) != null) {
      Words.write(region, 1, 1);
    }
  }
}
