package io.holdfast.core.guarantees;

import io.holdfast.testkit.Interleavings.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Programs of three threads that take three locks in any order, nested or overlapping, and store
/// the words that these guard and a word of their own, or nothing. They have no data races.
final class RandomProgram {
  /// Lock n guards word n.
  private static final List<Object> LOCKS = List.of(Steps.X, Steps.Y, Steps.Z);

  private static final int ACQUIRES = 3;

  private final Random random;
  private final int thread;
  private final List<Step<Scene>> steps = new ArrayList<>();
  private final List<Integer> held = new ArrayList<>();

  private RandomProgram(Random random, int thread) {
    this.random = random;
    this.thread = thread;
  }

  /// The threads A, B and C and their steps; the same for the same seed.
  static Map<String, List<Step<Scene>>> threads(long seed) {
    Random random = new Random(seed);
    Map<String, List<Step<Scene>>> threads = new LinkedHashMap<>();
    for (int thread = 0; thread < 3; thread++) {
      threads.put("ABC".substring(thread, thread + 1), new RandomProgram(random, thread).make());
    }
    return threads;
  }

  private List<Step<Scene>> make() {
    boolean hasOuter = random.nextBoolean();
    if (hasOuter) {
      steps.add(Steps.enter());
    }
    int acquires = 0;
    while (acquires < ACQUIRES || !held.isEmpty()) {
      boolean acquire = acquires < ACQUIRES && held.size() < 2 && random.nextBoolean();
      if (acquire) {
        acquires += acquire(random.nextInt(LOCKS.size())) ? 1 : 0;
      } else if (!held.isEmpty()) {
        store();
        steps.add(Steps.unlock(LOCKS.get(held.remove(random.nextInt(held.size())))));
      }
    }
    if (hasOuter) {
      storeOwn();
      steps.add(Steps.exit());
    }
    return steps;
  }

  private boolean acquire(int lock) {
    if (held.contains(lock)) {
      return false;
    }
    steps.add(Steps.lock(LOCKS.get(lock)));
    held.add(lock);
    return true;
  }

  /// As a rule a word that others store too, sometimes what was read of it; or nothing.
  private void store() {
    int word = held.get(random.nextInt(held.size()));
    switch (random.nextInt(4)) {
      case 0 -> steps.add(Steps.copy(word, own()));
      case 1 -> storeOwn();
      case 2 -> steps.add(Steps.add(word, 1 + steps.size()));
      default -> {
        // this section may only read
      }
    }
  }

  private void storeOwn() {
    steps.add(Steps.store(own(), 100 * thread + steps.size()));
  }

  private int own() {
    return LOCKS.size() + thread;
  }
}
