package io.holdfast.collections;

import static io.holdfast.collections.QueueRegion.atomically;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashPoint;
import io.holdfast.testkit.RecordingMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// A thread that sees through a queue what another one's open section did depends on that section
/// (P2, QUEUE-4), though the two ends of a queue share no lock. Every crash of scripted threads.
@ParameterizedClass
@EnumSource(Durability.class)
class PersistentQueueDependencyTest {
  private static final Bounds BOUNDS = new Bounds(6, 6, 4, 100);

  @Parameter Durability durability;

  private CrashExplorer<QueueRegion> explorer(String name, Map<String, List<String>> given) {
    return QueueCrashes.explorer(name, QueueRegion.BYTES, durability)
        .bounds(BOUNDS)
        .withoutModel()
        .given(store -> given.forEach((queue, elements) -> fill(store, queue, elements)));
  }

  private static void fill(QueueRegion store, String queue, List<String> elements) {
    store.createUsed(queue).addAll(elements);
  }

  /// Nothing of what the threads did is there before the last step; all of it after it; one of the
  /// two while it is in flight.
  private static CrashExplorer.Check<QueueRegion> allAtStep(
      int last, Map<String, List<String>> before, Map<String, List<String>> after) {
    return (store, point) -> {
      if (isInFlight(point, last)) {
        assertThat(store.state()).isIn(before, after);
      } else {
        assertThat(store.state()).isEqualTo(point.acknowledged() < last ? before : after);
      }
    };
  }

  private static boolean isInFlight(CrashPoint point, int step) {
    return point.inFlight() != null && point.acknowledged() + 1 == step;
  }

  @Test
  void p2TakeOfAnElementAddedByAnOpenSection() {
    Map<String, List<String>> before = Map.of("q", List.of(), "r", List.of());
    explorer("take of an open offer", before)
        .check(allAtStep(3, before, Map.of("q", List.of(), "r", List.of("x"))))
        .step("A", "A offers", store -> begin(() -> store.queue("q").add("x")))
        .step("B", "B moves", store -> move(store, "q", "r"))
        .step("A", "A ends", store -> SectionHooks.exit())
        .explore();
  }

  @Test
  void p2PollBehindAnOpenPoll() {
    Map<String, List<String>> before = Map.of("q", List.of("a", "b", "c"));
    explorer("poll behind an open poll", before)
        .check(allAtStep(3, before, Map.of("q", List.of("c"))))
        .step("A", "A polls", store -> begin(() -> store.queue("q").remove()))
        .step("B", "B polls", store -> assertThat(store.queue("q").poll()).isEqualTo("b"))
        .step("A", "A ends", store -> SectionHooks.exit())
        .explore();
  }

  /// B's element is behind A's in the queue, so it can be there only if A's is.
  @Test
  void p2OfferBehindAnOpenOffer() {
    Map<String, List<String>> before = Map.of("q", List.of());
    explorer("offer behind an open offer", before)
        .check(allAtStep(4, before, Map.of("q", List.of("a", "b", "c"))))
        .step("A", "A offers", store -> begin(() -> store.queue("q").add("a")))
        .step("B", "B offers", store -> store.queue("q").add("b"))
        .step("C", "C offers", store -> store.queue("q").add("c"))
        .step("A", "A ends", store -> SectionHooks.exit())
        .explore();
  }

  @Test
  void p2RemovalFromTheMiddle() {
    Map<String, List<String>> before = Map.of("q", List.of("a", "b", "c"));
    explorer("poll over an open removal", before)
        .check(allAtStep(4, before, Map.of("q", List.of())))
        .step("A", "A removes b", store -> begin(() -> store.queue("q").remove("b")))
        .step("B", "B polls a", store -> store.queue("q").remove())
        .step("B", "B polls c", store -> assertThat(store.queue("q").remove()).isEqualTo("c"))
        .step("A", "A ends", store -> SectionHooks.exit())
        .explore();
  }

