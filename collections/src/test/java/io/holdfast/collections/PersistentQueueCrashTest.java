package io.holdfast.collections;

import static io.holdfast.collections.QueueRegion.atomically;
import static io.holdfast.collections.QueueRegion.elementsLeaving;
import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.collections.queue.QueueBlocks;
import io.holdfast.core.Durability;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.Exploration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Crashes at every store of every operation of a queue, and of the recovery after it. What is
/// found must be the state before the operation in flight, or after it (P1), and no block may be
/// lost (HEAP-1).
///
/// Blocks are used ones as a rule, so that what a line held in its former life shows.
@ParameterizedClass
@EnumSource(Durability.class)
class PersistentQueueCrashTest {
  private static final Logger RECOVERIES = Logger.getLogger("io.holdfast");
  private static final int ONE_LINE = RegionLayout.LINE_BYTES - RegionLayout.WORD_BYTES;
  private static final int MAX_INLINE = QueueBlocks.MAX_INLINE_BYTES;
  private static final int BLOCK_OF_ITS_OWN = 60_000;
  private static final Bounds SHORT = new Bounds(8, 10, 8, 100);

  @Parameter Durability durability;

  private CrashExplorer<QueueRegion> explorer(String name) {
    return QueueCrashes.explorer(name, QueueRegion.BYTES, durability);
  }

  /// A used queue `q`, and what is in it.
  private CrashExplorer<QueueRegion> given(String name, String... elements) {
    return explorer(name)
        .bounds(SHORT)
        .given(store -> store.createUsed("q").addAll(List.of(elements)));
  }

  private static PersistentQueue<String> q(QueueRegion store) {
    return store.queue("q");
  }

  /// Shows QUEUE-1.
  @Test
  void p1OfferOfOneLine() {
    Exploration done =
        given("offer, one line")
            .bounds(Bounds.DEFAULT)
            .step("empty", store -> q(store).add(""))
            .step("a byte", store -> q(store).add("x"))
            .step("a line", store -> q(store).add(text("line", ONE_LINE)))
            .explore();
    assertThat(done.points()).isGreaterThanOrEqualTo(12);
  }

  @Test
  void queue3OfferOfSeveralLines() {
    given("offer, several lines")
        .step("two lines", store -> q(store).add(text("two", ONE_LINE + 1)))
        .step("five lines", store -> q(store).add(text("five", 4 * 64 + 3)))
        .step("the longest in the chain", store -> q(store).add(text("longest", MAX_INLINE)))
        .explore();
  }

  @Test
  void queue3OfferOfBytesOutside() {
    given("offer, outside")
        .step("the shortest outside", store -> q(store).add(text("short", MAX_INLINE + 1)))
        .step("spans of its own", store -> q(store).add(text("spans", BLOCK_OF_ITS_OWN)))
        .step("poll", store -> q(store).remove())
        .step("poll the spans", store -> q(store).remove())
        .step("and in reused spans", store -> q(store).add(text("again", BLOCK_OF_ITS_OWN)))
        .explore();
  }

  @Test
  void queue2OfferChains() {
    given("offer, next block, none left", elementsLeaving(0))
        .step("a line", store -> q(store).add(text("line", ONE_LINE)))
        .step("another", store -> q(store).add("x"))
        .explore();
    given("offer, next block, too few left", elementsLeaving(2))
        .step("three lines", store -> q(store).add(text("three", 2 * 64 + 10)))
        .step("one", store -> q(store).add("x"))
        .explore();
    given("offer, next block, outside", elementsLeaving(0))
        .step("outside", store -> q(store).add(text("outside", MAX_INLINE + 1)))
        .explore();
    given("offer, exactly to the end", elementsLeaving(2))
        .step("two lines", store -> q(store).add(text("two", 64 + 10)))
        .step("and one", store -> q(store).add("x"))
        .explore();
  }

