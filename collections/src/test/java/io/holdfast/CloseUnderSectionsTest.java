package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.core.HoldfastException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Stores that are closed beside hundreds of threads in the middle of sections over a map, a tree
/// and a queue; half of the threads are virtual. In a JVM of its own, as {@link
/// CloseUnderLoadTest}.
class CloseUnderSectionsTest {
  @TempDir Path directory;

  /// Closes again and again, and looks at what the next opening finds.
  static final class Closer {
    private final Path file;
    private final int threads;
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    /// By thread: the newest section that was begun, and the newest that `sync` has waited for.
    private final AtomicLongArray begun;

    private final AtomicLongArray safe;

    Closer(Path file, int threads) {
      this.file = file;
      this.threads = threads;
      this.begun = new AtomicLongArray(threads);
      this.safe = new AtomicLongArray(threads);
    }

    /// @param arguments the file, the number of threads, the number of rounds
    public static void main(String[] arguments) throws Exception {
      Closer closer = new Closer(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
      for (int round = 0; round < Integer.parseInt(arguments[2]); round++) {
        closer.round(round);
        closer.look();
        if (!closer.failures.isEmpty()) {
          closer.failures.stream().limit(3).forEach(Throwable::printStackTrace);
          System.out.println("failed in round " + round);
          System.out.flush();
          Runtime.getRuntime().halt(1);
        }
      }
      System.out.println("closed");
      System.out.flush();
      Runtime.getRuntime().halt(0);
    }

    private void round(int round) throws InterruptedException {
      Holdfast store = Holdfast.open(file);
      store.queue("queue", Long.class).clear();
      List<Thread> working = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        Thread.Builder builder = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
        working.add(builder.start(() -> work(store, thread)));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50 + 37L * round % 300));
      store.close();
      for (Thread each : working) {
        each.join();
      }
    }

    private void work(Holdfast store, int thread) {
      try {
        PersistentHashMap<Long, Long> map = store.hashMap("map", Long.class, Long.class);
        PersistentTreeMap<Long, Long> tree = store.treeMap("tree", Long.class, Long.class);
        PersistentQueue<Long> queue = store.queue("queue", Long.class);
        while (true) {
          long section = begun.incrementAndGet(thread);
          store.atomically(
              () -> {
                for (int i = 0; i < size(thread); i++) {
                  map.put(key(thread, i), section);
                  tree.put(key(thread, i), section);
                }
                queue.add(key(thread, 0));
              });
          if (section % 4 == 0) {
            store.sync();
            safe.set(thread, section);
          }
        }
      } catch (HoldfastException e) {
        if (!e.getMessage().contains(file.toString()) || !e.getMessage().contains("pen it again")) {
          failures.add(e);
        }
      } catch (Throwable e) {
        failures.add(e);
      }
    }

    /// Sections of half the virtual threads are larger than the ring of a log.
    private static int size(int thread) {
      return thread % 4 == 1 ? 150 : 5;
    }

    private static long key(int thread, int i) {
      return 1_000L * thread + i;
    }

    private void look() {
      try (Holdfast store = Holdfast.open(file)) {
        PersistentHashMap<Long, Long> map = store.hashMap("map", Long.class, Long.class);
        PersistentTreeMap<Long, Long> tree = store.treeMap("tree", Long.class, Long.class);
        PersistentQueue<Long> queue = store.queue("queue", Long.class);
        assertThat(queue).hasSize(queue.size());
        for (int thread = 0; thread < threads; thread++) {
          Long first = map.get(key(thread, 0));
          long found = first == null ? 0 : first;
          assertThat(found).isBetween(safe.get(thread), begun.get(thread));
          for (int i = 0; i < size(thread); i++) {
            assertThat(map.get(key(thread, i))).as("map, thread %d", thread).isEqualTo(first);
            assertThat(tree.get(key(thread, i))).as("tree, thread %d", thread).isEqualTo(first);
          }
          begun.set(thread, found);
        }
      } catch (RuntimeException | Error e) {
        failures.add(e);
      }
    }
  }

  @Test
  void p1EverySectionIsWholeOrNotThere() throws Exception {
    Path file = directory.resolve("c.hf");
    try (ChildJvm child = ChildJvm.start(Closer.class, file.toString(), "200", "8")) {
      assertThat(child.readLine()).isEqualTo("closed");
      assertThat(child.awaitEnd()).isZero();
    }
  }
}
