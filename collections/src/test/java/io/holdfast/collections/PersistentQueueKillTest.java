package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.ChildJvm;
import io.holdfast.Holdfast;
import io.holdfast.core.RecoveryReport.Outcome;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Processes that are killed while several threads move elements between queues: each move a
/// section, so that no element is ever lost or there twice.
@Timeout(120)
class PersistentQueueKillTest {
  private static final int KILLS = Integer.getInteger("holdfast.kills", 20);
  private static final int KILLS_OF_ADDERS = 8;
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

  /// Adds numbers one after the other, and says of each that it is there; from the second block of
  /// ten on, it takes one for each that it adds.
  static final class Adder {
    public static void main(String[] args) {
      Holdfast store = Holdfast.open(Path.of(args[0]));
      PersistentQueue<String> queue = store.queue("numbers", String.class);
      PersistentQueue<String> taken = store.queue("taken", String.class);
      PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
      for (int number = Integer.parseInt(args[1]); ; number++) {
        queue.add(element(number));
        out.println("added " + number);
        if (queue.size() > 20) {
          store.atomically(() -> taken.add(queue.remove()));
          out.println("taken " + taken.size());
        }
      }
    }
  }

  /// What was said to be done is done; besides, at most what was in flight.
  @Test
  void p6WhatWasAcknowledgedIsThere(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("numbers.hf");
    int added = 0;
    int taken = 0;
    for (int kill = 0; kill < KILLS_OF_ADDERS; kill++) {
      int addedBefore = added;
      try (ChildJvm child = ChildJvm.start(Adder.class, file.toString(), "" + added)) {
        int stopAt = added + 40 + 37 * kill;
        String line = child.readLine();
        boolean killed = false;
        while (line != null) {
          int number = Integer.parseInt(line.substring(6));
          if (line.startsWith("added")) {
            assertThat(number).isEqualTo(added);
            added++;
          } else {
            taken = number;
          }
          if (!killed && added == stopAt) {
            assertThat(child.kill()).isEqualTo(ChildJvm.KILLED);
            killed = true;
          }
          line = child.readLine(); // what it said before it died is read after its death
        }
        assertThat(killed).isTrue();
      }
      try (Holdfast store = Holdfast.open(file)) {
        PersistentQueue<String> queue = store.queue("numbers", String.class);
        PersistentQueue<String> moved = store.queue("taken", String.class);
        assertThat(moved.validate()).isBetween((long) taken, taken + 1L);
        assertThat(moved.size() + queue.validate()).isBetween((long) added, added + 1L);
        taken = moved.size();
        added = moved.size() + queue.size();
        assertThat(added).isGreaterThan(addedBefore);
        assertThat(Stream.concat(moved.stream(), queue.stream()))
            .containsExactlyElementsOf(
                IntStream.range(0, added).mapToObj(PersistentQueueKillTest::element).toList());
      }
    }
  }
}
