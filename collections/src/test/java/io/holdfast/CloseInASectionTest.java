package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.collections.PersistentQueue;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.fixture.Intruder;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.RecordingMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// A store that is closed while a thread is in the middle of a section.
class CloseInASectionTest {
  private static Queue<String> from(Holdfast store) {
    return store.queue("from", String.class);
  }

  private static Queue<String> to(Holdfast store) {
    return store.queue("to", String.class);
  }

  @Test
  void close1WhatIsRefusedSomethingIsUndone() {
    RecordingMemory file = new RecordingMemory();
    HookedMemory memory = new HookedMemory(file);
    try (Baton threads = new Baton()) {
      Holdfast store = Holdfast.over(memory);
      Queue<String> from = from(store);
      Queue<String> to = to(store);
      from.add("element");
      threads.run(
          "mover",
          () -> {
            SectionHooks.enter();
            from.remove();
          });
      memory.beforeClose(
          () ->
              threads.run(
                  "mover",
                  () -> {
                    assertThatThrownBy(() -> to.add("element"))
                        .isInstanceOf(StoreClosedException.class);
                    SectionHooks.exit();
                  }));
      store.close();
    }
    assertThatNothingIsMoved(file);
  }

  /// It may have called `System.exit`, which waits for a hook that closes the store.
  @Test
  void aFunctionThatWaitsForTheClosing() throws Exception {
    RecordingMemory file = new RecordingMemory();
    Holdfast store = Holdfast.over(file);
    PersistentQueue<String> from = store.queue("from", String.class);
    from.add("element");
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Collection<String> target =
        new ArrayList<>() {
          @Override
          public boolean add(String element) {
            begun.countDown();
            try {
              closed.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            return super.add(element);
          }
        };
    FutureTask<Integer> drain = new FutureTask<>(() -> from.drainTo(target));
    Thread.ofPlatform().daemon().start(drain);
    begun.await();
    Thread closing = Thread.ofPlatform().daemon().start(store::close);
    assertThat(closing.join(Duration.ofSeconds(20))).as("it is closed").isTrue();
    closed.countDown();
    assertThatThrownBy(drain::get).hasCauseInstanceOf(StoreClosedException.class);
    try (Holdfast again = Holdfast.over(file)) {
      assertThat(from(again)).containsExactly("element");
    }
  }

  /// An operation that was begun before the store refused any, and ends when it does and another
  /// section has failed by that: whoever called it is told, and goes on to the section's end.
  @Test
  void close1WhatIsToldBehindAnOperationIsUndone() throws Exception {
    RecordingMemory file = new RecordingMemory();
    HookedMemory memory = new HookedMemory(file);
    try (Baton threads = new Baton()) {
      Holdfast store = Holdfast.over(memory);
      Queue<String> from = from(store);
      Queue<String> to = to(store);
      from.add("element");
      threads.run(
          "refused",
          () -> {
            SectionHooks.enter();
            to.add("another");
          });
      FutureTask<Void> taking =
          new FutureTask<>(
              () -> {
                assertThatThrownBy(() -> store.atomically(() -> from.remove()))
                    .isInstanceOf(StoreClosedException.class);
                return null;
              });
      Closing closing = new Closing(store, memory, Thread.ofPlatform().daemon().unstarted(taking));
      memory.beforeEachStore(
          () -> {
            if (closing.begin()) {
              threads.run(
                  "refused",
                  () -> {
                    assertThatThrownBy(() -> to.add("more"))
                        .isInstanceOf(StoreClosedException.class);
                    SectionHooks.exit();
                  });
            }
          });
      closing.end();
      taking.get();
    }
    assertThatNothingIsMoved(file);
  }

  /// A section that has begun before the store was closed, and learns after that, by a lock, what
  /// one has done that will be undone: uncommitted releases are told to nobody any more.
  @Test
  void close2WhatEndsBehindTheClosingIsUndone() throws Exception {
    RecordingMemory file = new RecordingMemory();
    HookedMemory memory = new HookedMemory(file);
    Holdfast store = Holdfast.over(memory);
    Queue<String> from = from(store);
    Queue<String> to = to(store);
    from.add("element");
    DurableLock lock = new DurableLock();
    Thread learning =
        Thread.ofPlatform()
            .daemon()
            .unstarted(
                () -> {
                  SectionHooks.enter();
                  to.add("element");
                  lock.lock();
                  lock.unlock();
                  SectionHooks.exit();
                });
    Closing closing = new Closing(store, memory, learning);
    Thread first =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  SectionHooks.enter();
                  lock.lock();
                  from.remove();
                  learning.start();
                  Intruder.awaitEndOrWait(learning);
                  closing.begin();
                  lock.unlock();
                });
    first.join();
    closing.end();
    assertThatNothingIsMoved(file);
  }

  private static void assertThatNothingIsMoved(RecordingMemory file) {
    try (Holdfast store = Holdfast.over(file)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.RECOVERED);
      assertThat(from(store)).containsExactly("element");
      assertThat(to(store)).isEmpty();
    }
  }

  /// Closes a store in a thread of its own, and waits for another thread between refusing
  /// operations and letting go of the memory.
  private static final class Closing {
    private final AtomicBoolean refusing = new AtomicBoolean();
    private final Thread thread;
    private final Thread awaited;

    Closing(Holdfast store, HookedMemory memory, Thread awaited) {
      this.awaited = awaited;
      this.thread = Thread.ofPlatform().daemon().unstarted(store::close);
      memory.beforeClose(
          () -> {
            refusing.set(true);
            while (awaited.isAlive()) {
              Thread.yield();
            }
          });
    }

    /// Goes on until operations are refused; once.
    synchronized boolean begin() {
      if (thread.getState() != Thread.State.NEW) {
        return false;
      }
      thread.start();
      while (!refusing.get()) {
        Thread.yield();
      }
      return true;
    }

    /// Waits until the store is closed.
    void end() throws InterruptedException {
      if (awaited.getState() == Thread.State.NEW) {
        awaited.start();
      }
      awaited.join();
      thread.join();
    }
  }
}
