package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.core.NotYetDurableException;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What is acknowledged is durable: a block that depends on an open section returns after that.
@ExtendWith(QuietRecoveries.class)
@Timeout(60)
class AcknowledgedTest {
  private static final Transaction.Options AT_ONCE = Transaction.Options.defaults().relaxed();

  private final RecordingMemory memory = new RecordingMemory();
  private final DurableLock inner = new DurableLock();
  private final CountDownLatch isOpen = new CountDownLatch(1);
  private final CountDownLatch ends = new CountDownLatch(1);
  private Holdfast store;
  private Map<String, Integer> map;

  private enum Block {
    ATOMICALLY((store, action) -> store.atomically(action)),
    ALL_OR_NOTHING((store, action) -> store.allOrNothing(action)),
    TRANSACTION((store, action) -> store.transaction(action)),
    RELAXED((store, action) -> store.relaxed(action)),
    RELAXED_TRANSACTION((store, action) -> store.transaction(AT_ONCE, action));

    private final Form form;

    Block(Form form) {
      this.form = form;
    }
  }

  private interface Form {
    void run(Holdfast store, Runnable action);
  }

  @BeforeEach
  void open() {
    store = Holdfast.over(memory);
    map = store.hashMap("map", String.class, Integer.class);
  }

  @AfterEach
  void close() {
    ends.countDown();
    store.close();
  }

  private interface Middle {
    void run() throws Exception;
  }

  /// A thread in a section whose first half others see.
  private FutureTask<Void> blocker(Middle middle) throws InterruptedException {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              store.atomically(
                  () -> {
                    inner.lock();
                    map.put("first", 1);
                    inner.unlock();
                    isOpen.countDown();
                    run(middle);
                    map.put("second", 1);
                  });
              return null;
            });
    Thread.ofPlatform().name("blocker").start(task);
    isOpen.await();
    return task;
  }

  private static void run(Middle middle) {
    try {
      middle.run();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void buildOnIt() {
    map.merge("mine", map.get("first"), Integer::sum);
  }

  /// What a crash would leave now.
  private boolean isDurable(String key) {
    try (Holdfast recovered = Holdfast.over(memory.copy())) {
      return recovered.hashMap("map", String.class, Integer.class).containsKey(key);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ATOMICALLY", "ALL_OR_NOTHING", "TRANSACTION"})
  void aBlockReturnsWhenItIsDurable(Block block) throws Exception {
    FutureTask<Void> blocker = blocker(ends::await);
    FutureTask<Boolean> task =
        new FutureTask<>(
            () -> {
              block.form.run(store, this::buildOnIt);
              return isDurable("mine");
            });
    Thread waiting = Thread.ofPlatform().start(task);
    while (waiting.getState() == Thread.State.RUNNABLE) {
      Thread.onSpinWait();
    }
    assertThat(task).isNotDone();
    assertThat(isDurable("mine")).isFalse();
    ends.countDown();
    assertThat(task.get()).isTrue();
    blocker.get();
  }

  @ParameterizedTest
  @EnumSource(names = {"RELAXED", "RELAXED_TRANSACTION"})
  void aRelaxedOneReturnsAtOnce(Block block) throws Exception {
    FutureTask<Void> blocker = blocker(ends::await);
    List<String> ran = new ArrayList<>();
    block.form.run(
        store,
        () -> {
          buildOnIt();
          store.onDurable(() -> ran.add("durable"));
        });
    assertThat(map).containsEntry("mine", 1);
    assertThat(isDurable("mine")).isFalse();
    ends.countDown();
    store.sync();
    assertThat(isDurable("mine")).isTrue();
    blocker.get();
    store.close();
    assertThat(ran).containsExactly("durable");
  }

  /// The end of the outermost block decides.
  @Test
  void anInnerBlockReturnsAtOnce() throws Exception {
    FutureTask<Void> blocker = blocker(ends::await);
    store.relaxed(
        () -> {
          store.atomically(this::buildOnIt);
          store.transaction(this::buildOnIt);
        });
    inner.lock();
    store.atomically(this::buildOnIt);
    inner.unlock();
    assertThat(isDurable("mine")).isFalse();
    ends.countDown();
    blocker.get();
  }

  @Test
  void aCircleIsFound() throws Exception {
    Object monitor = new Object();
    FutureTask<Void> blocker;
    synchronized (monitor) {
      blocker =
          blocker(
              () -> {
                synchronized (monitor) {
                  assertThat(monitor).isNotNull();
                }
              });
      assertThatExceptionOfType(NotYetDurableException.class)
          .isThrownBy(() -> store.atomically(this::buildOnIt))
          .withMessageStartingWith(
              "recorded: atomically: what this thread did has ended and is kept")
          .satisfies(e -> assertThat(e.waitedFor().getName()).isEqualTo("blocker"));
      assertThat(map).containsEntry("mine", 1);
      assertThatExceptionOfType(NotYetDurableException.class)
          .isThrownBy(() -> store.transaction(this::buildOnIt))
          .withMessageStartingWith("recorded: transaction: ");
      assertThat(map).containsEntry("mine", 2);
    }
    store.sync();
    assertThat(isDurable("mine")).isTrue();
    blocker.get();
  }

  /// The block's own exception comes at once.
  @Test
  void afterAnExceptionNobodyWaits() throws Exception {
    FutureTask<Void> blocker = blocker(ends::await);
    IllegalStateException thrown = new IllegalStateException("of the action");
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                store.atomically(
                    () -> {
                      buildOnIt();
                      throw thrown;
                    }))
        .isSameAs(thrown);
    ends.countDown();
    blocker.get();
    assertThat(map).containsEntry("mine", 1);
  }

  /// Workers that each are done with a job of a queue don't wait for one that is not; but for one
  /// whose locks share a place in a table with theirs, as 3 of 100 do.
  @Test
  void whoDependsOnNobodyReturnsAtOnce() throws Exception {
    List<Queue<String>> queues = new ArrayList<>();
    for (int worker = 0; worker < 4; worker++) {
      queues.add(store.queue("queue" + worker, String.class));
    }
    FutureTask<Void> blocker = blocker(ends::await);
    String done = null;
    for (int worker = 0; worker < 4 && done == null; worker++) {
      Queue<String> queue = queues.get(worker);
      String key = "worker" + worker;
      FutureTask<Boolean> task = new FutureTask<>(() -> returns(queue, key));
      Thread.ofPlatform().start(task);
      done = task.get() ? key : null;
    }
    assertThat(done).isNotNull();
    assertThat(isDurable(done)).isTrue();
    ends.countDown();
    blocker.get();
  }

  private boolean returns(Queue<String> queue, String key) {
    try {
      store.atomically(() -> queue.add(key));
      store.atomically(() -> map.put(key, 1));
      return true;
    } catch (NotYetDurableException e) {
      return false;
    }
  }
}
