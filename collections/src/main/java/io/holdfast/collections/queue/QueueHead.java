package io.holdfast.collections.queue;

import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.codec.EncodedInput;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.heap.RootDirectory;
import io.holdfast.core.memory.LinePadding;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.VolatileState;
import java.util.ArrayList;
import java.util.List;

/// The end of a queue that elements are taken from. Guarded by the queue's take lock, whose section
/// its changes belong to.
///
/// Taking an element is one store, of HEAD. Blocks that it leaves behind are freed in the same
/// section. An element that can't be decoded is not taken: the exception leaves the queue as it
/// was.
public final class QueueHead<E> extends LinePadding implements VolatileState {
  /// Blocks that are left behind at once: a section reserves room for 2,045 stores at most.
  private static final int BLOCKS_MAX = 1_000;

  private final Memory memory;
  private final Heap heap;
  private final RootDirectory roots;
  private final Codec<E> codec;
  private final long root;
  private final EncodedInput input = new EncodedInput();
  private byte[] bytes = new byte[256];
  private final Position head;
  private long number;

  // What they were before the section that changes them.
  private final Position savedHead;
  private long savedNumber;

  // What first() found on its way, for removeFirst().
  private final Position found;
  private List<Long> blocksLeft = List.of();
  private long passed;

  QueueHead(Region region, Codec<E> codec, long root) {
    this.memory = region.memory();
    this.heap = region.heap();
    this.roots = region.roots();
    this.codec = codec;
    this.root = heap.checkBlock(root, QueueLayout.ROOT_BYTES, "a queue's root");
    long word = memory.readPlain(root + QueueLayout.HEAD);
    this.head = new Position(memory, heap, QueueLayout.blockOf(word), QueueLayout.lineOf(word));
    this.found = head.copy();
    this.savedHead = head.copy();
    this.number = firstNumber(head.block());
    Position at = new Position(memory, heap, head.block(), QueueLayout.FIRST_LINE);
    while (at.block() == head.block() && at.line() < head.line() && at.findElement()) {
      number++;
      at.pass();
    }
  }

  private String queueName() {
    String name = roots.nameOf(root);
    return name == null ? "a queue" : "the queue \"%s\"".formatted(name);
  }

  long firstNumber(long block) {
    return memory.readPlain(block + QueueLayout.FIRST_NUMBER);
  }

  /// The number of the first element, or of the next one to come. Numbers count all elements that
  /// ever were.
  long number() {
    return number;
  }

  @Override
  public void save() {
    savedHead.moveTo(head);
    savedNumber = number;
  }

  @Override
  public void restore() {
    head.moveTo(savedHead);
    number = savedNumber;
  }

  /// Has a position be at the first element.
  void begin(Position at) {
    at.moveTo(head);
  }

  /// The position that a word like HEAD says, of an element that is still there.
  Position position(long word) {
    return new Position(memory, heap, QueueLayout.blockOf(word), QueueLayout.lineOf(word));
  }

  /// A position at the first element, for walking.
  Position position() {
    return head.copy();
  }

  /// Finds and decodes the first element, which is known to be there.
  ///
  /// @throws io.holdfast.codec.CodecException if its bytes are not what the codec writes
  public E first() {
    Position at = found;
    at.moveTo(head);
    if (!blocksLeft.isEmpty()) { // storing a reference each time would be a collector's barrier
      blocksLeft = List.of();
    }
    passed = 0;
    while (true) {
      long before = at.block();
      if (!at.findElement()) {
        throw at.damaged("an element that the queue's numbers promise is not there", at.meta());
      }
      if (at.block() != before) {
        leave(before, at.block());
      }
      if (!QueueLayout.isRemoved(at.meta())) {
        break;
      }
      passed++;
      if (passed > memory.readPlain(root + QueueLayout.REMOVED_COUNT)) {
        throw at.damaged("a queue's removed element that REMOVED does not count", at.meta());
      }
      at.pass();
    }
    return decode(at);
  }