  @Test
  void p1OfferThatGrowsTheFile() {
    QueueCrashes.explorer("offer, growth", RegionLayout.MIN_BYTES, durability)
        .bounds(SHORT)
        .given(store -> store.create("q").add(text("nearly all", 900_000)))
        .step("more than there is", store -> q(store).add(text("more", 200_000)))
        .step("a little", store -> q(store).add("x"))
        .explore();
  }

  @Test
  void p1Poll() {
    given("poll", "a", text("b", 500), "c")
        .bounds(Bounds.DEFAULT)
        .step("one line", store -> q(store).remove())
        .step("several", store -> q(store).remove())
        .step("the last", store -> q(store).remove())
        .step("none", store -> assertThat(q(store).poll()).isNull())
        .step("offer again", store -> q(store).add("d"))
        .step("and poll", store -> q(store).remove())
        .explore();
  }

  @Test
  void p1PollOfBytesOutside() {
    given("poll, outside", text("o", MAX_INLINE + 1), text("p", BLOCK_OF_ITS_OWN), "c")
        .bounds(Bounds.DEFAULT)
        .step("outside", store -> q(store).remove())
        .step("spans", store -> q(store).remove())
        .step("the last", store -> q(store).remove())
        .explore();
  }

  @Test
  void heap1PollFreesBlocks() {
    String[] elements = elementsLeaving(0);
    CrashExplorer<QueueRegion> explorer =
        explorer("poll, next block")
            .bounds(SHORT)
            .given(
                store -> {
                  store.createUsed("q").addAll(List.of(elements));
                  q(store).addAll(List.of("next", "and next"));
                });
    for (int i = 0; i < elements.length + 2; i++) {
      explorer.step("poll " + i, store -> q(store).remove());
    }
    explorer.step("offer", store -> q(store).add("again")).explore();
  }

  @Test
  void p1PollOverRemoved() {
    given("poll, over removed", "a", "b", text("c", 2_500), "d", "e")
        .step("remove b", store -> assertThat(q(store).remove("b")).isTrue())
        .step("remove c", store -> assertThat(q(store).remove(text("c", 2_500))).isTrue())
        .step("poll a", store -> q(store).remove())
        .step("poll d", store -> q(store).remove())
        .step("poll e", store -> q(store).remove())
        .explore();
    explorer("poll, over a removed block")
        .bounds(SHORT)
        .given(
            store -> {
              PersistentQueue<String> q = store.createUsed("q");
              q.add("first");
              for (int i = 0; i < 12; i++) {
                q.add(text("m", MAX_INLINE));
              }
              q.add("last");
              q.removeIf(element -> element.startsWith("m"));
            })
        .step("poll the first", store -> q(store).remove())
        .step("poll the last", store -> q(store).remove())
        .step("offer", store -> q(store).add("x"))
        .explore();
  }

  @Test
  void p1RemoveFromTheMiddle() {
    String outside = text("o", MAX_INLINE + 1);
    given("remove", "a", "b", outside, "d", "e")
        .bounds(Bounds.DEFAULT)
        .step("the second", store -> assertThat(q(store).remove("b")).isTrue())
        .step("outside", store -> assertThat(q(store).remove(outside)).isTrue())
        .step("the last", store -> assertThat(q(store).remove("e")).isTrue())
        .step("the first", store -> assertThat(q(store).remove("a")).isTrue())
        .step("none", store -> assertThat(q(store).remove("a")).isFalse())
        .step("offer", store -> q(store).add("f"))
        .step("the only two", store -> atomically(() -> q(store).removeAll(Set.of("d", "f"))))
        .explore();
  }

  @Test
  void p1IteratorRemove() {
    given("iterator.remove", "a", "b", "c")
        .bounds(Bounds.DEFAULT)
        .step("the middle", store -> removeByIterator(store, 1))
        .step("the first", store -> removeByIterator(store, 0))
        .step("the last", store -> removeByIterator(store, 0))
        .step("offer", store -> q(store).add("d"))
        .explore();
  }

