package io.holdfast.verification;

import io.holdfast.Holdfast;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;

/// A store in use, and what a loss of power leaves of its file if it is in the page cache: some
/// pages as they were at one moment, the others as at a later one.
///
/// Accounts in both kinds of maps, whose sums never change, and a queue of ascending numbers.
final class MixedMoments {
  static final int PAGE_BYTES = 4096;
  static final int ACCOUNTS = 400;
  static final long BALANCE = 1_000;

  /// Where the region says in which run of the system it was open.
  static final int RUN_OFFSET = 0x100;

  /// A run of the system that no machine has had.
  static final long ANOTHER_RUN = 0x0BAD_B007_0BAD_B007L;

  private final SplittableRandom random;
  private final Holdfast store;
  private final Map<Long, Long> hashed;
  private final Map<Long, Long> sorted;
  private final Map<Long, String> texts;
  private final Queue<String> queue;
  private long offered;

  MixedMoments(Holdfast store, long seed) {
    this.store = store;
    this.random = new SplittableRandom(seed);
    this.hashed = store.hashMap("hashed", Long.class, Long.class);
    this.sorted = store.treeMap("sorted", Long.class, Long.class);
    this.texts = store.hashMap("texts", Long.class, String.class);
    this.queue = store.queue("queue", String.class);
    for (long i = 0; i < ACCOUNTS; i++) {
      hashed.put(i, BALANCE);
      sorted.put(i, BALANCE);
    }
  }

  /// Does some hundred things to each collection.
  void work(int operations) {
    for (int i = 0; i < operations; i++) {
      switch (random.nextInt(4)) {
        case 0 -> transfer(hashed);
        case 1 -> transfer(sorted);
        case 2 -> {
          long key = random.nextInt(2_000);
          if (random.nextInt(3) == 0) {
            texts.remove(key);
          } else {
            texts.put(key, "text " + key + ".".repeat(random.nextInt(300)));
          }
        }
        default -> {
          if (random.nextInt(5) < 2) {
            queue.poll();
          } else {
            queue.add(element(offered++));
          }
        }
      }
    }
  }

  static String element(long number) {
    return number + " ".repeat((int) (number % 50));
  }

  private void transfer(Map<Long, Long> accounts) {
    long from = random.nextInt(ACCOUNTS);
    long to = random.nextInt(ACCOUNTS);
    long amount = random.nextInt(10);
    store.atomically(
        () -> {
          accounts.merge(from, -amount, Long::sum);
          accounts.merge(to, amount, Long::sum);
        });
  }

  /// The file as it is at this moment.
  byte[] snapshot() {
    try {
      return Files.readAllBytes(store.path());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Pages of two moments, in a file as long as the later one, of another run of the system.
  static byte[] mixed(byte[] earlier, byte[] later, SplittableRandom random) {
    byte[] mixed = later.clone();
    boolean inRuns = random.nextBoolean();
    double share = random.nextDouble();
    boolean old = random.nextDouble() < share;
    for (int at = PAGE_BYTES; at < mixed.length; at += PAGE_BYTES) {
      if (!inRuns || random.nextInt(40) == 0) {
        old = random.nextDouble() < share;
      }
      if (old) {
        int there = Math.max(0, Math.min(PAGE_BYTES, earlier.length - at));
        System.arraycopy(earlier, Math.min(at, earlier.length), mixed, at, there);
        Arrays.fill(mixed, at + there, at + PAGE_BYTES, (byte) 0);
      }
    }
    ByteBuffer.wrap(mixed).order(ByteOrder.LITTLE_ENDIAN).putLong(RUN_OFFSET, ANOTHER_RUN);
    return mixed;
  }

  /// What is wrong in an opened store, in words; empty if nothing is.
  static List<String> wrongIn(Holdfast store) {
    List<String> wrong = new ArrayList<>();
    for (String name : List.of("hashed", "sorted")) {
      Map<Long, Long> accounts =
          name.equals("hashed")
              ? store.hashMap(name, Long.class, Long.class)
              : store.treeMap(name, Long.class, Long.class);
      long sum = accounts.values().stream().mapToLong(Long::longValue).sum();
      if (sum != ACCOUNTS * BALANCE) {
        wrong.add(name + ": sum");
      }
      walk(name, accounts, wrong);
    }
    walk("texts", store.hashMap("texts", Long.class, String.class), wrong);
    List<String> elements = new ArrayList<>(store.queue("queue", String.class));
    int size = store.queue("queue", String.class).size();
    if (size != elements.size()) {
      wrong.add("queue: size");
    }
    for (int i = 1; i < elements.size(); i++) {
      if (!elements.get(i).equals(element(Long.parseLong(elements.get(i - 1).strip()) + 1))) {
        wrong.add("queue: gap");
        break;
      }
    }
    return wrong;
  }

  private static void walk(String name, Map<Long, ?> map, List<String> wrong) {
    int entries = 0;
    for (Map.Entry<Long, ?> each : map.entrySet()) {
      entries++;
      if (!each.getValue().equals(map.get(each.getKey()))) {
        wrong.add(name + ": get");
      }
    }
    if (entries != map.size()) {
      wrong.add(name + ": size");
    }
  }
}
