package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.holdfast.collections.PersistentQueue;
import io.holdfast.core.Durability;
import io.holdfast.core.RecoveryReport.Outcome;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Interrupts in every public call: nothing is lost, nothing is closed, and a call that is not
/// meant to be interrupted leaves the interrupt for the caller to see.
class InterruptsTest {
  private static final int WORKERS = 4;
  private static final int CALLS = 1_500;

  @TempDir Path directory;

  private final DurableLock shared = new DurableLock();
  private final Condition condition = shared.newCondition();
  private final DurableReadWriteLock readWrite = new DurableReadWriteLock();
  private final AtomicInteger actions = new AtomicInteger();
  private final AtomicInteger actionsAsked = new AtomicInteger();

  /// A thread with a queue of its own, what is in it, and a store of its own that it opens and
  /// closes.
  private final class Worker implements Callable<Void> {
    final Holdfast store;
    final String name;
    final Random random;
    final Deque<byte[]> expected = new ArrayDeque<>();
    private PersistentQueue<byte[]> queue;
    private boolean interrupted;

    Worker(Holdfast store, int number) {
      this.store = store;
      this.name = "q" + number;
      this.random = new Random(number);
    }

    @Override
    public Void call() {
      queue = store.queue(name, byte[].class);
      for (int i = 0; i < CALLS; i++) {
        interrupted = random.nextBoolean();
        if (interrupted) {
          Thread.currentThread().interrupt();
        } else {
          Thread.interrupted(); // others come from outside at any time
        }
        step();
      }
      return null;
    }

    private void step() {
      byte[] element = new byte[random.nextInt(random.nextInt(50) == 0 ? 400_000 : 2_000)];
      random.nextBytes(element);
      switch (random.nextInt(15)) {
        case 0, 1, 2 -> keeps(() -> add(element));
        case 3 -> keeps(() -> check(queue.poll(), expected.poll()));
        case 4 -> keeps(() -> check(queue.peek(), expected.peek()));
        case 5 ->
            keeps(
                () -> {
                  shared.lock();
                  try {
                    add(element);
                    check(queue.poll(), expected.poll());
                  } finally {
                    shared.unlock();
                  }
                });
        case 6 -> keeps(() -> store.atomically(() -> add(element)));
        case 7 -> keeps(store::sync);
        case 8 -> keeps(store::trim);
        case 9 ->
            keeps(
                () -> {
                  actionsAsked.incrementAndGet();
                  store.onDurable(actions::incrementAndGet);
                });
        case 10 -> keeps(this::useAnotherStore);
        case 11 -> keeps(() -> useReadWriteLock(element));
        case 12 -> mayEnd(() -> awaitUnderLock(element), () -> {});
        case 13 -> mayEnd(() -> queue.put(element), () -> expected.add(element));
        default -> {
          if (!expected.isEmpty()) {
            byte[][] taken = new byte[1][];
            mayEnd(() -> taken[0] = queue.take(), () -> check(taken[0], expected.poll()));
          } else {
            mayEnd(() -> check(queue.poll(1, TimeUnit.MILLISECONDS), null), () -> {});
          }
        }
      }
    }

    private void add(byte[] element) {
      assertThat(queue.offer(element)).isTrue();
      expected.add(element);
    }

    private void useReadWriteLock(byte[] element) {
      readWrite.writeLock().lock();
      try {
        add(element);
      } finally {
        readWrite.writeLock().unlock();
      }
      readWrite.readLock().lock();
      try {
        check(queue.peek(), expected.peek());
      } finally {
        readWrite.readLock().unlock();
      }
    }

    /// An exception ends a section as it ends a block: what was added before it stays.
    private void awaitUnderLock(byte[] element) throws InterruptedException {
      shared.lockInterruptibly();
      try {
        add(element);
        condition.await(1, TimeUnit.MILLISECONDS);
        check(queue.peek(), expected.peek());
      } finally {
        shared.unlock();
      }
    }

    private void useAnotherStore() {
      try (Holdfast other = Holdfast.open(directory.resolve(name + ".hf"))) {
        // Not always CLEAN: another worker may have stood in a section with an uncommitted release,
        // which
        // is one in every store.
        assertThat(other.recovery().entriesUndone()).isZero();
        other.queue("q", String.class).add("x");
        other.sync(); // or closing undoes it, if it depends on a section that another worker is in
      }
    }