  /// Takes the element that {@link #first} found.
  ///
  /// @param changed what is set back if the section is rolled back, this included
  public void removeFirst(Section section, VolatileState changed) {
    boolean outside = QueueLayout.isOutside(found.meta());
    long freed = outside ? found.outsideBlock() : 0;
    found.pass();
    long position = QueueLayout.position(found.block(), found.line());
    if (!outside && passed == 0 && blocksLeft.isEmpty()) {
      section.writeOnly(root + QueueLayout.HEAD, position, changed);
    } else {
      section.enlist(changed);
      while (blocksLeft.size() > BLOCKS_MAX) {
        leaveSome(section);
      }
      section.reserve(blocksLeft.size() + 3);
      if (outside) {
        heap.free(freed);
      }
      for (int i = 0; i < blocksLeft.size(); i++) {
        heap.free(blocksLeft.get(i));
      }
      if (passed > 0) {
        long count = memory.readPlain(root + QueueLayout.REMOVED_COUNT);
        section.write(root + QueueLayout.REMOVED_COUNT, count - passed);
      }
      section.write(root + QueueLayout.HEAD, position);
    }
    head.moveTo(found);
    number += passed + 1;
  }

  /// Takes an element before which all are removed.
  ///
  /// @param its number
  /// @param changed as above
  void removeFront(Section section, Position at, long its, VolatileState changed) {
    found.moveTo(at);
    passed = its - number;
    blocksLeft = List.of();
    if (at.block() != head.block()) {
      leave(head.block(), at.block());
    }
    removeFirst(section, changed);
  }

  /// Goes over some blocks whose elements are all removed; a shorter queue, whatever follows.
  private void leaveSome(Section section) {
    long next = blocksLeft.get(BLOCKS_MAX);
    long left = firstNumber(next) - number;
    section.reserve(BLOCKS_MAX + 2);
    for (long block : blocksLeft.subList(0, BLOCKS_MAX)) {
      heap.free(block);
    }
    long count = memory.readPlain(root + QueueLayout.REMOVED_COUNT);
    section.write(root + QueueLayout.REMOVED_COUNT, count - left);
    section.write(root + QueueLayout.HEAD, QueueLayout.position(next, QueueLayout.FIRST_LINE));
    head.moveTo(new Position(memory, heap, next, QueueLayout.FIRST_LINE));
    number += left;
    passed -= left;
    blocksLeft = List.copyOf(blocksLeft.subList(BLOCKS_MAX, blocksLeft.size()));
  }

  /// Adds the blocks from one up to, and without, another to those that are left.
  private void leave(long from, long to) {
    if (blocksLeft.isEmpty()) {
      blocksLeft = new ArrayList<>();
    }
    for (long block = from; block != to; block = memory.readPlain(block + QueueLayout.NEXT)) {
      blocksLeft.add(block);
    }
  }

  /// Removes an element from the middle: marks it, and it is passed over from now on.
  ///
  /// @param changed what is set back if the section is rolled back
  void mark(Section section, Position at, VolatileState changed) {
    section.enlist(changed);
    section.reserve(3);
    if (QueueLayout.isOutside(at.meta())) {
      heap.free(at.outsideBlock());
    }
    long count = memory.readPlain(root + QueueLayout.REMOVED_COUNT);
    section.write(root + QueueLayout.REMOVED_COUNT, count + 1);
    section.write(at.metaOffset(), at.meta() | QueueLayout.REMOVED);
  }

  /// The bytes of the element at a position.
  byte[] bytes(Position at) {
    byte[] copy = new byte[QueueLayout.length(at.meta())];
    memory.readBytes(at.bytesOffset(), copy, 0, copy.length);
    return copy;
  }

  /// Decodes the element at a position.
  ///
  /// @throws io.holdfast.codec.CodecException if its bytes are not what the codec writes
  E decode(Position at) {
    int length = QueueLayout.length(at.meta());
    long offset = at.bytesOffset();
    if (bytes.length < length) {
      bytes = new byte[length];
    }
    memory.readBytes(offset, bytes, 0, length);
    return decode(bytes, length, offset);
  }

  /// Decodes bytes that are not stored yet.
  E decode(byte[] pending) {
    return decode(pending, pending.length, 0);
  }

  private E decode(byte[] from, int length, long offset) {
    input.reset(from, 0, length);
    try {
      E element = codec.decode(input);
      input.expectEnd();
      return element;
    } catch (CodecException e) {
      throw new CodecException(
          "%s: %s: an element can't be decoded: offset=0x%X, length=%d bytes: %s. It is still there; removeUnreadable moves such elements out"
              .formatted(memory.name(), queueName(), offset, length, e.getMessage()),
          e);
    }
  }
}
