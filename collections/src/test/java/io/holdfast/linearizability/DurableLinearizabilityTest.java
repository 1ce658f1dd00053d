package io.holdfast.linearizability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DurableLock;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.core.Durability;
import io.holdfast.linearizability.History.Operation;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashPoint;
import io.holdfast.testkit.TestForm;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Durable linearizability (P1, P2, P6): two threads are in the middle of operations on the same
/// collection; after any crash the state is that of an order of their operations that contains
/// every one that had returned.
///
/// The threads change places after random numbers of stores, and every crash of each such run is
/// explored. Lincheck, which has no crashes, is in the stress module.
@ParameterizedClass
@EnumSource(Durability.class)
class DurableLinearizabilityTest {
  private static final Bounds BOUNDS = new Bounds(3, 3, 3, 40);

  /// Of each kind. The system property `holdfast.histories` stands for another number.
  private static final int HISTORIES =
      Integer.getInteger("holdfast.histories", TestForm.count(4, 12));

  private static final int OPERATIONS = 3;
  private static final int CHANGES = 3;

  private static final DurableLock LOCK = new DurableLock();

  @Parameter Durability durability;

  private static Operation of(String name, Function<Content, Object> action) {
    return new Operation(name, action);
  }

  private static List<Operation> onMaps(String kind, Function<Content, Map<String, String>> map) {
    return Stream.of("a", "b")
        .flatMap(
            key ->
                Stream.of(
                    of("%s.put(%s)".formatted(kind, key), c -> map.apply(c).put(key, "put" + key)),
                    of("%s.remove(%s)".formatted(kind, key), c -> map.apply(c).remove(key)),
                    of(
                        "%s.merge(%s)".formatted(kind, key),
                        c -> map.apply(c).merge(key, "m", String::concat)),
                    of("%s.get(%s)".formatted(kind, key), c -> map.apply(c).get(key)),
                    of(
                        "%s.putIfAbsent(%s)".formatted(kind, key),
                        c -> map.apply(c).putIfAbsent(key, "absent" + "+".repeat(90)))))
        .toList();
  }

  /// A move under a lock, of one section.
  private static Operation move() {
    return of(
        "move",
        c -> {
          LOCK.lock();
          try {
            String element = c.queue().poll();
            return element == null ? null : c.map().put("a", element);
          } finally {
            LOCK.unlock();
          }
        });
  }

  private static Operation moveBack() {
    return of(
        "move back",
        c -> {
          LOCK.lock();
          try {
            String element = c.map().remove("a");
            return element != null && c.queue().add(element);
          } finally {
            LOCK.unlock();
          }
        });
  }

  /// What histories are drawn from.
  enum Kind {
    QUEUE(
        List.of(
            of("offer(x)", c -> c.queue().offer("x")),
            of("offer(long)", c -> c.queue().offer("long".repeat(30))),
            of("poll", c -> c.queue().poll()),
            of("peek", c -> c.queue().peek()))),
    MAP(onMaps("map", Content::map)),
    TREE(onMaps("tree", Content::tree)),
    SECTIONS(List.of(move(), moveBack()));

    private final List<Operation> operations;

    Kind(List<Operation> operations) {
      this.operations = operations;
    }

    /// Two programs that get into each other's way.
    private List<List<Operation>> pair() {
      return List.of(List.of(operations.get(0)), List.of(operations.get(1), operations.get(0)));
    }

    private List<Operation> program(Random random) {
      return random.ints(OPERATIONS, 0, operations.size()).mapToObj(operations::get).toList();
    }
  }

  private static void fill(Content content) {
    content.queue().addAll(List.of("one", "two"));
    content.map().put("a", "1");
    content.tree().put("a", "1");
  }

  private CrashExplorer<Scene> explorer(String name) {
    return CrashExplorer.of(name, memory -> Scene.open(memory, durability))
        .surviving(durability)
        .withoutDisk() // a scene notes what it does in the memory that records
        .bounds(BOUNDS)
        .crashesOfRecovery(0)
        .withoutModel()
        .given(scene -> fill(scene.content()));
  }

  private static Content filled() {
    Content content = new Content(new ArrayDeque<>(), new TreeMap<>(), new TreeMap<>());
    fill(content);
    return content;
  }

  private static void check(List<List<Operation>> programs, Scene scene, CrashPoint point) {
    List<Operation> all = programs.stream().flatMap(List::stream).toList();
    History history = History.of(all, point.notes());
    Object state = scene.content().state();
    assertThat(history.fits(filled(), state)).as("%s leaves %s", history, state).isTrue();
  }

  private void explore(String name, List<List<Operation>> programs, List<Integer> changes) {
    explorer(name)
        .check((scene, point) -> check(programs, scene, point))
        .step("both", scene -> scene.run(programs, changes))
        .explore();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void anyCrashOfAnyTurnsLeavesAnOrderOfWhatWasDone(Kind kind) {
    for (int seed = 1; seed <= HISTORIES; seed++) {
      Random random = new Random(seed);
      List<List<Operation>> programs = List.of(kind.program(random), kind.program(random));
      explore("%s, seed %d, %s".formatted(kind, seed, programs), programs, changes(random));
    }
  }

  private static List<Integer> changes(Random random) {
    return random.ints(CHANGES, 0, 80).sorted().boxed().toList();
  }

  /// The first thread is stopped after each of its stores once, in the short form after each third.
  @ParameterizedTest
  @EnumSource(Kind.class)
  void aChangeBehindEachStore(Kind kind) {
    List<List<Operation>> programs = kind.pair();
    int[] stores = {1};
    for (int change = 1; change <= stores[0]; change += TestForm.count(3, 1)) {
      List<Integer> changes = List.of(change);
      explorer("%s, change behind store %d, %s".formatted(kind, change, programs))
          .check((scene, point) -> check(programs, scene, point))
          .step("both", scene -> stores[0] = scene.run(programs, changes))
          .explore();
    }
  }

  /// A test that can't fail would show nothing.
  @Test
  void anOperationThatReturnsBeforeItIsDoneIsNoticed() {
    Operation hasty = of("put(c)", c -> isOfAStore(c) ? null : c.map().put("c", "x"));
    Operation late = of("what put(c) left", c -> isOfAStore(c) ? c.map().put("c", "x") : null);
    List<List<Operation>> programs = List.of(List.of(hasty, late), List.of(move()));

    assertThatThrownBy(() -> explore("hasty", programs, List.of(4)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("put(c) -> null");
  }

  private static boolean isOfAStore(Content content) {
    return content.map() instanceof PersistentHashMap;
  }
}