    private void check(byte[] found, byte[] wanted) {
      if (!Arrays.equals(found, wanted)) {
        fail("%s: an element was lost or came twice".formatted(name));
      }
    }

    /// A call that an interrupt does not end.
    private void keeps(Runnable call) {
      call.run();
      if (interrupted) {
        assertThat(Thread.interrupted()).as("interrupt kept").isTrue();
      }
    }

    /// A call that an interrupt may end; then it has done nothing.
    private void mayEnd(Blocking call, Runnable done) {
      try {
        call.run();
        done.run();
      } catch (InterruptedException e) {
        // It says so instead of by the status.
      }
    }
  }

  private interface Blocking {
    void run() throws InterruptedException;
  }

  @Test
  void aBackupIsMadeInSpiteOfThem() throws Exception {
    try (Holdfast store = Holdfast.open(directory.resolve("i.hf"))) {
      store.queue("q", byte[].class).add(new byte[3 << 20]);
      Path before = directory.resolve("before.hf");
      Thread.currentThread().interrupt();
      store.backup(before);
      assertThat(Thread.interrupted()).isTrue();
      Path meanwhile = directory.resolve("meanwhile.hf");
      interruptedAllTheTime(() -> store.backup(meanwhile, 20 << 20));
      assertThat(Thread.interrupted()).isTrue();
      for (Path each : List.of(before, meanwhile)) {
        try (Holdfast copy = Holdfast.open(each)) {
          assertThat(copy.queue("q", byte[].class).element()).hasSize(3 << 20);
        }
      }
    }
  }

  private static void interruptedAllTheTime(Runnable call) {
    Thread own = Thread.currentThread();
    AtomicBoolean isDone = new AtomicBoolean();
    Thread interrupting =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!isDone.get()) {
                    own.interrupt();
                    Thread.onSpinWait();
                  }
                });
    try {
      call.run();
    } finally {
      isDone.set(true);
      while (interrupting.isAlive()) {
        Thread.onSpinWait();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void interrupt1AnOpeningComesToItsEnd(Durability durability) {
    Path file = directory.resolve("i.hf");
    Holdfast.Options options = Holdfast.Options.defaults().durability(durability);
    for (int opening = 0; opening < 3; opening++) {
      int size = opening;
      interruptedAllTheTime(
          () -> {
            try (Holdfast store = Holdfast.open(file, options)) {
              assertThat(store.queue("q", Integer.class)).hasSize(size);
              store.queue("q", Integer.class).add(size);
            }
          });
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void nothingIsLostAndNothingIsClosed() throws Exception {
    Path file = directory.resolve("i.hf");
    List<Worker> workers = new ArrayList<>();
    Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    Holdfast store = Holdfast.open(file);
    try (ExecutorService pool =
        Executors.newThreadPerTaskExecutor(
            task -> {
              Thread thread =
                  threads.size() % 2 == 0
                      ? Thread.ofPlatform().unstarted(task)
                      : Thread.ofVirtual().unstarted(task);
              threads.add(thread);
              return thread;
            })) {
      List<Future<Void>> results = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        Worker worker = new Worker(store, i);
        workers.add(worker);
        results.add(pool.submit(worker));
      }
      Random random = new Random(7);
      while (results.stream().anyMatch(result -> !result.isDone())) {
        threads.forEach(
            thread -> {
              if (random.nextInt(4) == 0) {
                thread.interrupt();
              }
            });
        Thread.sleep(0, random.nextInt(300_000));
      }
      for (Future<Void> result : results) {
        result.get();
      }
    }
    Thread.currentThread().interrupt();
    store.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(actions).hasValue(actionsAsked.get());
    try (Holdfast again = Holdfast.open(file)) {
      assertThat(again.recovery().outcome()).isEqualTo(Outcome.CLEAN);
      for (Worker worker : workers) {
        List<byte[]> left = new ArrayList<>(again.queue(worker.name, byte[].class));
        assertThat(left)
            .usingElementComparator(Arrays::compare)
            .containsExactlyElementsOf(worker.expected);
      }
    }
  }
}