  private static void removeByIterator(QueueRegion store, int index) {
    Iterator<String> each = q(store).iterator();
    for (int i = 0; i <= index; i++) {
      each.next();
    }
    each.remove();
  }

  @Test
  void p1DrainTo() {
    explorer("drainTo")
        .bounds(SHORT)
        .given(
            store -> {
              PersistentQueue<String> q = store.createUsed("q");
              for (int i = 0; i < 10; i++) {
                q.add(text("e" + i, 1_900));
              }
              q.remove("e5");
            })
        .step("three", store -> assertThat(q(store).drainTo(new ArrayList<>(), 3)).isEqualTo(3))
        .step("all", store -> assertThat(q(store).drainTo(new ArrayList<>())).isEqualTo(7))
        .step("none", store -> assertThat(q(store).drainTo(new ArrayList<>())).isZero())
        .explore();
  }

  /// Each removal is a section of its own, so any number of them may be done.
  @Test
  void p4Clear() {
    List<String> elements = List.of("a", text("b", 2_000), "c", "d");
    given("clear", elements.toArray(String[]::new))
        .withoutModel()
        .check(
            (store, point) -> {
              List<String> left = new ArrayList<>(q(store));
              assertThat(left).isEqualTo(elements.subList(4 - left.size(), 4));
              assertThat(left).hasSize(point.acknowledged() == 1 ? 0 : left.size());
            })
        .step("clear", store -> q(store).clear())
        .explore();
  }

  @Test
  void peekStoresNothing() {
    Exploration done =
        given("peek", "a", "b")
            .step("peek", store -> assertThat(q(store).peek()).isEqualTo("a"))
            .step("size", store -> assertThat(q(store).size()).isEqualTo(2))
            .explore();
    assertThat(done.stores()).isZero();
  }

  @Test
  void p1PutAndTake() {
    given("put, take")
        .bounds(Bounds.DEFAULT)
        .step("put", store -> q(store).put("a"))
        .step("put", store -> q(store).put("b"))
        .step("take", store -> assertThat(q(store).take()).isEqualTo("a"))
        .step("put", store -> q(store).put("c"))
        .step("take", store -> assertThat(q(store).take()).isEqualTo("b"))
        .step("take", store -> assertThat(q(store).take()).isEqualTo("c"))
        .explore();
  }

  /// On a device that has no room for a large block.
  @Test
  void p1RolledBack() {
    QueueCrashes.explorerOfAFullDevice("rolled back", durability)
        .bounds(SHORT)
        .given(
            store ->
                store.createUsed("q").addAll(List.of("a", text("b", MAX_INLINE + 1), "c", "d")))
        .step(
            "offers and polls",
            store ->
                atomically(
                    () -> {
                      q(store).add("d");
                      q(store).remove();
                      q(store).add(text("e", MAX_INLINE + 1));
                      q(store).remove("c");
                      q(store).remove();
                      assertThatThrownBy(() -> store.region().heap().allocate(1L << 24))
                          .isInstanceOf(RegionFullException.class);
                    }))
        .step("and goes on", store -> q(store).add("f"))
        .explore();
  }

  /// Operations that follow each other in one thread without anything between that would order
  /// them: a crash leaves the state behind one of them.
  @Test
  void p6OperationsInARow() {
    Set<List<String>> allowed =
        Set.of(
            List.of("z"),
            List.of("z", "a"),
            List.of("a"),
            List.of("a", QueueRegion.shown(text("b", 200))),
            List.of(QueueRegion.shown(text("b", 200))),
            List.of(QueueRegion.shown(text("b", 200)), "c"));
    given("in a row", "z")
        .bounds(Bounds.DEFAULT)
        .withoutModel()
        .check((store, point) -> assertThat(allowed).contains(store.state().get("q")))
        .step(
            "offer, poll, offer, poll, offer",
            store -> {
              q(store).add("a");
              q(store).remove();
              q(store).add(text("b", 200));
              q(store).remove();
              q(store).add("c");
            })
        .explore();
  }

