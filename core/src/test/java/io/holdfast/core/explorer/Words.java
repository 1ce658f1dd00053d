package io.holdfast.core.explorer;

import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.ObjLongConsumer;

/// A region with one root, a block of words: the simplest persistent structure, for tests.
public final class Words {
  private static final String NAME = "words";

  /// Where the words begin, so that finding them does not open every section to others.
  private static final Map<Region, Long> FIRST = Collections.synchronizedMap(new WeakHashMap<>());

  /// Opens a region of the smallest size.
  public static Region open(Memory memory) {
    return Region.open(memory, RegionLayout.MIN_BYTES);
  }

  /// Creates the root, with words that are zero.
  public static void create(Region region, int count) {
    region
        .roots()
        .create(
            NAME,
            "test",
            "",
            () -> {
              long block = region.heap().allocate(count * 8L);
              region.memory().zeroPlain(block, count * 8L);
              return block;
            });
    at(region, 0);
  }

  /// Where a word is.
  public static long at(Region region, int index) {
    return FIRST.computeIfAbsent(region, r -> r.roots().find(NAME).firstBlock()) + index * 8L;
  }

  /// Stores a word in the thread's section.
  public static void write(Region region, int index, long value) {
    region.sections().current().write(at(region, index), value);
  }

  public static long read(Region region, int index) {
    return region.memory().readPlain(at(region, index));
  }

  /// The first words; none if there is no root.
  public static List<Long> read(Region region, int from, int to) {
    List<Long> words = new ArrayList<>();
    Root root = region.roots().find(NAME);
    for (int i = from; root != null && i < to; i++) {
      words.add(region.memory().readPlain(root.firstBlock() + i * 8L));
    }
    return words;
  }

  /// Runs something in a section without a lock.
  public static void atomically(Runnable action) {
    SectionHooks.enter();
    try {
      action.run();
    } finally {
      SectionHooks.exit();
    }
  }

  /// How many spans have a use.
  public static long spans(Region region, Use use) {
    long[] count = new long[1];
    forEachSpan(region.memory(), (each, span) -> count[0] += each == use ? 1 : 0);
    return count[0];
  }

  /// Fills every free span with what looks like log entries of a far future, as blocks that were
  /// used and freed may leave it; and sees to it that there are some.
  public static void dirtyFreeSpans(Region region) {
    long[] block = new long[1];
    atomically(() -> block[0] = region.heap().allocate(RegionLayout.SPAN_BYTES));
    atomically(() -> region.heap().free(block[0]));
    Memory memory = region.memory();
    forEachSpan(
        memory,
        (use, span) -> {
          for (long at = span; use == Use.FREE && at < span + RegionLayout.SPAN_BYTES; at += 32) {
            memory.writePlain(at, at(region, 0));
            memory.writePlain(at + 8, 0xBADL);
            memory.writePlain(at + 24, 1L << 40 | 1);
          }
        });
  }

  private static void forEachSpan(Memory memory, ObjLongConsumer<Use> visitor) {
    for (long span = RegionLayout.SPAN_BYTES;
        span + RegionLayout.SPAN_BYTES <= memory.length();
        span += RegionLayout.SPAN_BYTES) {
      visitor.accept(SpanTable.useOf(memory.readPlain(SpanTable.wordOf(memory, span))), span);
    }
  }

  private Words() {}
}
