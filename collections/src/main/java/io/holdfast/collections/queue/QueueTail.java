package io.holdfast.collections.queue;

import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.EncodedOutput;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.LinePadding;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.VolatileState;

/// The end of a queue that elements are added to. Guarded by the queue's put lock, whose section
/// its changes belong to.
///
/// Adding an element writes its bytes and the end mark after it, plain, into lines that nobody
/// looks at yet, and publishes them by one logged store of the meta word (QUEUE-1, QUEUE-3).
public final class QueueTail extends LinePadding implements VolatileState {
  private final Memory memory;
  private final Heap heap;
  private final long root;
  private long block;
  private int line;
  private long nextNumber;

  // What they were before the section that changes them.
  private long savedBlock;
  private int savedLine;
  private long savedNumber;

  QueueTail(Region region, long root, Position end, long nextNumber) {
    this.memory = region.memory();
    this.heap = region.heap();
    this.root = root;
    this.block = end.block();
    this.line = end.line();
    this.nextNumber = nextNumber;
  }

  /// Makes an empty queue, in the calling thread's section.
  ///
  /// @return its root block
  static long create(Region region) {
    Memory memory = region.memory();
    long root = region.heap().allocate(QueueLayout.ROOT_BYTES);
    long block;
    try {
      block = region.heap().allocate(QueueLayout.BLOCK_BYTES);
    } catch (RuntimeException | Error e) {
      if (!region.sections().current().isUndone()) {
        region.heap().free(root);
      }
      throw e;
    }
    initialize(memory, block, 0);
    memory.writePlain(root + QueueLayout.HEAD, QueueLayout.position(block, QueueLayout.FIRST_LINE));
    memory.writePlain(root + QueueLayout.REMOVED_COUNT, 0);
    memory.writePlain(root + QueueLayout.TAIL, block);
    return root;
  }

  private static void initialize(Memory memory, long block, long firstNumber) {
    memory.writePlain(block + QueueLayout.NEXT, 0);
    memory.writePlain(block + QueueLayout.FIRST_NUMBER, firstNumber);
    memory.writePlain(QueueLayout.lineOffset(block, QueueLayout.FIRST_LINE), 0);
  }

  @Override
  public void save() {
    savedBlock = block;
    savedLine = line;
    savedNumber = nextNumber;
  }

  @Override
  public void restore() {
    block = savedBlock;
    line = savedLine;
    nextNumber = savedNumber;
  }

  /// The number of the next element.
  long nextNumber() {
    return nextNumber;
  }

  /// Adds an element.
  ///
  /// @param element its bytes, which nobody changes meanwhile
  /// @param changed what is set back if the section is rolled back, this included
  /// @throws io.holdfast.core.RegionFullException if the device has no room; the queue is as before
  ///   the operation, or if the section was rolled back, as before the section
  public void add(Section section, EncodedOutput element, VolatileState changed) {
    add(section, element.array(), element.length(), changed);
  }

  /// The same for bytes from the beginning of an array on.
  void add(Section section, byte[] element, int length, VolatileState changed) {
    boolean outside = length > QueueLayout.MAX_INLINE_BYTES;
    long meta = QueueLayout.meta(length, outside);
    int lines = QueueLayout.lines(meta);
    if (!outside && line + lines <= QueueLayout.BLOCK_LINES) {
      fill(element, length, meta, 0);
      // QUEUE-3: orders the element's bytes and the end mark before it. Otherwise a crash could
      // leave an element without its bytes, or, as the next element, whatever the line behind it
      // held in a former life. Test: PersistentQueueCrashTest.p1OfferOfOneLine.
      section.writeOnly(QueueLayout.lineOffset(block, line), meta, changed);
    } else {
      section.enlist(changed);
      section.reserve(5);
      long bytes = outside ? heap.allocate(length) : 0;
      if (line + lines > QueueLayout.BLOCK_LINES) {
        chain(section, bytes);
      }
      fill(element, length, meta, bytes);
      section.write(QueueLayout.lineOffset(block, line), meta); // QUEUE-3
    }
    line += lines;
    nextNumber++;
  }

  /// Where the newest element is, as HEAD would say it.
  long newest(int length) {
    int lines = QueueLayout.lines(QueueLayout.meta(length, length > QueueLayout.MAX_INLINE_BYTES));
    return QueueLayout.position(block, line - lines);
  }

  private void chain(Section section, long bytes) {
    long next;
    try {
      next = heap.allocate(QueueLayout.BLOCK_BYTES);
    } catch (RuntimeException e) {
      if (bytes != 0 && !section.isUndone()) {
        heap.free(bytes);
      }
      throw e;
    }
    initialize(memory, next, nextNumber);
    section.write(block + QueueLayout.NEXT, next);
    section.write(root + QueueLayout.TAIL, next);
    block = next;
    line = QueueLayout.FIRST_LINE;
  }

  /// Writes an element's bytes, or where they are, and the end mark after it (QUEUE-1).
  private void fill(byte[] element, int length, long meta, long outside) {
    long at = QueueLayout.lineOffset(block, line);
    if (outside != 0) {
      memory.writeBytesPlain(outside, element, 0, length);
      memory.writePlain(at + WORD_BYTES, outside);
    } else {
      memory.writeBytesPlain(at + WORD_BYTES, element, 0, length);
    }
    int behind = line + QueueLayout.lines(meta);
    if (behind < QueueLayout.BLOCK_LINES) {
      memory.writePlain(QueueLayout.lineOffset(block, behind), 0);
    }
  }
}