  @Test
  void p1PollAndOfferInASection() {
    explorer("poll and offer")
        .given(
            store -> {
              store.createUsed("q").addAll(List.of("a", "b", "c"));
              store.createUsed("r").add("x");
            })
        .step("move", store -> atomically(() -> store.queue("r").add(q(store).remove())))
        .step("back", store -> atomically(() -> q(store).add(store.queue("r").remove())))
        .step(
            "nested",
            store ->
                atomically(
                    () -> {
                      String first = q(store).remove();
                      atomically(() -> store.queue("r").add(first));
                      q(store).add("y");
                    }))
        .step(
            "what was added is taken",
            store ->
                atomically(
                    () -> {
                      q(store).add("z");
                      while (q(store).poll() != null) {
                        // to the last
                      }
                      q(store).add("last");
                    }))
        .bounds(SHORT)
        .explore();
  }

  /// What is done inside of an outer section, with something before and something after it.
  static Stream<Arguments> operations() {
    String outside = text("o", MAX_INLINE + 1);
    return Stream.of(
        inSection("offer", List.of("a"), q -> q.add("x")),
        inSection("offer, several lines", List.of("a"), q -> q.add(text("x", 300))),
        inSection("offer, outside", List.of("a"), q -> q.add(outside)),
        inSection("offer, next block", List.of(elementsLeaving(0)), q -> q.add("x")),
        inSection("offer, the last line", List.of(elementsLeaving(1)), q -> q.add("x")),
        inSection("timed offer", List.of("a"), q -> offerTimed(q, "x")),
        inSection("poll", List.of("a", "b"), q -> q.remove()),
        inSection("poll, the last", List.of("a"), q -> q.remove()),
        inSection("poll, outside", List.of(outside, "b"), q -> q.remove()),
        inSection(
            "poll, next block",
            nextBlock(),
            q -> {
              while (!q.remove().equals("next")) {
                // as far as into the next block
              }
            }),
        inSection("put, take", List.of("a"), PersistentQueueCrashTest::putAndTake),
        inSection("remove(Object)", List.of("a", "b", "c"), q -> q.remove("b")),
        inSection("remove(Object), outside", List.of("a", outside), q -> q.remove(outside)),
        inSection("removeIf", List.of("a", "b", "c", "b"), q -> q.removeIf("b"::equals)),
        inSection("iterator.remove", List.of("a", "b"), PersistentQueueCrashTest::removeFirst),
        inSection("clear", List.of("a", outside, "c"), PersistentQueue::clear),
        inSection("drainTo", List.of("a", "b", outside), q -> q.drainTo(new ArrayList<>())),
        inSection("drainTo, and back", List.of("a", "b"), PersistentQueueCrashTest::rotate));
  }

  static Arguments inSection(
      String name, List<String> elements, Consumer<PersistentQueue<String>> operation) {
    return Arguments.of(name, elements, operation);
  }

  private static List<String> nextBlock() {
    List<String> elements = new ArrayList<>(List.of(elementsLeaving(0)));
    elements.addAll(List.of("next", "and next"));
    return elements;
  }

