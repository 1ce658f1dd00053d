package io.holdfast.core.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Regions;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.Interleavings;
import io.holdfast.testkit.Interleavings.Step;
import io.holdfast.testkit.TestForm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// A program, and the claim that the guarantees hold for it in every order and after every crash.
///
/// It is explored twice: with a turn for each of its steps, and with turns that go on as far as the
/// next release. In the second form there are few orders, so that as a rule they are all taken; and
/// the stores of a turn may overtake each other, as in code between two locks.
final class Guarantees {
  /// So many orders are sampled, and all are taken if there are not more than four times as many:
  /// some 0.2 s on a core. `-Dholdfast.interleavings=10000` looks closer.
  private static final int ORDERS = 24;

  /// Each costs some ten times as much when recovery is crashed too.
  private static final int ORDERS_OF_RECOVERY = 10;

  /// There are many of these, and each has many orders.
  private static final int RANDOM = TestForm.count(2, 4), ORDERS_OF_RANDOM = 20;

  private static final Bounds BOUNDS = new Bounds(6, 8, 8, 40);

  private final CrashExplorer<Scene> explorer;
  private final int orders;
  private final Map<String, List<Step<Scene>>> programs = new LinkedHashMap<>();
  private final List<Consumer<Scene>> checks = new ArrayList<>();
  private final Set<String> waiting = new TreeSet<>();
  private Regions regions = Regions.OUTERMOST_CRITICAL_SECTION;
  private int largestCycle;

  private Guarantees(CrashExplorer<Scene> explorer, int orders) {
    this.orders = orders;
    this.explorer =
        explorer
            .given(scene -> ((RegionScene) scene).create())
            .state(Scene::visible)
            .bounds(BOUNDS);
  }

  /// Crashes in the program alone; those of recovery are tested by few programs.
  static Guarantees of(CrashExplorer<Scene> explorer) {
    return new Guarantees(explorer.crashesOfRecovery(0), ORDERS);
  }

  /// Crashes in recovery as well, and in the recovery after that; and the store is used again after
  /// each.
  static Guarantees withCrashesOfRecovery(CrashExplorer<Scene> explorer) {
    return new Guarantees(explorer.crashesOfRecovery(2), ORDERS_OF_RECOVERY)
        .alsoCheck(scene -> ((RegionScene) scene).goOn());
  }

  /// Says what a section is in the explorer's regions.
  Guarantees in(Regions those) {
    regions = those;
    return this;
  }

  /// Adds a thread.
  @SafeVarargs
  final Guarantees thread(String name, Step<Scene>... steps) {
    List<Step<Scene>> program = new ArrayList<>();
    for (Step<Scene> step : steps) {
      program.add(step);
    }
    programs.put(name, program);
    return this;
  }

  /// Checks something else after every crash.
  Guarantees alsoCheck(Consumer<Scene> check) {
    checks.add(check);
    return this;
  }

  /// Explores, for a program in which these sections have to wait for others when they end, in one
  /// order or another, and no others ever do.
  ///
  /// @param sections as {@link Trace.Section} names them
  void holdThough(String... sections) {
    explore(UnaryOperator.identity());
    explore(Guarantees::asFarAsTheNextRelease);
    if (isWholeProgram()) {
      assertThat(waiting).as("sections that had to wait").containsExactly(sections);
    }
  }

  /// The same, and so many sections can need each other.
  void holdThoughInACycleOf(int cycle, String... sections) {
    holdThough(sections);
    if (isWholeProgram()) {
      assertThat(largestCycle).as("sections that needed each other").isEqualTo(cycle);
    }
  }

  /// Explores some random programs: as many as `-Dholdfast.programs` says, from number
  /// `-Dholdfast.program`.
  static void holdForRandomPrograms(CrashExplorer<Scene> explorer) {
    Guarantees guarantees = new Guarantees(explorer.crashesOfRecovery(0), ORDERS_OF_RANDOM);
    guarantees.exploreRandomPrograms();
    if (isWholeProgram()) {
      assertThat(guarantees.waiting).as("sections that had to wait").contains("A1", "B1", "C1");
      assertThat(guarantees.largestCycle)
          .as("sections that needed each other")
          .isGreaterThanOrEqualTo(3);
    }
  }

  private void exploreRandomPrograms() {
    int first = Integer.getInteger("holdfast.program", 1);
    int end = first + Integer.getInteger("holdfast.programs", RANDOM);
    for (int seed = first; seed < end; seed++) {
      programs.clear();
      programs.putAll(RandomProgram.threads(seed));
      try {
        explore(UnaryOperator.identity());
        explore(Guarantees::asFarAsTheNextRelease);
      } catch (AssertionError e) {
        throw new AssertionError("-Dholdfast.program=%d: %s".formatted(seed, e.getMessage()), e);
      }
    }
  }

  /// The same with sections that end at releases: none waits but for those in blocks.
  static void holdForRandomProgramsOfRegions(CrashExplorer<Scene> explorer) {
    new Guarantees(explorer.crashesOfRecovery(0), ORDERS_OF_RANDOM)
        .in(Regions.SYNCHRONIZATION_FREE)
        .exploreRandomPrograms();
  }

  private void explore(UnaryOperator<List<Step<Scene>>> turns) {
    Interleavings<Scene> interleavings = explorer.interleavings().most(4 * orders, orders);
    programs.forEach((name, steps) -> interleavings.thread(name, turns.apply(steps)));
    interleavings.check(
        order -> {
          Reference reference = new Reference(order, regions);
          waiting.addAll(reference.waiting());
          largestCycle = Math.max(largestCycle, reference.largestCycle());
          return (scene, point) -> {
            reference.check(scene.visible(), point);
            reference.checkStopped(scene.visible(), point);
          };
        });
    checks.forEach(check -> interleavings.check(order -> (scene, point) -> check.accept(scene)));
    interleavings.explore();
  }

  private static List<Step<Scene>> asFarAsTheNextRelease(List<Step<Scene>> steps) {
    List<Step<Scene>> turns = new ArrayList<>();
    boolean[] released = {true};
    ModelScene scene =
        new ModelScene() {
          @Override
          public void release(Object lock) {
            released[0] = true;
          }

          @Override
          public void exit() {
            released[0] = true;
          }
        };
    for (Step<Scene> step : steps) {
      turns.add(released[0] ? step : turns.removeLast().then(step));
      released[0] = false;
      scene.run(step);
    }
    return turns;
  }

  /// Whether it is not left to the caller's properties how many orders are looked at.
  private static boolean isWholeProgram() {
    return System.getProperty("holdfast.interleaving") == null
        && System.getProperty("holdfast.interleavings") == null;
  }
}
