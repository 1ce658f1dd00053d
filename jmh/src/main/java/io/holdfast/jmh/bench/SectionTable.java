package io.holdfast.jmh.bench;

import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.jmh.count.Counted;
import io.holdfast.jmh.count.CountingDomain;
import io.holdfast.jmh.process.Scratch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// What sections, and what blocks of the heap, take where the power may fail: what {@link
/// SectionBenchmark} and {@link HeapBenchmark} measure, counted.
public final class SectionTable {
  private static final int TIMES = 1_000;
  private static final int BLOCK_BYTES = 64;

  /// Blocks in use between a block's allocation and its end, as in {@link HeapBenchmark}.
  private static final int OLDER = 64;

  private SectionTable() {}

  public static List<Counted> sections() {
    return counted(
        (counter, region) -> {
          long[] block = new long[1];
          Section[] own = new Section[1]; // the thread's, of all its sections
          inSection(
              () -> {
                block[0] = region.heap().allocate(2 * BLOCK_BYTES);
                own[0] = region.sections().current();
              });
          Section section = own[0];
          long word = block[0];
          long otherLine = word + BLOCK_BYTES;
          List<Counted> rows = new ArrayList<>();
          rows.add(counter.count("section without a store", TIMES, _ -> inSection(() -> {})));
          rows.add(
              counter.count(
                  "section of one store", TIMES, i -> inSection(() -> section.write(word, i))));
          rows.add(
              counter.count(
                  "section of two stores",
                  TIMES,
                  i ->
                      inSection(
                          () -> {
                            section.write(word, i);
                            section.write(otherLine, i);
                          })));
          rows.add(
              counter.count(
                  "the same around an inner lock",
                  TIMES,
                  i ->
                      inSection(
                          () -> {
                            section.write(word, i);
                            SectionHooks.acquired(counter);
                            SectionHooks.releasing(counter);
                            section.write(otherLine, i);
                          })));
          return rows;
        });
  }

  public static List<Counted> heap() {
    return counted(
        (counter, region) -> {
          Heap heap = region.heap();
          Deque<Long> blocks = new ArrayDeque<>();
          List<Counted> rows = new ArrayList<>();
          rows.add(
              counter.count(
                  "allocate a block",
                  TIMES,
                  _ -> inSection(() -> blocks.add(heap.allocate(BLOCK_BYTES)))));
          rows.add(
              counter.count(
                  "free a block", TIMES, _ -> inSection(() -> heap.free(blocks.remove()))));
          rows.add(
              counter.count(
                  "allocate a block and free it",
                  TIMES,
                  _ -> inSection(() -> heap.free(heap.allocate(BLOCK_BYTES)))));
          inSection(
              () -> {
                for (int i = 0; i < OLDER; i++) {
                  blocks.add(heap.allocate(BLOCK_BYTES));
                }
              });
          rows.add(
              counter.count(
                  "allocate a block and free an older one",
                  TIMES,
                  _ ->
                      inSection(
                          () -> {
                            blocks.add(heap.allocate(BLOCK_BYTES));
                            heap.free(blocks.remove());
                          })));
          return rows;
        });
  }

  private interface Counting {
    List<Counted> count(Counted.Counter counter, Region region);
  }

  private static List<Counted> counted(Counting counting) {
    CountingDomain domain = new CountingDomain();
    try (Scratch scratch = new Scratch();
        RegionFile file = RegionFile.open(scratch.file("region.hf"), _ -> domain);
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      return counting.count(new Counted.Counter(domain), region);
    }
  }

  private static void inSection(Runnable action) {
    SectionHooks.enter();
    try {
      action.run();
    } finally {
      SectionHooks.exit();
    }
  }
}