  private static void offerTimed(PersistentQueue<String> queue, String element) {
    try {
      assertThat(queue.offer(element, 1, TimeUnit.DAYS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void putAndTake(PersistentQueue<String> queue) {
    try {
      queue.put("x");
      assertThat(queue.take()).isEqualTo("a");
      assertThat(queue.poll(1, TimeUnit.DAYS)).isEqualTo("x");
      queue.put("y");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void removeFirst(PersistentQueue<String> queue) {
    Iterator<String> each = queue.iterator();
    each.next();
    each.remove();
  }

  private static void rotate(PersistentQueue<String> queue) {
    List<String> drained = new ArrayList<>();
    queue.drainTo(drained);
    queue.addAll(drained.reversed());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void p1InAnOuterSection(
      String name, List<String> elements, Consumer<PersistentQueue<String>> operation) {
    explorer("in a section: " + name)
        .bounds(SHORT)
        .given(
            store -> {
              store.createUsed("q").addAll(elements);
              store.createUsed("r").add("r");
            })
        .step(
            name,
            store ->
                atomically(
                    () -> {
                      store.queue("r").add("before");
                      operation.accept(q(store));
                      store.queue("r").add("behind");
                    }))
        .step("offer", store -> q(store).add("last"))
        .explore();
  }

  /// The first use of a queue inside of a section: its root is there with what the section did.
  @Test
  void root1CreationInASection() {
    explorer("in a section: creation of a root")
        .bounds(SHORT)
        .given(store -> store.createUsed("q").add("a"))
        .step(
            "move to a new queue",
            store -> atomically(() -> store.create("new").add(q(store).remove())))
        .step("use it", store -> store.queue("new").add("b"))
        .explore();
  }

  /// Moves all elements of a queue to another, which is one section though nobody began one.
  @Test
  void p1DrainToAnotherQueue() {
    explorer("drainTo, another queue")
        .bounds(SHORT)
        .given(
            store -> {
              store.createUsed("q").addAll(List.of("a", text("b", 3_000), "c"));
              store.createUsed("r").add("r");
            })
        .step("two", store -> q(store).drainTo(store.queue("r"), 2))
        .step("one", store -> q(store).drainTo(store.queue("r"), 1))
        .step("back", store -> store.queue("r").drainTo(q(store)))
        .explore();
  }

  /// More entries than a log's ring has, chains and growth of the log in between.
  @Test
  void p1LargeSection() {
    explorer("large section")
        .bounds(new Bounds(4, 6, 4, 40))
        .given(
            store -> {
              store.createUsed("q").addAll(List.of("a", "b", "c"));
              store.createUsed("r");
            })
        .step(
            "add 150, move 50",
            store ->
                atomically(
                    () -> {
                      for (int i = 0; i < 150; i++) {
                        q(store).add("e" + i);
                      }
                      for (int i = 0; i < 50; i++) {
                        store.queue("r").add(q(store).remove());
                      }
                    }))
        .step("one more", store -> q(store).add("z"))
        .explore();
  }

  @Test
  void root1Creation() {
    explorer("creation of a root")
        .given(QueueRegion::dirty)
        .step("create q", store -> store.create("q"))
        .step("use it", store -> q(store).add("a"))
        .step("create r", store -> store.create("r"))
        .bounds(SHORT)
        .explore();
  }

  @Test
  void p7CreationFromAnEmptyFile() {
    QueueCrashes.explorer("creation", RegionLayout.MIN_BYTES, durability)
        .fromAnEmptyFile()
        .bounds(new Bounds(6, 8, 6, 60))
        .step("create q", store -> store.create("q"))
        .step("use it", store -> q(store).add("a"))
        .explore();
  }

  /// The opening after a crash may crash too, and the one after that.
  @Test
  void p7RecoveryCrashes() {
    Exploration done =
        explorer("recovery")
            .bounds(new Bounds(2, 2, 2, 30))
            .thoroughInBothForms()
            .crashesOfRecovery(2)
            .given(
                store -> {
                  store.createUsed("q").addAll(List.of("a", "b", text("c", 2_000)));
                  store.createUsed("r");
                })
            .step(
                "move",
                store ->
                    atomically(
                        () -> {
                          store.queue("r").add(q(store).remove());
                          assertThat(q(store).remove(text("c", 2_000))).isTrue();
                          store.queue("r").add(text("d", 2_000));
                        }))
            .explore();
    assertThat(done.secondCrashes()).isGreaterThan(100);
  }
}
