package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.PersistentQueue;
import io.holdfast.core.Durability;
import io.holdfast.core.StoreClosedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Stores that are closed while threads are in every public call, in a JVM of its own: what would
/// access memory that is gone could take the JVM with it.
class CloseUnderLoadTest {
  private static final int ROUNDS = 60;
  private static final int WORKERS = 6;

  @TempDir Path directory;

  /// Opens, works, and closes from two threads at once.
  static final class Closer {
    private static final Queue<Throwable> FAILURES = new ConcurrentLinkedQueue<>();

    public static void main(String[] arguments) throws Exception {
      Path file = Path.of(arguments[0]);
      Holdfast.Options options =
          Holdfast.Options.defaults()
              .durability(Durability.valueOf(arguments[1]))
              .treatAsPersistentMemory();
      Random random = new Random(7);
      for (int round = 0; round < ROUNDS && FAILURES.isEmpty(); round++) {
        Holdfast store = Holdfast.open(file, options);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
          long seed = random.nextLong();
          Runnable work = () -> work(store, new Random(seed));
          threads.add(
              i % 2 == 0 ? Thread.ofPlatform().start(work) : Thread.ofVirtual().start(work));
        }
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(20_000)));
        threads.add(Thread.ofPlatform().start(store::close));
        store.close();
        store.close();
        for (Thread thread : threads) {
          thread.join();
        }
      }
      FAILURES.forEach(Throwable::printStackTrace);
      System.out.println(FAILURES.isEmpty() ? "closed" : "failed");
      System.out.flush();
      Runtime.getRuntime().halt(0);
    }

    private static void work(Holdfast store, Random random) {
      try {
        DurableLock lock = new DurableLock();
        while (true) {
          try {
            call(store, lock, random);
          } catch (InterruptedException e) {
            // The JVM interrupts a platform thread that it catches in an access to an arena which
            // is
            // closed (MAPPING-3).
          }
        }
      } catch (StoreClosedException e) {
        // As it has to be.
      } catch (Throwable e) {
        FAILURES.add(e);
      }
    }

    private static void call(Holdfast store, DurableLock lock, Random random) throws Exception {
      PersistentQueue<byte[]> queue = store.queue("q" + random.nextInt(3), byte[].class);
      byte[] element = new byte[random.nextInt(random.nextInt(20) == 0 ? 300_000 : 3_000)];
      switch (random.nextInt(12)) {
        case 0, 1 -> queue.offer(element);
        case 2, 3 -> queue.poll();
        case 4 -> queue.poll(1, TimeUnit.MICROSECONDS);
        case 5 -> queue.take();
        case 6 -> queue.stream().limit(20).count();
        case 7 -> {
          while (queue.size() > 100) {
            queue.remove();
          }
        }
        case 8 -> {
          lock.lock();
          try {
            queue.offer(element);
            queue.poll();
          } finally {
            lock.unlock();
          }
        }
        case 9 -> store.atomically(() -> queue.addAll(List.of(element, element)));
        case 10 -> {
          store.onDurable(queue::peek);
          store.sync();
        }
        default -> store.trim();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void noThreadTakesTheJvmWithIt(Durability durability) throws Exception {
    Path file = directory.resolve("c.hf");
    try (ChildJvm child = ChildJvm.start(Closer.class, file.toString(), durability.toString())) {
      assertThat(child.readLine()).isEqualTo("closed");
      assertThat(child.awaitEnd()).isZero();
    }
    try (Holdfast store = Holdfast.open(file)) {
      for (int i = 0; i < 3; i++) {
        PersistentQueue<byte[]> queue = store.queue("q" + i, byte[].class);
        assertThat(queue).hasSize(queue.size());
      }
    }
  }
}
