package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.ChildJvm;
import io.holdfast.Holdfast;
import io.holdfast.core.RecoveryReport.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Processes that are killed while several threads move elements between queues: each move a
/// section, so that no element is ever lost or there twice.
@Timeout(120)
class PersistentQueueKillTest {
  private static final int KILLS = Integer.getInteger("holdfast.kills", 20);
  private static final int QUEUES = 3, THREADS = 4, ELEMENTS = 600;
  private static final List<String> ALL =
      IntStream.range(0, ELEMENTS).mapToObj(PersistentQueueKillTest::element).sorted().toList();

  /// Some in a line, some in several, some outside of the chain.
  private static String element(int number) {
    return "%04d".formatted(number)
        + "x".repeat(number % 50 == 0 ? 3_000 : number % 7 == 0 ? 300 : number % 40);
  }

  private static List<PersistentQueue<String>> queues(Holdfast store) {
    return IntStream.range(0, QUEUES)
        .mapToObj(number -> store.queue("queue " + number, String.class))
        .toList();
  }

  /// Moves elements until it is killed.
  static final class Mover {
    public static void main(String[] args) {
      Holdfast store = Holdfast.open(Path.of(args[0]));
      List<PersistentQueue<String>> queues = queues(store);
      for (int i = 0; i < THREADS; i++) {
        Thread.ofPlatform().start(() -> move(store, queues));
      }
      System.out.println("ready");
    }

    private static void move(Holdfast store, List<PersistentQueue<String>> queues) {
      Random random = ThreadLocalRandom.current();
      try {
        while (true) {
          int moves = 1 + random.nextInt(3);
          store.atomically(
              () -> {
                for (int i = 0; i < moves; i++) {
                  String element = queues.get(random.nextInt(QUEUES)).poll();
                  if (element != null) {
                    queues.get(random.nextInt(QUEUES)).add(element);
                  }
                }
              });
        }
      } catch (Throwable e) {
        e.printStackTrace();
        Runtime.getRuntime().halt(1);
      }
    }
  }

  @Test
  void p1ElementsAreConserved(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("moved.hf");
    try (Holdfast store = Holdfast.open(file)) {
      queues(store).getFirst().addAll(ALL);
    }
    long seed = Long.getLong("holdfast.seed", System.nanoTime());
    System.out.println("kills=%d, -Dholdfast.seed=%d".formatted(KILLS, seed));
    Random random = new Random(seed);
    long undone = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      try (ChildJvm child = ChildJvm.start(Mover.class, file.toString())) {
        assertThat(child.readLine()).isEqualTo("ready");
        Thread.sleep(random.nextInt(150));
        assertThat(child.kill()).isEqualTo(ChildJvm.KILLED);
      }
      try (Holdfast store = Holdfast.open(file)) {
        assertThat(store.recovery().outcome()).isEqualTo(Outcome.RECOVERED);
        undone += store.recovery().sectionsUndone();
        List<String> found = new ArrayList<>();
        for (PersistentQueue<String> queue : queues(store)) {
          assertThat(queue.validate()).isEqualTo(queue.size());
          found.addAll(queue);
        }
        found.sort(null);
        assertThat(found).as("after kill %d, seed %d", kill, seed).isEqualTo(ALL);
      }
    }
    System.out.println("survived kills=%d, sections undone=%d".formatted(KILLS, undone));
  }
}
