package io.holdfast.collections.queue;

import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;

/// Frees the blocks of a queue that was deleted, a few at a time: as if its elements were taken,
/// but nobody looks at them.
///
/// **DISPOSAL-1** What a section frees, HEAD is behind when it ends: a block is freed once. Test:
/// RootsCrashTest.root4NothingLeaks.
final class QueueDisposal {
  private final Memory memory;
  private final Heap heap;
  private final Section section;
  private final long root;

  QueueDisposal(Region region, long root) {
    this.memory = region.memory();
    this.heap = region.heap();
    this.section = region.sections().current();
    this.root = heap.checkBlock(root, QueueLayout.ROOT_BYTES, "a queue's root");
  }

  /// @param most changes to log, at least 4
  /// @return whether the last block was freed, and the root with it
  boolean freeSome(int most) {
    long word = memory.readPlain(root + QueueLayout.HEAD);
    Position at = new Position(memory, heap, QueueLayout.blockOf(word), QueueLayout.lineOf(word));
    int left = most - 2; // HEAD or the root, and a block
    long block = at.block();
    boolean more = at.findElement();
    while (more && left > 0) {
      if (at.block() != block) {
        heap.free(block);
        block = at.block();
        left--;
      }
      if (left > 0) {
        left -= free(at);
        at.pass();
        more = at.findElement();
      }
    }
    if (more) {
      if (at.block() != block) {
        heap.free(block);
      }
      section.write(
          root + QueueLayout.HEAD, QueueLayout.position(at.block(), at.line())); // DISPOSAL-1
    } else {
      heap.free(block);
      heap.free(root);
    }
    return !more;
  }

  /// @return how many changes it took
  private int free(Position at) {
    if (!QueueLayout.isOutside(at.meta()) || QueueLayout.isRemoved(at.meta())) {
      return 0;
    }
    heap.free(at.bytesOffset());
    return 1;
  }
}
