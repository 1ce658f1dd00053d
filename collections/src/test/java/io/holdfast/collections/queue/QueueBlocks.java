package io.holdfast.collections.queue;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import java.util.Set;
import java.util.TreeSet;

/// Which blocks a queue is made of, read from media alone.
public final class QueueBlocks {
  /// The offsets of the root block, the chain from HEAD on, and the bytes outside of it.
  public static Set<Long> of(Region region, long root) {
    Memory memory = region.memory();
    Set<Long> blocks = new TreeSet<>();
    blocks.add(root);
    long head = memory.readPlain(root + QueueLayout.HEAD);
    long first = QueueLayout.blockOf(head);
    for (long block = first; block != 0; block = memory.readPlain(block + QueueLayout.NEXT)) {
      blocks.add(block);
    }
    Position at = new Position(memory, region.heap(), first, QueueLayout.lineOf(head));
    while (at.findElement()) {
      if (QueueLayout.isOutside(at.meta()) && !QueueLayout.isRemoved(at.meta())) {
        blocks.add(at.outsideBlock());
      }
      at.pass();
    }
    return blocks;
  }

  /// The longest element that is stored in the chain itself.
  public static final int MAX_INLINE_BYTES = QueueLayout.MAX_INLINE_BYTES;

  /// Elements of one line that a block holds.
  public static final int LINES = QueueLayout.BLOCK_LINES - QueueLayout.FIRST_LINE;

  /// What a queue allocates when it is created.
  public static final long ROOT_BYTES = QueueLayout.ROOT_BYTES;

  public static final long BLOCK_BYTES = QueueLayout.BLOCK_BYTES;

  private QueueBlocks() {}
}