  @Test
  void p2Cycle() {
    Map<String, List<String>> before =
        Map.of("q", List.of(), "r", List.of(), "s", List.of(), "t", List.of());
    explorer("cycle", before)
        .check(
            allAtStep(
                6,
                before,
                Map.of("q", List.of(), "r", List.of(), "s", List.of("y"), "t", List.of("x"))))
        .step("A", "A offers x", store -> begin(() -> store.queue("q").add("x")))
        .step("B", "B offers y", store -> begin(() -> store.queue("r").add("y")))
        .step("A", "A takes y", store -> store.queue("s").add(store.queue("r").remove()))
        .step("B", "B takes x", store -> store.queue("t").add(store.queue("q").remove()))
        .step("A", "A ends", store -> SectionHooks.exit())
        .step("B", "B ends", store -> SectionHooks.exit())
        .explore();
  }

  /// C takes from B what B took from A.
  @Test
  void p2Chain() {
    Map<String, List<String>> before = Map.of("q", List.of(), "r", List.of(), "s", List.of());
    explorer("chain", before)
        .check(allAtStep(4, before, Map.of("q", List.of(), "r", List.of(), "s", List.of("x"))))
        .step("A", "A offers", store -> begin(() -> store.queue("q").add("x")))
        .step("B", "B moves", store -> move(store, "q", "r"))
        .step("C", "C moves", store -> move(store, "r", "s"))
        .step("A", "A ends", store -> SectionHooks.exit())
        .explore();
  }

  /// Ways to see that A's open section has taken the only element, or added one.
  static Stream<Arguments> observations() {
    return Stream.of(
        seen("poll of none", "a", queue -> queue.poll() == null),
        seen("peek at none", "a", queue -> queue.peek() == null),
        seen("isEmpty", "a", PersistentQueue::isEmpty),
        seen("size", "a", queue -> queue.size() == 0),
        seen("drainTo", "a", queue -> queue.drainTo(new ArrayList<>()) == 0),
        seen("remove(Object)", "a", queue -> !queue.remove("a")),
        seen("contains", "a", queue -> !queue.contains("a")),
        seen("iterator", "a", queue -> !queue.iterator().hasNext()),
        seen("peek", null, queue -> queue.peek() != null),
        seen("size", null, queue -> queue.size() == 1),
        seen("isEmpty", null, queue -> !queue.isEmpty()),
        seen("iterator", null, queue -> queue.iterator().hasNext()),
        seen("contains", null, queue -> queue.contains("x")));
  }

  private static Arguments seen(
      String name, String given, Predicate<PersistentQueue<String>> observation) {
    return Arguments.of(name, given, observation);
  }

  @ParameterizedTest(name = "{0}, given {1}")
  @MethodSource("observations")
  void p2WhatIsSeenIsDependedOn(
      String name, String given, Predicate<PersistentQueue<String>> observation) {
    List<String> elements = given == null ? List.of() : List.of(given);
    List<String> changed = given == null ? List.of("x") : List.of();
    Map<String, List<String>> before = Map.of("q", elements, "r", List.of());
    explorer(name + ", given " + given, before)
        .check(allAtStep(3, before, Map.of("q", changed, "r", List.of("seen"))))
        .step("A", "A changes", store -> begin(() -> change(store.queue("q"))))
        .step(
            "B",
            "B sees it",
            store -> {
              assertThat(observation.test(store.queue("q"))).isTrue();
              store.queue("r").add("seen");
            })
        .step("A", "A ends", store -> SectionHooks.exit())
        .explore();
  }

  private static void change(PersistentQueue<String> queue) {
    if (queue.poll() == null) {
      queue.add("x");
    }
  }

