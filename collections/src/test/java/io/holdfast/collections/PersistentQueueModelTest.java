package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.testkit.RecordingMemory;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Random operations on a queue and on an `ArrayDeque`, alone and in sections. Now and then it is
/// closed, or left as by a crash, and opened again.
///
/// `-Dholdfast.seed` repeats a failure.
@ExtendWith(QuietRecoveries.class)
class PersistentQueueModelTest {
  private static final long FIRST_SEED = Long.getLong("holdfast.seed", 1);
  private static final int SEEDS = Long.getLong("holdfast.seed") == null ? 40 : 1;

  /// A queue and its model; every answer is compared.
  private static final class Pair {
    private final Random random;
    private final Deque<String> model = new ArrayDeque<>();
    private PersistentQueue<String> queue;
    private int added;

    Pair(Random random) {
      this.random = random;
    }

    /// Phases in which more is added than taken, and phases in which less is.
    void operations(int count, boolean growing) {
      for (int i = 0; i < count; i++) {
        if (random.nextInt(100) < (growing ? 62 : 38)) {
          String element = element();
          assertThat(queue.offer(element)).isTrue();
          model.add(element);
        } else {
          take();
        }
        if (random.nextInt(50) == 0) {
          look();
        }
      }
    }

    private String element() {
      int length =
          switch (random.nextInt(20)) {
            case 0 -> 1_800 + random.nextInt(250); // about the longest in the chain
            case 1 -> random.nextInt(12_000);
            case 2, 3, 4 -> random.nextInt(500);
            default -> random.nextInt(120);
          };
      return random.nextInt(400) == 0
          ? RawCodec.text("e" + added++, 30_000 + random.nextInt(200_000))
          : RawCodec.text("e" + added++, length);
    }

    private void take() {
      switch (random.nextInt(12)) {
        case 0 -> drain(random.nextInt(8));
        case 1 -> removeEqual();
        case 2 -> removeByIterator();
        case 3 -> {
          if (random.nextInt(20) == 0) {
            removeSome();
          }
        }
        case 4 -> {
          if (random.nextInt(60) == 0) {
            queue.clear();
            model.clear();
          }
        }
        default -> assertSame(queue.poll(), model.poll());
      }
    }

    private void drain(int most) {
      List<String> drained = new ArrayList<>();
      assertThat(queue.drainTo(drained, most)).isEqualTo(drained.size());
      for (String element : drained) {
        assertSame(element, model.poll());
      }
      assertThat(drained.size() == most || model.isEmpty()).isTrue();
    }

    private void removeEqual() {
      if (random.nextBoolean() || model.isEmpty()) {
        assertThat(queue.remove("none")).isFalse();
      } else {
        List<String> all = List.copyOf(model);
        String element = all.get(random.nextInt(all.size()));
        assertThat(queue.remove(element)).isEqualTo(model.remove(element)).isTrue();
      }
    }

    private void removeByIterator() {
      Iterator<String> each = queue.iterator();
      Iterator<String> same = model.iterator();
      for (int i = random.nextInt(6); i > 0 && same.hasNext(); i--) {
        assertThat(each.hasNext()).isTrue();
        assertSame(each.next(), same.next());
        if (random.nextBoolean()) {
          each.remove();
          same.remove();
        }
      }
    }

    private void removeSome() {
      int bits = random.nextInt();
      assertThat(queue.removeIf(element -> (element.hashCode() & bits & 3) == 0))
          .isEqualTo(model.removeIf(element -> (element.hashCode() & bits & 3) == 0));
    }

    private void look() {
      assertThat(queue.size()).isEqualTo(model.size());
      assertThat(queue.isEmpty()).isEqualTo(model.isEmpty());
      assertSame(queue.peek(), model.peek());
      if (!model.isEmpty()) {
        assertThat(queue.contains(model.peekLast())).isTrue();
      }
    }

    void compareAll() {
      assertThat(queue.validate()).isEqualTo(model.size());
      assertThat(shown(queue)).isEqualTo(shown(model));
    }
  }

  private static void assertSame(String found, String expected) {
    assertThat(found == null ? null : QueueRegion.shown(found))
        .isEqualTo(expected == null ? null : QueueRegion.shown(expected));
  }

  /// Short enough for a message.
  private static List<String> shown(Collection<String> elements) {
    return elements.stream().map(QueueRegion::shown).toList();
  }

  private interface Rounds {
    void run(Random random) throws Exception;
  }

  /// Names the seed of what fails.
  private static void withSeeds(int count, Rounds rounds) throws Exception {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + count; seed++) {
      try {
        rounds.run(new Random(seed));
      } catch (AssertionError | Exception e) {
        throw new AssertionError("-Dholdfast.seed=%d: %s".formatted(seed, e.getMessage()), e);
      }
    }
  }

  @Test
  void agreesWithAnArrayDeque() throws Exception {
    withSeeds(SEEDS, PersistentQueueModelTest::inMemory);
  }

  /// The bytes of a region that is not closed are what a crash of the process would leave, as long
  /// as no section is open.
  private static void inMemory(Random random) {
    RecordingMemory memory = new RecordingMemory();
    Pair pair = new Pair(random);
    QueueRegion store = QueueRegion.open(memory);
    store.create("q");
    for (int round = 0; round < 10; round++) {
      pair.queue = store.queue("q");
      boolean growing = random.nextInt(5) < 3;
      if (random.nextInt(4) == 0) {
        QueueRegion.atomically(() -> pair.operations(random.nextInt(60), growing));
      } else {
        pair.operations(random.nextInt(300), growing);
      }
      pair.compareAll();
      RecordingMemory crashed = memory.copy();
      store.close();
      memory = random.nextBoolean() ? memory : crashed;
      store = QueueRegion.open(memory);
      pair.queue = store.queue("q");
      pair.compareAll();
      store.check();
    }
    store.close();
  }

  /// A section that a crash cuts off has not been: what the model was before it is what is found.
  @Test
  void p1UnfinishedSectionsAreUndone() throws Exception {
    withSeeds(SEEDS, PersistentQueueModelTest::undone);
  }

  private static void undone(Random random) {
    RecordingMemory memory = new RecordingMemory();
    Pair pair = new Pair(random);
    QueueRegion store = QueueRegion.open(memory);
    store.create("q");
    for (int round = 0; round < 10; round++) {
      pair.queue = store.queue("q");
      pair.operations(random.nextInt(200), random.nextInt(5) < 3);
      List<String> before = List.copyOf(pair.model);
      RecordingMemory live = memory;
      RecordingMemory[] crashed = new RecordingMemory[1];
      QueueRegion.atomically(
          () -> {
            pair.operations(1 + random.nextInt(100), random.nextBoolean());
            crashed[0] = live.copy();
          });
      store.close();
      pair.model.clear();
      pair.model.addAll(before);
      memory = crashed[0];
      store = QueueRegion.open(memory);
      pair.queue = store.queue("q");
      pair.compareAll();
      store.check();
    }
    store.close();
  }

  @Test
  void agreesWithAnArrayDequeInAFile(@TempDir Path directory) throws Exception {
    int[] file = {0};
    withSeeds(
        Math.min(SEEDS, 3),
        random -> {
          Path path = directory.resolve("model" + file[0]++ + ".hf");
          Pair pair = new Pair(random);
          for (int round = 0; round < 6; round++) {
            try (Holdfast store = Holdfast.open(path)) {
              pair.queue = store.queue("q", RawCodec.RAW);
              pair.compareAll();
              pair.operations(2_000, round % 3 < 2);
              pair.compareAll();
            }
          }
        });
  }
}
