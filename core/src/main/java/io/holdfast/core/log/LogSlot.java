package io.holdfast.core.log;

import static io.holdfast.core.memory.RegionLayout.FIRST_SLOTS;
import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;

/// A slot of the log pool: 2 KiB, a header line and a ring of 62 entries.
///
/// | offset | content |
/// |---|---|
/// | 0 | DURABLE: number of the last durable section |
/// | 8 | ENDED: number of the last section that ended and had to wait for others, its data durable |
/// | 16 | CHUNKS: the newest chunk that the slot owns, 0 for none |
/// | 64 | entries |
///
/// A chunk is a span: a header line whose first word is the next older chunk of the slot, then
/// entries. A further group of slots is a span too: a header line whose first word is the next
/// older group, then 31 slots at 2 KiB.
///
/// **SLOT-1** Numbers of a slot only grow. Section n is durable when DURABLE ≥ n; it has ended when
/// ENDED ≥ n.
public final class LogSlot {
  /// Size of a slot.
  public static final int BYTES = 2048;

  /// Slots in the first group, from 0x3000 to the end of the first span.
  public static final int FIRST_GROUP = (int) ((SPAN_BYTES - FIRST_SLOTS) / BYTES);

  /// Slots in a further group: a span less a slot's size for its header.
  public static final int FURTHER_GROUP = SPAN_BYTES / BYTES - 1;

  /// The highest section number that an opening accepts: a higher one is damage. A slot does not
  /// come to it, since that takes one thread 2.8 years of sections of 10 ns without a pause. As
  /// many again and more fit a meta word ({@link UndoEntry#meta}), so a process that begins here
  /// never comes to numbers that don't.
  static final long NUMBER_MAX = 1L << 53;

  static final int DURABLE = 0, ENDED = 8, CHUNKS = 16;
  static final int ENTRIES = LINE_BYTES;
  static final int CHUNK_NEXT = 0, GROUP_NEXT = 0;

  private LogSlot() {}
}
