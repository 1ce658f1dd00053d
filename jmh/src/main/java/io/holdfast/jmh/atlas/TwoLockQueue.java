package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.CompilerControl.Mode;

/// A linked queue with a lock for each end (Atlas, 6.4.1, `queue`; Michael and Scott's blocking
/// algorithm). One thread adds, another removes. An operation is an element that goes through.
///
/// | block | word 0 | word 1 |
/// |---|---|---|
/// | root, first line | the node before the first element | |
/// | root, second line | the last node | |
/// | node | its element | the next node |
///
/// **QUEUE-PROGRAM-1** The last node can be reached from the first, and no node is behind it.
///
/// **QUEUE-PROGRAM-2** An element is removed only when the section that added it has ended. The
/// algorithm lets the two ends meet at a word that no common lock guards; a thread that removes
/// could be durable without the one that added, and recovery would take back a node that the queue
/// stands on. So both count, and the count is raised after the end of the section. Test:
/// `TwoLockQueueTest.anElementOfASectionThatHasNotEndedIsNotThere`.
public final class TwoLockQueue extends Program {
  /// What {@link #poll} returns when there is no element.
  static final long NOTHING = Long.MIN_VALUE;

  private static final int TAIL = 64;
  private static final int ROOT_BYTES = 128;
  private static final int NEXT = 8;
  private static final int NODE_BYTES = 16;

  private final Object headLock = new Object();
  private final Object tailLock = new Object();
  private final long head;
  private final long tail;

  /// Elements that were ever added; written by who holds the tail's lock.
  private final AtomicLong added = new AtomicLong();

  /// Elements that were ever removed; written by who holds the head's lock.
  private volatile long removed;

  /// A queue, which is empty when it is new.
  public TwoLockQueue(ProgramMemory memory) {
    super(memory);
    head = memory.root(ROOT_BYTES);
    tail = head + TAIL;
    if (memory.read(head) == 0) {
      create();
    }
    added.set(elements().size());
  }

  private void create() {
    synchronized (tailLock) {
      memory.acquired(tailLock);
      try {
        long node = newNode(0);
        memory.write(head, node);
        memory.write(tail, node);
      } finally {
        memory.releasing(tailLock);
      }
    }
  }

  private long newNode(long element) {
    long node = memory.allocate(NODE_BYTES);
    memory.writeNew(node, element);
    memory.writeNew(node + NEXT, 0);
    return node;
  }

  @Override
  public int threads() {
    return 2;
  }

  @Override
  public void run(int thread, int operations) {
    if (thread == 0) {
      for (int i = 0; i < operations; i++) {
        add(i);
      }
    } else {
      for (int i = 0; i < operations; i++) {
        long element = poll();
        for (Patience patience = new Patience(); element == NOTHING; element = poll()) {
          patience.wear();
        }
        require(element == i, "out of order: element=%d, expected=%d", element, i);
      }
    }
  }

  /// Adds an element at the end.
  @CompilerControl(Mode.DONT_INLINE)
  public void add(long element) {
    synchronized (tailLock) {
      memory.acquired(tailLock);
      try {
        long node = newNode(element);
        memory.write(memory.read(tail) + NEXT, node);
        memory.write(tail, node);
      } finally {
        memory.releasing(tailLock);
      }
      added.setRelease(added.getPlain() + 1); // QUEUE-PROGRAM-2
    }
  }

  /// Removes the first element.
  ///
  /// @return {@link #NOTHING} if there is none
  @CompilerControl(Mode.DONT_INLINE)
  public long poll() {
    if (removed == added.getAcquire()) {
      return NOTHING; // without the lock: a thread that waits for an element holds nobody up
    }
    synchronized (headLock) {
      if (removed == added.getAcquire()) { // QUEUE-PROGRAM-2
        return NOTHING;
      }
      memory.acquired(headLock);
      long element;
      try {
        long before = memory.read(head);
        long first = memory.read(before + NEXT);
        element = memory.read(first);
        memory.write(head, first);
        memory.free(before, NODE_BYTES);
      } finally {
        memory.releasing(headLock);
      }
      removed = removed + 1;
      return element;
    }
  }

  private List<Long> elements() {
    List<Long> elements = new ArrayList<>();
    long node = memory.read(head);
    while (memory.read(node + NEXT) != 0) {
      node = memory.read(node + NEXT);
      elements.add(memory.read(node));
    }
    require(
        node == memory.read(tail),
        "QUEUE-PROGRAM-1: last node=0x%X, found=0x%X",
        memory.read(tail),
        node);
    return elements;
  }

  @Override
  public List<Long> content() {
    List<Long> elements = elements();
    require(
        elements.size() == added.get() - removed,
        "elements=%d, added=%d, removed=%d",
        elements.size(),
        added.get(),
        removed);
    return elements;
  }

  @Override
  public int blocks() {
    return 2 + content().size();
  }
}
