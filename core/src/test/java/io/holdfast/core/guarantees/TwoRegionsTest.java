package io.holdfast.core.guarantees;

import static io.holdfast.core.guarantees.Steps.OF_A;
import static io.holdfast.core.guarantees.Steps.X;
import static io.holdfast.core.guarantees.Steps.enter;
import static io.holdfast.core.guarantees.Steps.exit;
import static io.holdfast.core.guarantees.Steps.lock;
import static io.holdfast.core.guarantees.Steps.store;
import static io.holdfast.core.guarantees.Steps.unlock;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Regions;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashPoint;
import io.holdfast.testkit.CrashTest;
import io.holdfast.testkit.Interleavings;
import io.holdfast.testkit.TestForm;
import java.util.List;

/// The guarantees when sections write two regions: each region keeps them by itself, and both show
/// the same sections unless the crash strikes while one ends.
class TwoRegionsTest {
  private static final int PROGRAMS = TestForm.count(3, 6), ORDERS = 20;

  /// Words of two regions for each crash, so few images of each.
  private static final Bounds BOUNDS = new Bounds(6, 8, 8, 40);

  private boolean waited;
  private int cycle;

  /// B's sections wait in one region, then in the other: the third must not forget the first.
  @CrashTest(opener = TwoRegionsScene.Opener.class)
  void p2OrderedBehindWhatWaitsInEither(CrashExplorer<Scene> explorer) {
    explore(
        prepare(explorer)
            .interleavings()
            .thread(
                "A", List.of(lock(OF_A), lock(X).then(store(0, 11)).then(unlock(X)), unlock(OF_A)))
            .thread(
                "B",
                List.of(
                    lock(X).then(store(2, 21)).then(unlock(X)),
                    enter().then(store(1, 22)).then(exit()),
                    enter().then(store(4, 23)).then(exit()))));
    assertThat(waited).as("a section had to wait").isTrue();
  }

  @CrashTest(opener = TwoRegionsScene.Opener.class)
  void randomPrograms(CrashExplorer<Scene> explorer) {
    prepare(explorer);
    int first = Integer.getInteger("holdfast.program", 1);
    for (int seed = first; seed < first + PROGRAMS; seed++) {
      Interleavings<Scene> interleavings = explorer.interleavings().most(ORDERS, ORDERS);
      RandomProgram.threads(seed).forEach(interleavings::thread);
      try {
        explore(interleavings);
      } catch (AssertionError e) {
        throw new AssertionError("-Dholdfast.program=%d: %s".formatted(seed, e.getMessage()), e);
      }
    }
    assertThat(waited).as("a section had to wait").isTrue();
    assertThat(cycle).as("sections that needed each other").isGreaterThanOrEqualTo(2);
  }

  private static CrashExplorer<Scene> prepare(CrashExplorer<Scene> explorer) {
    return explorer
        .crashesOfRecovery(0)
        .given(scene -> ((TwoRegionsScene) scene).create())
        .state(Scene::visible)
        .bounds(BOUNDS)
        .withoutDisk(); // of two regions, each with a log, one may be cut later than the other
  }

  private void explore(Interleavings<Scene> interleavings) {
    interleavings
        .check(
            order -> {
              Reference reference = new Reference(order, Regions.OUTERMOST_CRITICAL_SECTION);
              waited |= !reference.waiting().isEmpty();
              cycle = Math.max(cycle, reference.largestCycle());
              return (scene, point) -> check(reference, scene.visible(), point);
            })
        .explore();
  }

  private static void check(Reference reference, List<Long> found, CrashPoint point) {
    if (point.inFlight() == null) {
      reference.check(found, point);
    } else {
      reference.check(found, point, word -> word % 2 == 0);
      reference.check(found, point, word -> word % 2 != 0);
    }
  }
}
