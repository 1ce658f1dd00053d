package io.holdfast.collections.queue;

import io.holdfast.codec.Codec;
import io.holdfast.collections.inspect.Inspector;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;

/// A queue on media, opened: its two ends, and how many elements are between them.
///
/// Opening reads two blocks, however long the queue is: each block knows the number of its first
/// element, so the count is the difference between the ends less the elements removed in between.
public final class QueueChain<E> {
  private final Region region;
  private final long root;
  private final QueueHead<E> head;
  private final QueueTail tail;
  private final long size;
  private final QueueRollbacks rollbacks = new QueueRollbacks();

  /// Opens the queue that a root block begins.
  ///
  /// @throws RegionDamagedException if what is read contradicts itself
  public QueueChain(Region region, Codec<E> codec, long root) {
    this.region = region;
    this.root = root;
    Memory memory = region.memory();
    this.head = new QueueHead<>(region, codec, root);
    Position end =
        new Position(
            memory,
            region.heap(),
            memory.readPlain(root + QueueLayout.TAIL),
            QueueLayout.FIRST_LINE);
    long tailBlock = end.block();
    long number = head.firstNumber(tailBlock);
    long successor = memory.readPlain(tailBlock + QueueLayout.NEXT);
    if (successor != 0) {
      throw end.damaged("a queue's last block has a successor", successor);
    }
    while (end.findElement()) {
      number++;
      end.pass();
    }
    this.tail = new QueueTail(region, root, end, number);
    long count = number - head.number() - memory.readPlain(root + QueueLayout.REMOVED_COUNT);
    // No more than the region has lines: whoever makes room by the count makes no more than that.
    boolean isPlausible =
        count >= 0
            && count <= memory.length() / RegionLayout.LINE_BYTES
            && head.number() >= 0
            && number >= head.number()
            && number <= QueueLayout.NUMBER_MAX;
    if (!isPlausible) {
      throw new RegionDamagedException(
          "%s: the region is damaged: a queue has count=%d elements from number=%d on, offset=0x%X of its root. Restore it from a backup"
              .formatted(memory.name(), count, head.number(), root));
    }
    this.size = count;
  }

  /// Makes an empty queue in the calling thread's section.
  ///
  /// @return its root block
  public static long create(Region region) {
    return QueueTail.create(region);
  }

  /// Frees some blocks of a queue that nobody can find any more, from its head on, in the calling
  /// thread's section. The section leaves a shorter queue, so that what a crash interrupts can be
  /// gone on with.
  ///
  /// @param most how many changes may be logged, at least 4
  /// @return whether these were the last
  /// @throws RegionDamagedException if what is read contradicts itself
  public static boolean freeSome(Region region, long root, int most) {
    return new QueueDisposal(region, root).freeSome(most);
  }

  public QueueHead<E> head() {
    return head;
  }

  public QueueTail tail() {
    return tail;
  }

  /// How many elements there were when the queue was opened.
  public long sizeAtOpening() {
    return size;
  }

  /// A walk over the elements from the first on. Each step is taken under both of the queue's
  /// locks.
  public QueueWalk<E> walk() {
    return new QueueWalk<>(head, rollbacks);
  }

  /// The place of an element that may be gone; under both locks.
  ///
  /// @param word where it is, as HEAD would say it
  /// @param seenRollbacks how many rollbacks there were when it was seen
  /// @return `null` if it is gone
  QueueWalk.Place place(long word, long number, int seenRollbacks) {
    return number < head.number() || rollbacks.mayHaveTaken(number, seenRollbacks)
        ? null
        : new QueueWalk.Place(head.position(word), number, rollbacks, seenRollbacks);
  }

  /// How often this queue was set back because a section was rolled back.
  public int rollbacks() {
    return rollbacks.count();
  }

  /// The elements from the tail's number on are not there any more, or the head is back; said after
  /// that.
  public void rolledBack() {
    rollbacks.add(tail.nextNumber());
  }

  /// Checks everything that the layout promises, reading the whole queue. The caller keeps others
  /// out.
  ///
  /// @return how many elements there are
  /// @throws RegionDamagedException naming the first fault and its offset
  public long validate() {
    return validate(Inspector.strict(block -> {}));
  }

  /// The same, with an inspector that is told of each block but the root's.
  ///
  /// @return as above
  /// @throws RegionDamagedException as above
  public long validate(Inspector inspector) {
    Memory memory = region.memory();
    Position at = head.position();
    long number = head.number();
    long block = at.block();
    long removed = 0;
    long present = 0;
    reach(inspector, block);
    while (at.findElement()) {
      if (at.block() != block) {
        block = at.block();
        reach(inspector, block);
        expect("a block's first number", block, number, head.firstNumber(block));
      }
      if (QueueLayout.isRemoved(at.meta())) {
        removed++;
      } else {
        present++;
        if (QueueLayout.isOutside(at.meta())) {
          reach(inspector, at.bytesOffset()); // checked: a damaged one may lead anywhere
        }
        head.decode(at);
      }
      number++;
      at.pass();
    }
    expect("TAIL", root, at.block(), memory.readPlain(root + QueueLayout.TAIL));
    expect("REMOVED", root, removed, memory.readPlain(root + QueueLayout.REMOVED_COUNT));
    return present;
  }

  private void reach(Inspector inspector, long block) {
    if (!inspector.reach(block)) {
      throw new RegionDamagedException(
          "%s: the region is damaged: a queue: a block that is reached twice, offset=0x%X. Restore it from a backup"
              .formatted(region.memory().name(), block));
    }
  }

  private void expect(String what, long offset, long expected, long found) {
    if (expected != found) {
      throw new RegionDamagedException(
          "%s: the region is damaged: %s: expected=0x%X, found=0x%X, offset=0x%X. Restore it from a backup"
              .formatted(region.memory().name(), what, expected, found, offset));
    }
  }
}
