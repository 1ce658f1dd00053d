package io.holdfast.collections.queue;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.LinePadding;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;

/// A place in a queue's chain, and the way from one to the next (QUEUE-2). What is read is checked
/// before it is followed.
///
/// Confined to whoever holds the queue's lock.
final class Position extends LinePadding {
  private final Memory memory;
  private final Heap heap;
  private long block;
  private int line;
  private long meta;

  Position(Memory memory, Heap heap, long block, int line) {
    this.memory = memory;
    this.heap = heap;
    this.block = heap.checkBlock(block, QueueLayout.BLOCK_BYTES, "a queue's chain");
    this.line = line;
    if (line < QueueLayout.FIRST_LINE || line > QueueLayout.BLOCK_LINES) {
      throw damaged("a position's line", line);
    }
  }

  private Position(Memory memory, Heap heap) {
    this.memory = memory;
    this.heap = heap;
  }

  Position copy() {
    Position copy = new Position(memory, heap);
    copy.moveTo(this);
    return copy;
  }

  /// Goes where another position is.
  void moveTo(Position other) {
    block = other.block;
    line = other.line;
    meta = other.meta;
  }

  /// Looks at the place, and enters the next block if this one is over.
  ///
  /// @return whether there is an element, removed or not; if not, this is the queue's end
  boolean findElement() {
    if (lookHere()) {
      return true;
    }
    long next = memory.readAcquire(block + QueueLayout.NEXT);
    if (next == 0) {
      return false;
    }
    heap.checkBlock(next, QueueLayout.BLOCK_BYTES, "a queue's chain");
    long passed =
        memory.readPlain(next + QueueLayout.FIRST_NUMBER)
            - memory.readPlain(block + QueueLayout.FIRST_NUMBER);
    if (passed < 1 || passed > QueueLayout.BLOCK_LINES) {
      // CHAIN-1: no chain that leads back has numbers that grow.
      // Test: QueueLayoutTest.p8CycleOfRemovedElements.
      throw damaged("a queue's block whose number does not follow its predecessor's", passed);
    }
    block = next;
    line = QueueLayout.FIRST_LINE;
    if (!lookHere()) {
      // A block is linked in the section that adds its first element.
      throw damaged("a queue's block without an element", meta);
    }
    return true;
  }

  private boolean lookHere() {
    if (line == QueueLayout.BLOCK_LINES) {
      return false;
    }
    meta = memory.readAcquire(metaOffset());
    if (meta == 0) {
      return false;
    }
    boolean fits =
        (meta & QueueLayout.PRESENT) != 0
            && QueueLayout.length(meta) >= 0
            && (QueueLayout.isOutside(meta)
                || QueueLayout.length(meta) <= QueueLayout.MAX_INLINE_BYTES)
            && line + QueueLayout.lines(meta) <= QueueLayout.BLOCK_LINES;
    if (!fits) {
      throw damaged("a queue's element", meta);
    }
    return true;
  }

  /// Goes after the element here.
  void pass() {
    line += QueueLayout.lines(meta);
  }

  long block() {
    return block;
  }

  int line() {
    return line;
  }

  /// The meta word that was found.
  long meta() {
    return meta;
  }

  long metaOffset() {
    return QueueLayout.lineOffset(block, line);
  }

  /// Where the bytes of the element here are.
  long bytesOffset() {
    long inline = metaOffset() + RegionLayout.WORD_BYTES;
    if (!QueueLayout.isOutside(meta)) {
      return inline;
    }
    return heap.checkBlock(outsideBlock(), QueueLayout.length(meta), "a queue's element");
  }

  /// The block that holds the element's bytes, if it is not the chain's.
  long outsideBlock() {
    return memory.readPlain(metaOffset() + RegionLayout.WORD_BYTES);
  }

  RegionDamagedException damaged(String what, long found) {
    return new RegionDamagedException(
        "%s: the region is damaged: %s: found=0x%X, offset=0x%X. Restore it from a backup"
            .formatted(memory.name(), what, found, metaOffset()));
  }
}
