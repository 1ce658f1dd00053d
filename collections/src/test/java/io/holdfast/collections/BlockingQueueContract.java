package io.holdfast.collections;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What `BlockingQueue` promises beyond `Queue`: bounds, waiting, interrupts, draining, and use by
/// many threads.
///
/// No test measures time from above: threads that should wait are waited for, and what must not
/// happen is what their results would show.
@Timeout(120)
abstract class BlockingQueueContract {
  private static final int UNBOUNDED = Integer.MAX_VALUE;

  /// Makes an empty queue.
  abstract BlockingQueue<String> create(int capacity);

  private BlockingQueue<String> bounded(int capacity, String... elements) {
    BlockingQueue<String> queue = create(capacity);
    queue.addAll(List.of(elements));
    return queue;
  }

  private BlockingQueue<String> of(String... elements) {
    return bounded(UNBOUNDED, elements);
  }

  // One thread.

  @Test
  void nullsAreRefused() {
    BlockingQueue<String> queue = of("a");
    assertThatNullPointerException().isThrownBy(() -> queue.add(null));
    assertThatNullPointerException().isThrownBy(() -> queue.offer(null));
    assertThatNullPointerException().isThrownBy(() -> queue.put(null));
    assertThatNullPointerException().isThrownBy(() -> queue.offer(null, 1, SECONDS));
    assertThatNullPointerException().isThrownBy(() -> queue.drainTo(null));
    assertThatNullPointerException().isThrownBy(() -> queue.drainTo(null, 1));
    assertThatNullPointerException().isThrownBy(() -> queue.addAll(null));
    assertThatNullPointerException().isThrownBy(() -> queue.removeIf(null));
    assertThat(queue.remove(null)).isFalse();
    assertThat(queue.contains(null)).isFalse();
    assertThat(queue).containsExactly("a");
  }

  @Test
  void nullsAreRefusedWhenFull() {
    BlockingQueue<String> queue = bounded(1, "a");
    assertThatNullPointerException().isThrownBy(() -> queue.offer(null));
    assertThatNullPointerException().isThrownBy(() -> queue.put(null));
    assertThatNullPointerException().isThrownBy(() -> queue.offer(null, 1, SECONDS));
  }

