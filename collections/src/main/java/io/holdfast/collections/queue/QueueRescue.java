package io.holdfast.collections.queue;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.collections.inspect.Rescue;
import io.holdfast.collections.inspect.Trail;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/// Gets the elements out of a queue of which parts are damaged: along the chain as far as it leads,
/// and, if the region has no other queue, from each used block that can be one of it, in the order
/// of their numbers. What the numbers leave out is reported as lost. Nothing is stored.
///
/// Not thread-safe.
public final class QueueRescue {
  private static final byte[] NO_KEY = new byte[0];

  private final Memory memory;
  private final Heap heap;
  private final long root;
  private final Rescue rescue;

  /// Blocks by the number of their first element.
  private final TreeMap<Long, Long> blocks = new TreeMap<>();

  public QueueRescue(Region region, long root, Rescue rescue) {
    this.memory = region.memory();
    this.heap = region.heap();
    this.root = root;
    this.rescue = rescue;
  }

  /// Reads all that can be read.
  ///
  /// @param others visits all places of a queue's blocks, used or not, for the numbers of elements
  ///   that were taken are below the first one's; does nothing if another queue may own them
  public void run(Trail trail, Consumer<LongConsumer> others) {
    long head = memory.readPlain(root + QueueLayout.HEAD);
    long first = QueueLayout.blockOf(head);
    int line = QueueLayout.lineOf(head);
    for (long block = first; isBlock(block) && add(block); ) {
      block = memory.readPlain(block + QueueLayout.NEXT);
    }
    boolean hasHead = isBlock(first);
    long number = hasHead ? memory.readPlain(first + QueueLayout.FIRST_NUMBER) : 0;
    long tail = memory.readPlain(root + QueueLayout.TAIL);
    if (blocks.isEmpty() || blocks.lastEntry().getValue() != tail) {
      others.accept(block -> stray(block, tail));
    }
    if (!hasHead) {
      rescue.lost(trail, "where its first element is: found=0x%X".formatted(head));
    }
    long expected = -1;
    for (Map.Entry<Long, Long> each : blocks.tailMap(number).entrySet()) {
      boolean isFirst = hasHead && each.getValue() == first;
      if (expected >= 0 && each.getKey() > expected) {
        rescue.lost(trail, "elements %d to %d".formatted(expected, each.getKey() - 1));
      }
      expected = elements(each.getValue(), each.getKey(), isFirst ? line : 0, trail);
    }
    if (!blocks.isEmpty() && blocks.lastEntry().getValue() != tail) {
      rescue.lost(trail, "elements from %d on, in an unknown number".formatted(expected));
    }
  }

  /// Takes a block that the chain does not lead to, if the next one says that it is this queue's,
  /// or is damaged itself.
  private void stray(long block, long tail) {
    if (!isBlock(block) || blocks.containsValue(block)) {
      return;
    }
    long next = memory.readPlain(block + QueueLayout.NEXT);
    boolean isIts = block == tail;
    if (next != 0 && !isIts) {
      long passed =
          memory.readPlain(next + QueueLayout.FIRST_NUMBER)
              - memory.readPlain(block + QueueLayout.FIRST_NUMBER);
      isIts = !isBlock(next) || passed >= 1 && passed <= QueueLayout.BLOCK_LINES; // CHAIN-1
    }
    if (isIts) {
      add(block);
    }
  }

  /// @return whether no other block has its numbers
  private boolean add(long block) {
    long number = memory.readPlain(block + QueueLayout.FIRST_NUMBER);
    return number >= 0 && blocks.putIfAbsent(number, block) == null;
  }

  private boolean isBlock(long block) {
    if (block <= 0
        || block % LINE_BYTES != 0
        || block > memory.length() - QueueLayout.BLOCK_BYTES) {
      return false;
    }
    long next = memory.readPlain(block + QueueLayout.NEXT);
    long meta = memory.readPlain(QueueLayout.lineOffset(block, QueueLayout.FIRST_LINE));
    return next >= 0
        && next % LINE_BYTES == 0
        && next <= memory.length() - QueueLayout.BLOCK_BYTES
        && memory.readPlain(block + QueueLayout.FIRST_NUMBER) >= 0
        && (meta == 0 && next == 0 || isElement(meta, QueueLayout.FIRST_LINE));
  }

  private static boolean isElement(long meta, int line) {
    int length = QueueLayout.length(meta);
    return (meta & ~0xff_ffff_ffffL) == 0
        && (meta & QueueLayout.PRESENT) != 0
        && (meta & 0xf8) == 0
        && length >= 0
        && (QueueLayout.isOutside(meta) || length <= QueueLayout.MAX_INLINE_BYTES)
        && line + QueueLayout.lines(meta) <= QueueLayout.BLOCK_LINES;
  }

  /// @param from elements before this line were taken
  /// @return the number after the last element
  private long elements(long block, long firstNumber, int from, Trail trail) {
    long number = firstNumber;
    int line = QueueLayout.FIRST_LINE;
    while (line < QueueLayout.BLOCK_LINES) {
      long at = QueueLayout.lineOffset(block, line);
      long meta = memory.readPlain(at);
      if (meta == 0) {
        return number;
      }
      if (!isElement(meta, line)) {
        rescue.lost(
            trail.to("block", block), "elements from %d on to the block's end".formatted(number));
        return number;
      }
      if (line >= from && !QueueLayout.isRemoved(meta)) {
        element(at, meta, trail.to("element " + number, at));
      }
      number++;
      line += QueueLayout.lines(meta);
    }
    return number;
  }

  private void element(long at, long meta, Trail trail) {
    long bytes = at + WORD_BYTES;
    int length = QueueLayout.length(meta);
    if (QueueLayout.isOutside(meta)) {
      bytes = memory.readPlain(bytes);
      try {
        heap.checkBlock(bytes, length, "a queue's element");
      } catch (RegionDamagedException e) {
        rescue.lost(trail, "its block");
        return;
      }
    }
    byte[] value = new byte[length];
    memory.readBytes(bytes, value, 0, length);
    rescue.found(NO_KEY, value);
  }
}
