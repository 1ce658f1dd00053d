package io.holdfast.jmh.byhand;

import io.holdfast.core.memory.Memory;

/// Copies that are made again after a crash (Atlas, 6.3): a record says from where, to where and
/// how many bytes, and is durable before the first byte is copied. Two round trips, and one line
/// besides those that are copied to, however many they are: what is overwritten is not kept.
///
/// | word of the first line | |
/// |---|---|
/// | 0 | bytes that are being copied; 0: none are, or the words after it are not yet valid |
/// | 1 | from |
/// | 2 | to |
///
/// It relies on there being no change of the area that is not a copy, and on copies between ranges
/// that do not overlap: then a copy that was complete can be made again, as long as no later one
/// has changed a byte. So the record's removal is not waited for: it is durable with the next
/// record, whose line it is.
final class RedoneCopies extends Copies {
  private static final int FROM = 8;
  private static final int TO = 16;
  private static final int RECORD_BYTES = 24;

  RedoneCopies(Area area, long bytes) {
    super(area, bytes);
    recover();
  }

  private void recover() {
    Memory memory = area.memory;
    long count = memory.readPlain(area.at);
    if (count != 0) {
      long from = memory.readPlain(area.at + FROM);
      long to = memory.readPlain(area.at + TO);
      require(from, to, count);
      apply(from, to, (int) count);
    }
  }

  @Override
  void copyChecked(long from, long to, int count) {
    Memory memory = area.memory;
    memory.writePlain(area.at + FROM, from);
    memory.writePlain(area.at + TO, to);
    // **REDO-COPY-1** A record is valid after all of its words: one line's stores persist in order
    // (MEDIA-2). And it is durable before a byte is copied, or the range could be torn without one.
    // Test: ByHandCrashTest.copies.
    memory.writeRelease(area.at, count);
    area.persist(area.at, RECORD_BYTES);
    apply(from, to, count);
  }

  private void apply(long from, long to, int count) {
    move(from, to, count);
    // **REDO-COPY-2** The bytes are durable before their record goes. Test: ByHandCrashTest.copies.
    area.persist(data + to, count);
    area.memory.writeRelease(area.at, 0);
    // A release orders nothing that follows: without the fence the words of the next record could
    // come first, and be taken for this one's.
    area.memory.releaseFence();
  }
}
