package io.holdfast.collections;

import static io.holdfast.collections.QueueRegion.atomically;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;
import io.holdfast.collections.queue.QueueChain;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What open sections have taken of a queue, and added to it, as they see it and as others do.
@Timeout(60)
class QueueClaimsTest {
  private final RecordingMemory memory = new RecordingMemory();
  private final Baton baton = new Baton();
  private QueueRegion store;
  private PersistentQueue<String> q;

  @BeforeEach
  void open() {
    store = QueueRegion.open(memory);
    q = store.createUsed("q");
  }

  @AfterEach
  void isWhole() {
    baton.close();
    List<String> before = List.copyOf(q);
    assertThat(q.validate()).isEqualTo(q.size()).isEqualTo(before.size());
    store.checkBlocks();
    store.close();
    try (QueueRegion again = QueueRegion.open(memory)) {
      assertThat(again.queue("q")).containsExactlyElementsOf(before);
      again.check();
    }
  }

  private void begin(String thread, Runnable action) {
    baton.run(
        thread,
        () -> {
          SectionHooks.enter();
          action.run();
        });
  }

  private void end(String thread) {
    baton.run(thread, SectionHooks::exit);
  }

  /// Rolls the thread's section back, which goes on.
  private void undo() {
    memory.limitTo(memory.length());
    assertThatThrownBy(() -> store.region().heap().allocate(1L << 24))
        .isInstanceOf(RegionFullException.class)
        .hasMessageContaining("rolled back");
    memory.limitTo(Long.MAX_VALUE);
  }

  private long dependencies() {
    return store.region().sections().dependencies();
  }

  @Test
  void claim4OrderIsKept() {
    q.addAll(List.of("a", "b", "c", "d"));
    begin("A", () -> assertThat(q.poll()).isEqualTo("a"));
    begin("B", () -> assertThat(q.poll()).isEqualTo("b"));
    assertThat(q.peek()).isEqualTo("c");
    assertThat(q.poll()).isEqualTo("c");
    assertThat(q).containsExactly("d");
    assertThat(q.size()).as("those that are claimed count").isEqualTo(3);
    baton.run("A", this::undo);
    baton.run("A", () -> assertThat(q.peek()).isEqualTo("a"));
    assertThat(q).containsExactly("a", "d");
    end("B");
    end("A");
    assertThat(q).hasSize(2).containsExactly("a", "d");
    assertThat(dependencies()).isZero();
  }

