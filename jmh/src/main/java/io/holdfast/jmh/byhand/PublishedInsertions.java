package io.holdfast.jmh.byhand;

import io.holdfast.core.memory.Memory;

/// Insertions by copying (Atlas, 6.3): what the list says of itself, its first node and its length,
/// is not changed but copied to the new node, and one pointer publishes both. Two round trips, a
/// line each, and nothing to recover: a node that no pointer leads to is overwritten.
final class PublishedInsertions extends Insertions {
  private static final int LENGTH_FROM_HERE = 16;
  private static final int USED_BYTES = 24;

  PublishedInsertions(Area area) {
    super(area);
  }

  @Override
  long length() {
    long first = first();
    return first == 0 ? 0 : area.memory.readPlain(first + LENGTH_FROM_HERE);
  }

  @Override
  public void insert(long element) {
    Memory memory = area.memory;
    long length = length();
    long node = node(length);
    memory.writePlain(node, element);
    memory.writePlain(node + NEXT, first());
    memory.writePlain(node + LENGTH_FROM_HERE, length + 1);
    // **PUBLISH-1** The node is durable before the pointer to it. Test: ByHandCrashTest.insertions.
    area.persist(node, USED_BYTES);
    memory.writeRelease(area.at, node);
    // Who was told of the insertion finds it. Test: ByHandCrashTest.insertions.
    area.persist(area.at, Long.BYTES);
  }
}
