package io.holdfast.jmh.bench;

import io.holdfast.Holdfast;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.jmh.count.Counted;
import io.holdfast.jmh.count.CountingDomain;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.HoldfastTransfers;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.queue.BenchmarkQueue;
import io.holdfast.jmh.queue.HoldfastQueue;
import java.util.List;

/// What a queue's operations and a transaction over two collections take where the power may fail,
/// counted below a {@link io.holdfast.Holdfast}.
public final class StoreTable {
  private static final int OPERATIONS = 20_000;
  private static final int ENTRIES = 10_000;

  private StoreTable() {}

  public static List<Counted> queue() {
    CountingDomain domain = new CountingDomain();
    try (Scratch scratch = new Scratch();
        RegionFile file = RegionFile.open(scratch.file("queue.hf"), _ -> domain);
        HoldfastQueue queue = new HoldfastQueue(Holdfast.over(file.memory()))) {
      Counted.Counter counter = new Counted.Counter(domain);
      BenchmarkQueue.Access access = queue.access();
      Elements elements = new Elements();
      return List.of(
          counter.count(
              "offer of 64 bytes, growth included",
              OPERATIONS,
              _ -> access.offer(elements.fresh())),
          counter.count("poll, chunks given back included", OPERATIONS / 2, _ -> access.poll()),
          counter.count(
              "offer and poll",
              OPERATIONS,
              _ -> {
                access.offer(elements.fresh());
                access.poll();
              }));
    }
  }

  public static List<Counted> transfers() {
    CountingDomain domain = new CountingDomain();
    try (Scratch scratch = new Scratch();
        RegionFile file = RegionFile.open(scratch.file("transfers.hf"), _ -> domain);
        HoldfastTransfers collections =
            new HoldfastTransfers(Holdfast.over(file.memory()), ENTRIES)) {
      Draws draws = new Draws(1);
      return List.of(
          new Counted.Counter(domain)
              .count(
                  "transfer",
                  OPERATIONS,
                  _ -> collections.transfer(draws.item(ENTRIES), draws.item(ENTRIES), 1)));
    }
  }
}
