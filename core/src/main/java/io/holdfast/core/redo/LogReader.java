package io.holdfast.core.redo;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.disk.Blocks;
import io.holdfast.core.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;

/// Reads the batches of a log, with direct I/O where there is any: what the page cache has after a
/// write that failed proves nothing.
///
/// Not thread-safe.
final class LogReader {
  private final DiskFile file;
  private final Path path;
  private final LogHeader header;

  /// Behind the ring's end if a growth was cut off, or if the header that knew of it has decayed.
  private final long fileEnd;

  private final ByteBuffer window;
  private long from;
  private long to;

  /// The batch that comes next, at its place if it does not fit there: then it is at the ring's
  /// beginning.
  private Mark next;

  /// Where the first batch is, and the last one.
  private long first;

  private long last;
  private int lastBytes;

  /// The blocks of the batches that were passed on: a log that is full is read once, not twice.
  private final BitSet passedOn = new BitSet();

  LogReader(DiskFile file, Path path, LogHeader header) throws IOException {
    this.file = file;
    this.path = path;
    this.header = header;
    this.fileEnd = file.length() & -Blocks.BYTES;
    this.window = Blocks.allocate((int) Math.min(Batch.MAX_BYTES, fileEnd - LogHeader.RING));
    this.next = header.start();
    this.first = header.start().position();
  }

  /// Passes all batches from START on.
  ///
  /// @param reach what the log must have: REACH-1
  /// @return how many
  /// @throws RegionDamagedException if a batch is not valid that was durable (LOG-W1), or the log
  ///   does not have the mark
  long replay(BatchConsumer consumer, Mark reach) throws IOException {
    long count = replay(consumer, reach.number());
    if (next.number() < reach.number()) {
      refuseLaterOnes(); // which says more
    }
    if (next.number() != reach.number() || next.crc() != reach.crc()) {
      throw new RegionDamagedException(
          "%s: the redo log and the region beside it are of different moments: the log has batches %d to %d, and when the region was written, its log was to go on with batch %d. One of the two was replaced by a copy of another moment, or the log's end is damaged. Nothing was touched; put the two of one moment there, or restore both from a backup"
              .formatted(path, header.start().number(), next.number() - 1, reach.number()));
    }
    count += replay(consumer, Long.MAX_VALUE);
    refuseLaterOnes();
    return count;
  }

  /// Passes batches on up to a number, or to the first one that is not there.
  ///
  /// @param end number of the first one that is not passed on
  /// @return how many
  long replay(BatchConsumer consumer, long end) throws IOException {
    long count = 0;
    while (next.number() < end) {
      // BATCH-W1: its place first, then the ring's beginning.
      long position = next.position();
      Batch batch = read(position);
      if (batch == null) {
        position = LogHeader.RING;
        batch = read(position);
      }
      if (batch == null) {
        return count;
      }
      if (count == 0) {
        first = position;
      }
      last = position;
      lastBytes = batch.bytes();
      passedOn.set(block(position), block(position + lastBytes));
      consumer.accept(
          batch.epoch(),
          batch.isComplete(),
          at(position, lastBytes)
              .slice(Batch.HEADER_BYTES, batch.payload())
              .asReadOnlyBuffer()
              .order(window.order()));
      next = new Mark(position + lastBytes, batch.number() + 1, batch.crc());
      count++;
    }
    return count;
  }

  /// Makes durable what was read, before anything is built on it: of a batch, or of a header, whose
  /// writer was killed, the device may have no more than its cache.
  ///
  /// Where reading shows the page cache, the bytes of a write that failed may be there as clean
  /// ones, which no sync writes. So the two that can be such, the header and the last batch, are
  /// written again, in place, with the same bytes: a write that is torn changes nothing.
  void makeDurable() throws IOException {
    if (!file.readsTheDevice()) {
      header.write(file);
      if (lastBytes > 0) {
        file.writeDurably(last, at(last, lastBytes));
      }
    }
    file.force();
  }

  /// LOG-W5. Test: BatchLogCrashTest.lapsAreKeptApart.
  void eraseTornBatch() throws IOException {
    eraseTornBatch(LogHeader.RING);
    if (next.position() != LogHeader.RING) {
      eraseTornBatch(next.position());
    }
  }

  private void eraseTornBatch(long position) throws IOException {
    if (position < header.end()
        && Batch.claims(at(position, Blocks.BYTES), header.salt(), next.number())) {
      file.writeDurably(position, Blocks.allocate(Blocks.BYTES));
    }
  }

  /// The next batch, if it is there.
  private Batch read(long position) throws IOException {
    if (position == header.end()) {
      return null;
    }
    ByteBuffer block = at(position, Blocks.BYTES);
    int bytes = Batch.claimedBytes(block, header.salt(), position, header.end() - position);
    // LOG-W3. Tests: BatchLogTest.aFormerLapsBatchIsNotTaken, aBatchOfAnotherChainIsRefused.
    return bytes != 0
            && Batch.claimedNumber(block) == next.number()
            && Batch.claimedPrevious(block) == next.crc()
        ? Batch.read(at(position, bytes), bytes)
        : null;
  }

  /// LOG-W1. Test: BatchLogTest.aDecayedBatchBeforeAValidOneIsRefused.
  ///
  /// All of the file is looked through but what was passed on: the length of the batch that is not
  /// valid is not known, nor whether its successors are. What a payload may have from this log, a
  /// copy of it, is older than the batch that has it, so its number is lower.
  private void refuseLaterOnes() throws IOException {
    int end = block(fileEnd);
    int start = passedOn.nextClearBit(block(LogHeader.RING));
    for (int i = start; i < end; i = passedOn.nextClearBit(i + 1)) {
      long position = (long) i * Blocks.BYTES;
      ByteBuffer block = at(position, Blocks.BYTES);
      int bytes = Batch.claimedBytes(block, header.salt(), position, fileEnd - position);
      long number = Batch.claimedNumber(block);
      if (bytes != 0 && number >= next.number() && Batch.read(at(position, bytes), bytes) != null) {
        throw new RegionDamagedException(
            "%s: batch %d of the redo log is damaged, at offset 0x%X or 0x%X: it was durable, because batch %d at offset 0x%X was written after it. The file was not touched; restore the region and its log from a backup"
                .formatted(path, next.number(), next.position(), LogHeader.RING, number, position));
      }
    }
  }

  private static int block(long position) {
    return (int) (position / Blocks.BYTES);
  }

  /// Some bytes of the file, valid until the next call.
  private ByteBuffer at(long position, int bytes) throws IOException {
    if (position < from || position + bytes > to) {
      to = from; // nothing, if reading fails
      window.clear().limit((int) Math.min(window.capacity(), fileEnd - position));
      file.read(position, window);
      from = position;
      to = position + window.position();
    }
    return window.slice((int) (position - from), bytes).order(window.order());
  }

  Mark next() {
    return next;
  }

  long first() {
    return first;
  }
}
