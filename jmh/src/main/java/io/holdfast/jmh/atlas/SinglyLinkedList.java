package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.CompilerControl.Mode;

/// A list that elements are inserted into, at its beginning, starting with none (Atlas, 6.3, Figure
/// 7(c), `sll`). Two threads. An operation is an insertion.
///
/// | block | word 0 | word 1 |
/// |---|---|---|
/// | root | the first node | how many nodes there are |
/// | node | its element | the next node |
///
/// **SLL-1** As many nodes can be reached as there are.
public final class SinglyLinkedList extends Program {
  private static final int THREADS = 2;
  private static final int LENGTH = 8;
  private static final int ROOT_BYTES = 16;
  private static final int NEXT = 8;
  private static final int NODE_BYTES = 16;

  /// Nodes that one section removes when the list is cleared: as many as its log holds without
  /// another chunk.
  private static final int CLEARED_AT_ONCE = 32;

  private final Object lock = new Object();
  private final long root;

  public SinglyLinkedList(ProgramMemory memory) {
    super(memory);
    root = memory.root(ROOT_BYTES);
  }

  @Override
  public int threads() {
    return THREADS;
  }

  @Override
  public void run(int thread, int operations) {
    for (int i = thread; i < operations; i += THREADS) {
      insert(i);
    }
  }

  /// Inserts an element at the beginning.
  @CompilerControl(Mode.DONT_INLINE)
  public void insert(long element) {
    synchronized (lock) {
      memory.acquired(lock);
      try {
        long node = memory.allocate(NODE_BYTES);
        memory.writeNew(node, element);
        memory.writeNew(node + NEXT, memory.read(root));
        memory.write(root, node);
        memory.write(root + LENGTH, memory.read(root + LENGTH) + 1);
      } finally {
        memory.releasing(lock);
      }
    }
  }

  /// Removes the first elements, at most.
  public void remove(int count) {
    synchronized (lock) {
      memory.acquired(lock);
      try {
        long first = memory.read(root);
        long length = memory.read(root + LENGTH);
        for (int i = 0; i < count && first != 0; i++) {
          long next = memory.read(first + NEXT);
          memory.free(first, NODE_BYTES);
          first = next;
          length--;
        }
        memory.write(root, first);
        memory.write(root + LENGTH, length);
      } finally {
        memory.releasing(lock);
      }
    }
  }

  /// Removes all elements.
  @Override
  public void clear() {
    while (memory.read(root) != 0) {
      remove(CLEARED_AT_ONCE);
    }
  }

  @Override
  public List<Long> content() {
    List<Long> elements = new ArrayList<>();
    for (long node = memory.read(root); node != 0; node = memory.read(node + NEXT)) {
      elements.add(memory.read(node));
    }
    require(
        elements.size() == memory.read(root + LENGTH),
        "SLL-1: nodes=%d, length=%d",
        elements.size(),
        memory.read(root + LENGTH));
    return elements;
  }

  @Override
  public int blocks() {
    return 1 + content().size();
  }
}