  /// Of three other queues at most one may share a stripe of the table of uncommitted releases.
  @Test
  void otherQueuesWaitForNobody() {
    List<String> others = List.of("r", "s", "t");
    explorer("other queues", Map.of("q", List.of(), "r", List.of(), "s", List.of(), "t", List.of()))
        .check(
            (store, point) -> {
              if (point.acknowledged() >= 2) {
                assertThat(others.stream().filter(other -> !store.queue(other).isEmpty()).count())
                    .isGreaterThanOrEqualTo(2);
              }
            })
        .step("A", "A offers", store -> begin(() -> store.queue("q").add("x")))
        .step(
            "B,",
            "B offers elsewhere",
            store -> {
              // Each from a thread of its own: what one depends on, its later sections do too.
              try (Baton baton = new Baton()) {
                for (String other : others) {
                  baton.run(other, () -> store.queue(other).add("y"));
                }
              }
            })
        .step("A", "A ends", store -> SectionHooks.exit())
        .explore();
  }

  /// While the section of an operation has not ended, nobody sees what it did: who did could be
  /// durable without it.
  @Test
  void queue4NothingIsSeenBeforeItsSectionEnds() {
    HookedMemory memory = new HookedMemory(new RecordingMemory());
    try (QueueRegion store = QueueRegion.open(memory)) {
      PersistentQueue<String> queue = store.createUsed("q");
      queue.addAll(List.of("a", "b", RawCodec.text("c", 3_000), "d", "e", "f"));
      List<Consumer<PersistentQueue<String>>> operations =
          List.of(
              PersistentQueue::remove,
              q -> q.remove("d"),
              q -> q.drainTo(new ArrayList<>(), 2),
              q -> q.add("x"),
              q -> q.add(RawCodec.text("y", 3_000)),
              q -> atomically(() -> q.addAll(List.of("v", "w"))),
              q -> atomically(() -> q.drainTo(new ArrayList<>(), 2)));
      for (Consumer<PersistentQueue<String>> operation : operations) {
        int before = queue.size();
        AtomicInteger stores = new AtomicInteger();
        memory.beforeEachStore(
            () -> {
              stores.incrementAndGet();
              assertThat(CompletableFuture.supplyAsync(queue::size).join()).isEqualTo(before);
            });
        operation.accept(queue);
        memory.beforeEachStore(() -> {});
        assertThat(stores).hasPositiveValue();
        assertThat(queue.size()).isNotEqualTo(before);
      }
    }
  }

  /// With real files, and images of them while they are in use.
  @Test
  void p2InRealFiles(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("live.hf");
    try (Holdfast store = Holdfast.open(file);
        Baton baton = new Baton()) {
      PersistentQueue<String> queue = store.queue("q", String.class);
      queue.addAll(List.of("a", "b"));
      baton.run(
          "A",
          () -> {
            SectionHooks.enter();
            queue.add("x");
            giveUpAnInnerLock();
          });
      baton.run("B", () -> assertThat(queue.drainTo(new ArrayList<>(), 3)).isEqualTo(3));
      assertThat(afterCrash(directory, file)).containsExactly("a", "b");
      baton.run("A", SectionHooks::exit);
      assertThat(afterCrash(directory, file)).isEmpty();
    }
  }

  /// No thread runs, so that a copy is what a crash would leave.
  private static List<String> afterCrash(Path directory, Path file) throws IOException {
    Path copy = Files.createTempFile(directory, "copy", ".hf");
    Files.write(copy, Files.readAllBytes(file));
    try (Holdfast store = Holdfast.open(copy)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.RECOVERED);
      PersistentQueue<String> queue = store.queue("q", String.class);
      assertThat(queue.validate()).isEqualTo(queue.size());
      return new ArrayList<>(queue);
    }
  }

  /// Begins a section, and lets others see what it has done so far.
  private static void begin(Runnable action) {
    SectionHooks.enter();
    action.run();
    giveUpAnInnerLock();
  }

  private static void giveUpAnInnerLock() {
    Object lock = new Object();
    SectionHooks.acquired(lock);
    SectionHooks.releasing(lock);
  }

  private static void move(QueueRegion store, String from, String to) {
    atomically(() -> store.queue(to).add(store.queue(from).remove()));
  }
}