  @Test
  void sectionsThatShareNothing() throws Exception {
    List<String> jobs = IntStream.range(0, 40).mapToObj(i -> "job" + i).toList();
    q.addAll(jobs);
    PersistentQueue<String> done = store.create("done");
    CountDownLatch together = new CountDownLatch(4);
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      workers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int round = 0; round < 10; round++) {
                      boolean isFirst = round == 0;
                      atomically(
                          () -> {
                            String job = q.remove();
                            if (isFirst) {
                              together.countDown();
                              await(together);
                            }
                            done.add(job);
                          });
                    }
                  }));
    }
    for (Thread worker : workers) {
      worker.join();
    }
    assertThat(q).isEmpty();
    assertThat(done).containsExactlyInAnyOrderElementsOf(jobs);
    assertThat(dependencies()).isZero();
    done.clear();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatASectionHasAddedIsItsOwn() {
    q.add("a");
    begin(
        "A",
        () -> {
          q.add("x");
          q.add("y");
          assertThat(q).hasSize(3).containsExactly("a", "x", "y");
          assertThat(q.contains("y")).isTrue();
          assertThat(q.poll()).isEqualTo("a");
          assertThat(q.peek()).isEqualTo("x");
          assertThat(q.poll()).isEqualTo("x");
          assertThat(q).hasSize(1).containsExactly("y");
        });
    assertThat(q.poll()).as("claimed, or not there yet").isNull();
    assertThat(q.peek()).isNull();
    q.add("b");
    baton.run("A", () -> assertThat(q.poll()).as("before its own").isEqualTo("b"));
    end("A");
    assertThat(q).hasSize(1).containsExactly("y");
    assertThat(dependencies()).isZero();
  }

  @Test
  void othersPassOver() {
    q.addAll(List.of("a", "b", "c", "d"));
    begin("A", () -> assertThat(q.remove("b")).isTrue());
    assertThat(q.remove("b")).isFalse();
    assertThat(q.contains("b")).isFalse();
    Iterator<String> each = q.iterator();
    assertThat(each.next()).isEqualTo("a");
    assertThat(each.next()).isEqualTo("c");
    begin("B", () -> assertThat(q.remove("c")).isTrue());
    each.remove(); // it is claimed now
    assertThat(q).containsExactly("a", "d");
    List<String> drained = new ArrayList<>();
    assertThat(q.drainTo(drained)).isEqualTo(2);
    assertThat(drained).containsExactly("a", "d");
    baton.run("B", this::undo);
    end("B");
    end("A");
    assertThat(q).containsExactly("c");
  }

  @Test
  void drainToInASectionLeavesWhatIsRefused() {
    q.addAll(List.of("a", "b", "c"));
    List<String> some =
        new ArrayList<>() {
          private static final long serialVersionUID = 1;

          @Override
          public boolean add(String element) {
            if (element.equals("b")) {
              throw new IllegalArgumentException("no b");
            }
            return super.add(element);
          }
        };
    atomically(
        () -> {
          q.add("mine");
          assertThatThrownBy(() -> q.drainTo(some)).hasMessage("no b");
          assertThat(q).containsExactly("b", "c", "mine");
          baton.run("B", () -> assertThat(q.peek()).isEqualTo("b"));
        });
    assertThat(some).containsExactly("a");
    assertThat(q).containsExactly("b", "c", "mine");
  }

  @Test
  void anElementThatCannotBeReadIsNotClaimed() {
    q.addAll(List.of("bad", "good"));
    PersistentQueue<String> picky =
        new PersistentQueue<>(
            store.region(),
            new RefusingCodec("bad"),
            store.region().roots().find("q").firstBlock(),
            Integer.MAX_VALUE);
    atomically(
        () -> {
          assertThatThrownBy(picky::poll).hasMessageContaining("can't be decoded");
          List<byte[]> bytes = new ArrayList<>();
          assertThat(picky.removeUnreadable(bytes::add)).isEqualTo(1);
          assertThat(picky.poll()).isEqualTo("good");
        });
    store.forget("q");
    q = store.queue("q");
    assertThat(q).isEmpty();
  }

  @Test
  void held2APlaceIsReserved() {
    PersistentQueue<String> two = bounded(2);
    two.add("a");
    begin(
        "A",
        () -> {
          assertThat(two.offer("x")).isTrue();
          assertThat(two.offer("y")).isFalse();
        });
    assertThat(two.offer("z")).as("the place is reserved").isFalse();
    baton.run(
        "A",
        () -> {
          assertThat(two.poll()).isEqualTo("a");
          assertThat(two.offer("y")).as("in the place of what it took").isTrue();
          assertThat(two.offer("z")).isFalse();
        });
    assertThat(two.offer("z")).as("the element may come back").isFalse();
    end("A");
    assertThat(two).containsExactly("x", "y");
    begin("A", () -> assertThat(two.poll()).isEqualTo("x"));
    assertThat(two.offer("z")).isFalse();
    end("A");
    assertThat(two.offer("z")).isTrue();
    begin("A", () -> assertThat(two.poll()).isEqualTo("y"));
    end("A");
    begin("A", () -> assertThat(two.offer("v")).isTrue());
    baton.run("A", this::undo);
    end("A");
    await(() -> two.offer("w"));
    assertThat(two).containsExactly("z", "w");
  }

  /// A thread finds a place, and another one reserves it while the first one encodes.
  @Test
  void held2APlaceIsReservedMeanwhile() {
    List<Runnable> meanwhile = new ArrayList<>();
    PersistentQueue<String> one =
        bounded(
            1,
            new RefusingCodec("") {
              @Override
              public void encode(String value, EncodedOutput out) {
                if (value.equals("late")) {
                  meanwhile.forEach(Runnable::run);
                }
                super.encode(value, out);
              }
            });
    meanwhile.add(() -> begin("A", () -> assertThat(one.offer("early")).isTrue()));
    assertThat(one.offer("late")).isFalse();
    end("A");
    assertThat(one).containsExactly("early");
  }

  private PersistentQueue<String> bounded(int capacity) {
    return bounded(capacity, RawCodec.RAW);
  }

  private PersistentQueue<String> bounded(int capacity, Codec<String> codec) {
    return new PersistentQueue<>(
        store.region(),
        codec,
        store
            .region()
            .roots()
            .create(
                "bounded",
                PersistentQueue.KIND,
                RawCodec.RAW.fingerprint(),
                () -> QueueChain.create(store.region()))
            .firstBlock(),
        capacity);
  }

  /// What is given back by a thread of its own comes soon.
  private static void await(BooleanSupplier condition) {
    try {
      while (!condition.getAsBoolean()) {
        Thread.sleep(1);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void awaitWaiting(AtomicReference<Thread> thread) {
    await(() -> thread.get() != null && thread.get().getState() == Thread.State.TIMED_WAITING);
  }

  @Test
  void wakeAWaitEndsWhenAnElementIsGivenBack() throws Exception {
    q.add("a");
    begin("A", () -> assertThat(q.poll()).isEqualTo("a"));
    AtomicReference<Thread> waiting = new AtomicReference<>();
    CompletableFuture<String> taken =
        CompletableFuture.supplyAsync(
            () -> {
              waiting.set(Thread.currentThread());
              try {
                return q.take();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            },
            task -> Thread.ofPlatform().start(task));
    awaitWaiting(waiting);
    baton.run("A", this::undo);
    assertThat(taken.get(30, TimeUnit.SECONDS)).isEqualTo("a");
    end("A");
  }

  @Test
  void wakeAWaitEndsWhenASectionEnds() throws Exception {
    PersistentQueue<String> one = bounded(1);
    one.add("a");
    begin("A", () -> assertThat(one.poll()).isEqualTo("a"));
    CompletableFuture<Void> added = putsInAnotherThread(one);
    end("A");
    added.get(30, TimeUnit.SECONDS);
    assertThat(one).containsExactly("b");
  }

  @Test
  void wakeAWaitEndsWhenAPlaceIsGivenBack() throws Exception {
    PersistentQueue<String> one = bounded(1);
    begin("A", () -> assertThat(one.offer("a")).isTrue());
    CompletableFuture<Void> added = putsInAnotherThread(one);
    baton.run("A", this::undo);
    added.get(30, TimeUnit.SECONDS);
    end("A");
    assertThat(one).containsExactly("b");
  }

  /// Is back when that waits.
  private static CompletableFuture<Void> putsInAnotherThread(PersistentQueue<String> queue) {
    AtomicReference<Thread> waiting = new AtomicReference<>();
    CompletableFuture<Void> added =
        CompletableFuture.runAsync(
            () -> {
              waiting.set(Thread.currentThread());
              try {
                queue.put("b");
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            },
            task -> Thread.ofPlatform().start(task));
    awaitWaiting(waiting);
    return added;
  }

  /// A section that waits lets others see what it has held back of all collections.
  @Test
  void aSectionThatWaitsIsSeen() throws Exception {
    PersistentQueue<String> answers = store.create("answers");
    Thread asks =
        Thread.ofPlatform()
            .start(
                () ->
                    atomically(
                        () -> {
                          q.add("question");
                          try {
                            assertThat(answers.take()).isEqualTo("answer");
                          } catch (InterruptedException e) {
                            throw new AssertionError(e);
                          }
                        }));
    assertThat(q.take()).isEqualTo("question");
    answers.put("answer");
    asks.join();
    assertThat(answers).isEmpty();
    assertThat(q).isEmpty();
  }

  @Test
  void manyClaimsAreFoundQuickly() {
    int count = 20_000;
    for (int i = 0; i < 2 * count; i++) {
      q.add("e" + i);
    }
    begin(
        "A",
        () -> {
          for (int i = 0; i < count; i++) {
            assertThat(q.poll()).isEqualTo("e" + i);
          }
        });
    for (int i = count; i < 2 * count - 1; i++) {
      assertThat(q.poll()).isEqualTo("e" + i);
    }
    end("A");
    assertThat(q).containsExactly("e" + (2 * count - 1));
    assertThat(q.poll()).isEqualTo("e" + (2 * count - 1));
  }

  /// Reads all but one text.
  private static class RefusingCodec implements Codec<String> {
    private final String refused;

    RefusingCodec(String refused) {
      this.refused = refused;
    }

    @Override
    public void encode(String value, EncodedOutput out) {
      RawCodec.RAW.encode(value, out);
    }

    @Override
    public String decode(EncodedInput in) {
      String read = RawCodec.RAW.decode(in);
      if (read.equals(refused)) {
        throw new CodecException("refused");
      }
      return read;
    }

    @Override
    public String fingerprint() {
      return RawCodec.RAW.fingerprint();
    }
  }
}