  @Test
  void boundIsKept() throws Exception {
    BlockingQueue<String> queue = bounded(2);
    assertThat(queue.remainingCapacity()).isEqualTo(2);
    assertThat(queue.offer("a")).isTrue();
    assertThat(queue.remainingCapacity()).isEqualTo(1);
    queue.put("b");
    assertThat(queue.remainingCapacity()).isZero();
    assertThat(queue.offer("c")).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> queue.add("c")).withMessage("Queue full");
    assertThat(queue.offer("c", 0, SECONDS)).isFalse();
    assertThat(queue.offer("c", -1, SECONDS)).isFalse();
    assertThat(queue.offer("c", Long.MIN_VALUE, DAYS)).isFalse();
    assertThat(queue.offer("c", 1, NANOSECONDS)).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> queue.addAll(List.of("c", "d")));
    assertThat(queue).containsExactly("a", "b");
    assertThat(queue.poll()).isEqualTo("a");
    assertThat(queue.remainingCapacity()).isEqualTo(1);
    assertThat(queue.offer("c", 0, SECONDS)).isTrue();
    assertThat(queue.remove("b")).isTrue();
    assertThat(queue.remainingCapacity()).isEqualTo(1);
    assertThat(queue.offer("d")).isTrue();
    assertThat(queue.offer("e")).isFalse();
    assertThat(queue).containsExactly("c", "d");
  }

  @Test
  void unboundedIsNeverFull() throws Exception {
    BlockingQueue<String> queue = of("a");
    queue.put("b");
    assertThat(queue.offer("c", 0, SECONDS)).isTrue();
    assertThat(queue.remainingCapacity()).isGreaterThanOrEqualTo(Integer.MAX_VALUE - 3);
    assertThat(queue).containsExactly("a", "b", "c");
  }

  @Test
  void emptyHasNothingToTake() throws Exception {
    BlockingQueue<String> queue = of();
    assertThat(queue.poll()).isNull();
    assertThat(queue.peek()).isNull();
    assertThat(queue.poll(0, SECONDS)).isNull();
    assertThat(queue.poll(-1, SECONDS)).isNull();
    assertThat(queue.poll(Long.MIN_VALUE, DAYS)).isNull();
    assertThat(queue.poll(1, NANOSECONDS)).isNull();
    assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(queue::remove);
    assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(queue::element);
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.size()).isZero();
    queue.clear();
    assertThat(queue.drainTo(new ArrayList<>())).isZero();
    assertThat(queue.iterator().hasNext()).isFalse();
  }

  @Test
  void firstInFirstOut() throws Exception {
    BlockingQueue<String> queue = of("a", "b", "c", "d", "e");
    assertThat(queue.peek()).isEqualTo("a");
    assertThat(queue.element()).isEqualTo("a");
    assertThat(queue.poll()).isEqualTo("a");
    assertThat(queue.take()).isEqualTo("b");
    assertThat(queue.poll(1, SECONDS)).isEqualTo("c");
    assertThat(queue.poll(0, SECONDS)).isEqualTo("d");
    assertThat(queue.remove()).isEqualTo("e");
    assertThat(queue.poll()).isNull();
  }

  @Test
  void timeoutsPassBeforeGivingUp() throws Exception {
    BlockingQueue<String> full = bounded(1, "a");
    long started = System.nanoTime();
    assertThat(full.offer("b", 30, MILLISECONDS)).isFalse();
    assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(30_000_000L);
    full.clear();
    started = System.nanoTime();
    assertThat(full.poll(30, MILLISECONDS)).isNull();
    assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(30_000_000L);
  }

  // Collections of them.

  @Test
  void drainToMovesInOrder() {
    BlockingQueue<String> queue = of("a", "b", "c", "d");
    List<String> target = new ArrayList<>(List.of("before"));
    assertThat(queue.drainTo(target, 0)).isZero();
    assertThat(queue.drainTo(target, -1)).isZero();
    assertThat(queue.drainTo(target, Integer.MIN_VALUE)).isZero();
    assertThat(queue.drainTo(target, 1)).isEqualTo(1);
    assertThat(queue.drainTo(target, 2)).isEqualTo(2);
    assertThat(target).containsExactly("before", "a", "b", "c");
    assertThat(queue).containsExactly("d");
    assertThat(queue.drainTo(target, 100)).isEqualTo(1);
    assertThat(queue.drainTo(target)).isZero();
    queue.addAll(List.of("e", "f"));
    assertThat(queue.drainTo(target)).isEqualTo(2);
    assertThat(target).containsExactly("before", "a", "b", "c", "d", "e", "f");
  }

  @Test
  void drainToItselfIsRefused() {
    BlockingQueue<String> queue = of("a");
    assertThatIllegalArgumentException().isThrownBy(() -> queue.drainTo(queue));
    assertThatIllegalArgumentException().isThrownBy(() -> queue.drainTo(queue, 1));
    assertThat(queue).containsExactly("a");
  }

  @Test
  void drainToATargetThatRefuses() {
    BlockingQueue<String> queue = of("a", "b", "c", "d");
    Collection<String> target = new ArrayBlockingQueue<>(2);
    assertThatIllegalStateException().isThrownBy(() -> queue.drainTo(target));
    assertThat(target).containsExactly("a", "b");
    assertThat(queue).containsExactly("c", "d");
    assertThat(queue.size()).isEqualTo(2);
  }

  @Test
  void drainToAnotherQueue() {
    BlockingQueue<String> queue = of("a", "b", "c");
    BlockingQueue<String> other = of("x");
    assertThat(queue.drainTo(other, 2)).isEqualTo(2);
    assertThat(other).containsExactly("x", "a", "b");
    assertThat(queue).containsExactly("c");
  }

  @Test
  void removalOfObjects() {
    BlockingQueue<String> queue = of("a", "b", "a", "c", "b", "d");
    assertThat(queue.remove("x")).isFalse();
    assertThat(queue.remove((Object) 7)).isFalse();
    assertThat(queue.remove("b")).isTrue();
    assertThat(queue).containsExactly("a", "a", "c", "b", "d");
    assertThat(queue.contains("b")).isTrue();
    assertThat(queue.remove("a")).isTrue();
    assertThat(queue.remove("d")).isTrue();
    assertThat(queue).containsExactly("a", "c", "b");
    assertThat(queue.removeIf(element -> element.compareTo("b") < 0)).isTrue();
    assertThat(queue.removeIf(element -> false)).isFalse();
    assertThat(queue).containsExactly("c", "b");
    assertThat(queue.removeAll(Set.of("c", "z"))).isTrue();
    assertThat(queue.removeAll(Set.of("z"))).isFalse();
    queue.addAll(List.of("k", "l"));
    assertThat(queue.retainAll(Set.of("k"))).isTrue();
    assertThat(queue.retainAll(Set.of("k"))).isFalse();
    assertThat(queue).containsExactly("k");
    assertThat(queue.contains("l")).isFalse();
    assertThat(queue.containsAll(List.of("k"))).isTrue();
    queue.clear();
    assertThat(queue.size()).isZero();
    assertThat(queue.offer("again")).isTrue();
    assertThat(queue.poll()).isEqualTo("again");
  }

  @Test
  void arraysAndText() {
    BlockingQueue<String> queue = of("a", "b", "c");
    assertThat(queue.toArray()).containsExactly("a", "b", "c").isInstanceOf(Object[].class);
    assertThat(queue.toArray(new String[0])).containsExactly("a", "b", "c");
    assertThat(queue.toArray(String[]::new)).containsExactly("a", "b", "c");
    String[] longer = {"x", "x", "x", "x", "x"};
    assertThat(queue.toArray(longer)).isSameAs(longer).containsExactly("a", "b", "c", null, "x");
    assertThat(queue).hasToString("[a, b, c]");
  }

  @Test
  void iteratorPromisesAndRefuses() {
    BlockingQueue<String> queue = of("a", "b");
    Iterator<String> each = queue.iterator();
    assertThatIllegalStateException().isThrownBy(each::remove);
    assertThat(each.next()).isEqualTo("a");
    each.remove();
    assertThatIllegalStateException().isThrownBy(each::remove);
    assertThat(each.next()).isEqualTo("b");
    assertThat(each.hasNext()).isFalse();
    assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(each::next);
    each.remove();
    assertThat(queue).isEmpty();
  }

  @Test
  void iteratorIsWeaklyConsistent() {
    BlockingQueue<String> queue = of("a", "b", "c", "d");
    Iterator<String> each = queue.iterator();
    assertThat(each.next()).isEqualTo("a");
    queue.remove("b"); // promised already, or not
    queue.remove("c");
    queue.add("e");
    List<String> rest = new ArrayList<>();
    each.forEachRemaining(rest::add);
    assertThat(rest).containsSubsequence("d", "e").doesNotContain("a", "c").doesNotHaveDuplicates();
  }

  @Test
  void iteratorOverElementsThatAreTaken() {
    BlockingQueue<String> queue = of("a", "b", "c", "d", "e");
    Iterator<String> each = queue.iterator();
    assertThat(each.next()).isEqualTo("a");
    queue.remove();
    queue.remove();
    queue.remove();
    each.remove(); // has been taken: nothing happens
    assertThat(queue).containsExactly("d", "e");
    assertThat(each.next()).isEqualTo("b"); // was promised
    each.remove();
    assertThat(each.next()).isEqualTo("d");
    each.remove();
    assertThat(queue).containsExactly("e");
    assertThat(each.next()).isEqualTo("e");
    queue.clear();
    assertThat(each.hasNext()).isFalse();
  }

  @Test
  void iteratorsThatRemoveTheSame() {
    BlockingQueue<String> queue = of("a", "b", "a");
    Iterator<String> one = queue.iterator();
    Iterator<String> other = queue.iterator();
    one.next();
    other.next();
    one.remove();
    other.remove();
    assertThat(queue).containsExactly("b", "a");
  }

  @Test
  void spliteratorDoesNotCount() {
    BlockingQueue<String> queue = of("a", "b", "c");
    Spliterator<String> spliterator = queue.spliterator();
    assertThat(spliterator.hasCharacteristics(Spliterator.CONCURRENT)).isTrue();
    assertThat(spliterator.hasCharacteristics(Spliterator.ORDERED)).isTrue();
    assertThat(spliterator.hasCharacteristics(Spliterator.NONNULL)).isTrue();
    assertThat(spliterator.hasCharacteristics(Spliterator.SIZED)).isFalse();
    assertThat(queue.stream().map(element -> element + queue.poll()).toList())
        .as("a stream of a queue that shrinks meanwhile")
        .isNotEmpty();
    assertThat(queue.stream().toList()).isEqualTo(List.copyOf(queue));
  }

  // Waiting.

  @Test
  void takeWaitsForAnElement() throws Exception {
    BlockingQueue<String> queue = of();
    try (Other<String> taker = Other.start(queue::take)) {
      taker.awaitWaiting();
      queue.add("a");
      assertThat(taker.result()).isEqualTo("a");
    }
  }

  @Test
  void timedPollWaitsForAnElement() throws Exception {
    BlockingQueue<String> queue = of();
    for (long timeout : new long[] {1_000, Long.MAX_VALUE}) {
      try (Other<String> taker = Other.start(() -> queue.poll(timeout, DAYS))) {
        taker.awaitWaiting();
        queue.add("a");
        assertThat(taker.result()).isEqualTo("a");
      }
    }
  }

  @Test
  void putWaitsForAPlace() throws Exception {
    BlockingQueue<String> queue = bounded(1, "a");
    try (Other<String> putter = Other.start(putting(queue, "b"))) {
      putter.awaitWaiting();
      assertThat(queue.poll()).isEqualTo("a");
      putter.result();
      assertThat(queue).containsExactly("b");
    }
  }

  @Test
  void timedOfferWaitsForAPlace() throws Exception {
    BlockingQueue<String> queue = bounded(1, "a");
    for (long timeout : new long[] {1_000, Long.MAX_VALUE}) {
      try (Other<Boolean> putter = Other.start(() -> queue.offer("b", timeout, DAYS))) {
        putter.awaitWaiting();
        queue.remove();
        assertThat(putter.result()).isTrue();
        assertThat(queue).containsExactly("b");
      }
    }
  }

  private static Other.Work<String> putting(BlockingQueue<String> queue, String element) {
    return () -> {
      queue.put(element);
      return element;
    };
  }

  @Test
  void everyConsumerIsWoken() throws Exception {
    BlockingQueue<String> queue = of();
    List<Other<String>> takers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      takers.add(Other.start(i % 2 == 0 ? queue::take : () -> queue.poll(1_000, DAYS)));
    }
    for (Other<String> taker : takers) {
      taker.awaitWaiting();
    }
    queue.addAll(List.of("a", "b", "c", "d"));
    queue.add("e");
    queue.add("f");
    Set<String> taken = new HashSet<>();
    for (Other<String> taker : takers) {
      taken.add(taker.result());
    }
    assertThat(taken).containsExactlyInAnyOrder("a", "b", "c", "d", "e", "f");
  }

  /// Ways to make room for three in a queue of `a`, `b`, `c`.
  enum Emptying {
    POLL(
        queue -> {
          for (int i = 0; i < 3; i++) {
            queue.poll();
          }
        }),
    DRAIN(queue -> queue.drainTo(new ArrayList<>())),
    DRAIN_SOME(
        queue -> {
          queue.drainTo(new ArrayList<>(), 2);
          queue.drainTo(new ArrayList<>(), 1);
        }),
    REMOVE_OBJECT(
        queue -> {
          queue.remove("b");
          queue.remove("c");
          queue.remove("a");
        }),
    ITERATOR(
        queue -> {
          Iterator<String> each = queue.iterator();
          for (int i = 0; i < 3; i++) {
            each.next();
            each.remove();
          }
        }),
    REMOVE_IF(queue -> queue.removeIf(element -> element.length() == 1)),
    REMOVE_ALL(queue -> queue.removeAll(Set.of("a", "b", "c")));

    private final Consumer<BlockingQueue<String>> action;

    Emptying(Consumer<BlockingQueue<String>> action) {
      this.action = action;
    }
  }

  @ParameterizedTest
  @EnumSource(Emptying.class)
  void everyProducerIsWoken(Emptying emptying) throws Exception {
    BlockingQueue<String> queue = bounded(3, "a", "b", "c");
    List<Other<?>> putters = new ArrayList<>();
    putters.add(Other.start(putting(queue, "put 1")));
    putters.add(Other.start(putting(queue, "put 2")));
    putters.add(Other.start(() -> queue.offer("put 3", 1_000, DAYS)));
    for (Other<?> putter : putters) {
      putter.awaitWaiting();
    }
    emptying.action.accept(queue);
    for (Other<?> putter : putters) {
      putter.result();
    }
    assertThat(queue).containsExactlyInAnyOrder("put 1", "put 2", "put 3");
  }

  // Interrupts.

  private interface Waiting {
    Object on(BlockingQueue<String> queue) throws InterruptedException;
  }

  private record NamedWaiting(String name, Waiting action) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<NamedWaiting> waitings() {
    return List.of(
        new NamedWaiting("take", BlockingQueue::take),
        new NamedWaiting("poll", queue -> queue.poll(1_000, DAYS)),
        new NamedWaiting(
            "put",
            queue -> {
              queue.put("x");
              return "put";
            }),
        new NamedWaiting("offer", queue -> queue.offer("x", 1_000, DAYS)));
  }

  /// Empty for those who take, full for those who put.
  private BlockingQueue<String> blocking(NamedWaiting waiting) {
    return waiting.name.startsWith("t") || waiting.name.equals("poll")
        ? of()
        : bounded(2, "a", "b");
  }

  @ParameterizedTest
  @MethodSource("waitings")
  void interruptBefore(NamedWaiting waiting) {
    BlockingQueue<String> queue = blocking(waiting);
    List<String> before = List.copyOf(queue);
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> waiting.action.on(queue));
    assertThat(Thread.interrupted()).isFalse();
    assertThat(queue).containsExactlyElementsOf(before);
  }

  /// Also where nobody would have to wait.
  @ParameterizedTest
  @MethodSource("waitings")
  void interruptBeforeWithoutNeed(NamedWaiting waiting) {
    BlockingQueue<String> queue = bounded(2, "a");
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> waiting.action.on(queue));
    assertThat(Thread.interrupted()).isFalse();
    assertThat(queue).containsExactly("a");
  }

  @ParameterizedTest
  @MethodSource("waitings")
  void interruptWithin(NamedWaiting waiting) throws Exception {
    BlockingQueue<String> queue = blocking(waiting);
    List<String> before = List.copyOf(queue);
    try (Other<Object> other =
        Other.start(
            () -> {
              try {
                return waiting.action.on(queue);
              } catch (InterruptedException e) {
                return Thread.currentThread().isInterrupted() ? "still interrupted" : "interrupted";
              }
            })) {
      other.awaitWaiting();
      other.interrupt();
      assertThat(other.result()).isEqualTo("interrupted");
    }
    assertThat(queue).containsExactlyElementsOf(before);
    queue.clear();
    assertThat(queue.offer("y")).isTrue();
    assertThat(queue.poll()).isEqualTo("y");
  }

  @Test
  void operationsThatDoNotWaitKeepTheInterrupt() {
    BlockingQueue<String> queue = bounded(20, "a", "b", "c");
    Thread.currentThread().interrupt();
    assertThat(queue.offer("d")).isTrue();
    assertThat(queue.add("e")).isTrue();
    assertThat(queue.poll()).isEqualTo("a");
    assertThat(queue.peek()).isEqualTo("b");
    assertThat(queue.remove()).isEqualTo("b");
    assertThat(queue.remove("d")).isTrue();
    assertThat(queue.contains("e")).isTrue();
    assertThat(queue.size()).isEqualTo(2);
    assertThat(queue.toArray()).containsExactly("c", "e");
    assertThat(queue.drainTo(new ArrayList<>(), 1)).isEqualTo(1);
    queue.clear();
    assertThat(queue.remainingCapacity()).isEqualTo(20);
    assertThat(Thread.interrupted()).isTrue();
  }

  /// A wake-up that meets an interrupt goes to another who waits: no element lies there while
  /// somebody waits for it.
  @Test
  void interruptsLoseNoWakeUps() throws Exception {
    BlockingQueue<String> queue = of();
    for (int round = 0; round < 100; round++) {
      try (Other<String> one = Other.start(untilInterrupted(queue::take));
          Other<String> other = Other.start(untilInterrupted(queue::take))) {
        one.awaitWaiting();
        other.awaitWaiting();
        if (round % 2 == 0) {
          queue.add("a");
          one.interrupt();
        } else {
          one.interrupt();
          queue.add("a");
        }
        String taken = one.result();
        if (taken.equals("interrupted")) {
          assertThat(other.result()).isEqualTo("a");
        } else {
          assertThat(taken).isEqualTo("a");
          queue.add("b");
          assertThat(other.result()).isEqualTo("b");
        }
      }
    }
    assertThat(queue).isEmpty();
  }

  private static Other.Work<String> untilInterrupted(Other.Work<String> work) {
    return () -> {
      try {
        return work.run();
      } catch (InterruptedException e) {
        return "interrupted";
      }
    };
  }

  // Many threads.

  static List<ThreadFactory> threads() {
    return List.of(Thread.ofPlatform().factory(), Thread.ofVirtual().factory());
  }

  /// Every element arrives once, and those of one producer in their order.
  @ParameterizedTest
  @MethodSource("threads")
  void manyProducersAndConsumers(ThreadFactory threads) throws Exception {
    int producers = 3;
    int consumers = 3;
    int each = 1_000;
    BlockingQueue<String> queue = create(7);
    List<Other<?>> all = new ArrayList<>();
    for (int i = 0; i < producers; i++) {
      String name = i + "/";
      all.add(
          Other.start(
              threads,
              () -> {
                for (int number = 0; number < each; number++) {
                  produce(queue, name + number, number);
                }
                return null;
              }));
    }
    List<Other<List<String>>> takers = new ArrayList<>();
    for (int i = 0; i < consumers; i++) {
      int kind = i;
      takers.add(Other.start(threads, () -> consume(queue, kind)));
    }
    for (Other<?> producer : all) {
      producer.result();
    }
    for (int i = 0; i < consumers; i++) {
      queue.put("end");
    }
    Set<String> received = new HashSet<>();
    for (Other<List<String>> taker : takers) {
      List<String> taken = taker.result();
      taken.forEach(element -> assertThat(received.add(element)).as("%s, once", element).isTrue());
      for (int i = 0; i < producers; i++) {
        assertThat(numbers(taken, i + "/")).isSorted().doesNotHaveDuplicates();
      }
    }
    assertThat(received).hasSize(producers * each);
    assertThat(queue).isEmpty();
  }

  private static void produce(BlockingQueue<String> queue, String element, int number)
      throws InterruptedException {
    if (number % 3 == 0) {
      queue.put(element);
    } else if (number % 3 == 1) {
      assertThat(queue.offer(element, 1_000, DAYS)).isTrue();
    } else {
      while (!queue.offer(element)) {
        Thread.yield();
      }
    }
  }

  private static List<String> consume(BlockingQueue<String> queue, int kind)
      throws InterruptedException {
    List<String> taken = new ArrayList<>();
    while (true) {
      String element =
          switch (kind) {
            case 0 -> queue.take();
            case 1 -> queue.poll(1_000, DAYS);
            default -> queue.poll();
          };
      if (element == null) {
        Thread.yield();
      } else if (element.equals("end")) {
        return taken;
      } else {
        taken.add(element);
      }
    }
  }

  private static List<Integer> numbers(List<String> elements, String prefix) {
    return elements.stream()
        .filter(element -> element.startsWith(prefix))
        .map(element -> Integer.valueOf(element.substring(prefix.length())))
        .toList();
  }

  /// Threads that take at the front, remove in the middle, drain and look, all at once: each
  /// element goes to one of them.
  @Test
  void everyElementGoesOnce() throws Exception {
    int elements = 2_000;
    BlockingQueue<String> queue = create(50);
    Set<String> gone = ConcurrentHashMap.newKeySet();
    AtomicInteger left = new AtomicInteger(elements);
    Consumer<String> take =
        element -> {
          assertThat(gone.add(element)).as("%s, once", element).isTrue();
          left.decrementAndGet();
        };
    List<Other<?>> all = new ArrayList<>();
    all.add(
        Other.start(
            () -> {
              for (int i = 0; i < elements; i++) {
                queue.put("" + i);
              }
              return null;
            }));
    all.add(Other.start(() -> repeat(left, () -> poll(queue, take))));
    all.add(
        Other.start(
            () ->
                repeat(
                    left,
                    () -> {
                      List<String> drained = new ArrayList<>();
                      assertThat(queue.drainTo(drained, 3)).isEqualTo(drained.size());
                      drained.forEach(take);
                    })));
    all.add(
        Other.start(
            () ->
                repeat(
                    left,
                    () -> {
                      for (String element : List.copyOf(queue)) {
                        if (element.endsWith("7") && queue.remove(element)) {
                          take.accept(element);
                        }
                      }
                    })));
    all.add(
        Other.start(
            () ->
                repeat(
                    left,
                    () -> {
                      List<Integer> seen = queue.stream().map(Integer::valueOf).toList();
                      assertThat(seen).isSorted().doesNotHaveDuplicates();
                      assertThat(Arrays.asList(queue.toArray())).doesNotContainNull();
                    })));
    for (Other<?> other : all) {
      other.result();
    }
    assertThat(gone)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, elements).mapToObj(i -> "" + i).toList());
    assertThat(queue.size()).isZero();
  }

  private static void poll(BlockingQueue<String> queue, Consumer<String> take) {
    String element = queue.poll();
    if (element != null) {
      take.accept(element);
    }
  }

  private static Object repeat(AtomicInteger left, Runnable action) {
    while (left.get() > 0) {
      action.run();
      Thread.yield();
    }
    return null;
  }
}
