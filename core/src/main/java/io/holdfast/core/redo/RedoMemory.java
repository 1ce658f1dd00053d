package io.holdfast.core.redo;

import io.holdfast.core.Durability;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.memory.CopyPace;
import io.holdfast.core.memory.ForwardingMemory;
import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionCopy;
import io.holdfast.core.memory.RegionLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/// A region on a disk that survives a loss of power: an image of the file that is this process's
/// alone, and a log of the stores to it.
///
/// Each store is a record first ({@link RedoStreams}), then a store to the image, and then the
/// record says so: a store that an error has kept from the image is the end of the region's use,
/// since the log has it. The records of an epoch become durable by one write to the log ({@link
/// RedoLog}), the image by a checkpoint ({@link Checkpoint}); the file alone is the region when
/// that was closed.
///
/// **CUT-2** What replay of the log leaves is an image that a crash of the process could have left:
/// the stores of a prefix of each thread, closed under happens-before (CUT-1), plain ones in any
/// order. So whatever is proven for crashes of the process holds, and nothing above this knows of
/// pages, log or epochs. Test: DiskCrashTest.p6WhatReturnedIsThere.
///
/// **PIECE-1** A record is in a batch, and in what a process leaves that dies, whole or not at all
/// (LIVE-3). So bytes within a page, stored by one call, need no undo entry. Tests:
/// RedoMemoryTest.piece1APageAtATime, MapCrashTest.map13InPlace.
///
/// **LENGTH-2** Where a region grows into what it had before, the bytes are zeroed by stores: an
/// earlier cut, in which they were the region's, may be what a loss of power leaves. Test:
/// RedoMemoryTest.length2WhatComesBackIsZero.
///
/// Source: DudeTM (ASPLOS 2017), whose shadow memory this image is; epochs are those of Silo (SOSP
/// 2013).
final class RedoMemory extends ForwardingMemory {
  private final LoggedFile file;
  private final RedoLog redo;
  private final RedoStreams streams;
  private final Durability acknowledged;

  private final AtomicBoolean isCopied = new AtomicBoolean();

  /// How long the region ever was.
  private long longest;

  /// @param acknowledged what is survived when an operation returns
  RedoMemory(LoggedFile file, MappedMemory image, RedoLog redo, Durability acknowledged) {
    super(image);
    this.file = file;
    this.redo = redo;
    this.streams = redo.streams();
    this.acknowledged = acknowledged;
    this.longest = image.length();
  }

  @Override
  public void writePlain(long offset, long value) {
    try {
      long place = streams.word(offset, RedoRecord.WORD, value);
      bytes.writePlain(offset, value);
      streams.landed(place);
    } catch (Throwable e) {
      streams.failure = streams.failure == null ? e : streams.failure; // STREAM-3
      throw e;
    }
  }

  @Override
  public void writeRelease(long offset, long value) {
    try {
      long place = streams.word(offset, RedoRecord.WORD, value);
      bytes.writeRelease(offset, value);
      streams.landed(place);
    } catch (Throwable e) {
      streams.failure = streams.failure == null ? e : streams.failure; // STREAM-3
      throw e;
    }
  }

  @Override
  public void writeLoggedByte(long offset, byte value) {
    try {
      long place = streams.word(offset, RedoRecord.BYTE, value);
      bytes.writeLoggedByte(offset, value);
      streams.landed(place);
    } catch (Throwable e) {
      streams.failure = streams.failure == null ? e : streams.failure; // STREAM-3
      throw e;
    }
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    if (leftInPage(offset) < 4 * RegionLayout.WORD_BYTES) {
      writePlain(offset, w0);
      writePlain(offset + 8, w1);
      writePlain(offset + 16, w2);
      writeRelease(offset + 24, last);
      return;
    }
    try {
      long place = streams.entry(offset, w0, w1, w2, last);
      bytes.writeEntryRelease(offset, w0, w1, w2, last);
      streams.landed(place);
    } catch (Throwable e) {
      streams.failure = streams.failure == null ? e : streams.failure; // STREAM-3
      throw e;
    }
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int count) {
    for (int done = 0; done < count; ) {
      int piece = (int) Math.min(count - done, leftInPage(offset + done));
      writePiece(offset + done, from, at + done, piece);
      done += piece;
    }
  }

  /// PIECE-1: what is one record.
  @Override
  public boolean storesWhole(long offset, long count) {
    return count <= leftInPage(offset);
  }

  private void writePiece(long offset, byte[] from, int at, int count) {
    try {
      long place = streams.bytes(offset, from, at, count);
      bytes.writeBytesPlain(offset, from, at, count);
      streams.landed(place);
    } catch (Throwable e) {
      streams.failure = streams.failure == null ? e : streams.failure; // STREAM-3
      throw e;
    }
  }

  @Override
  public void zeroPlain(long offset, long count) {
    for (long done = 0; done < count; ) {
      long piece = Math.min(count - done, leftInPage(offset + done));
      zeroPiece(offset + done, piece);
      done += piece;
    }
  }

  private void zeroPiece(long offset, long count) {
    try {
      long place = streams.word(offset, RedoRecord.ZEROS, count);
      bytes.zeroPlain(offset, count);
      streams.landed(place);
    } catch (Throwable e) {
      streams.failure = streams.failure == null ? e : streams.failure; // STREAM-3
      throw e;
    }
  }

  RedoLog log() {
    return redo;
  }

  private static long leftInPage(long offset) {
    return RegionLayout.PAGE_BYTES - (offset & RegionLayout.PAGE_BYTES - 1);
  }

  @Override
  public void releaseFence() {
    VarHandle.releaseFence();
  }

  @Override
  public void grow(long newLength) {
    long from = length();
    bytes.grow(newLength);
    if (from < longest) {
      zeroPlain(from, Math.min(longest, newLength) - from); // LENGTH-2
    }
    longest = Math.max(longest, newLength);
  }

  /// Nothing yet: until the log begins behind the trim, replay may name what would be cut off. The
  /// file is cut when the region is closed.
  @Override
  public void giveBack() {
    file.cutLater();
  }

  @Override
  public void flush(long offset, long count) {
    // It is in the log, or will be.
  }

  @Override
  public void fence() {
    // Nothing was started.
  }

  @Override
  public void awaitDurable() {
    redo.await();
  }

  @Override
  public void acknowledge() {
    if (acknowledged == Durability.POWER_FAILURE) {
      redo.await();
    } else {
      redo.writeSoon();
    }
  }

  @Override
  public void makeDurableSoon() {
    redo.writeSoon();
  }

  @Override
  public boolean isDurable() {
    return streams.isEmpty();
  }

  @Override
  public void force() {
    redo.await();
  }

  @Override
  public RegionCopy copy(Path from, CopyPace pace) {
    return new LoggedCopy(bytes, () -> longest, redo, pace, isCopied);
  }

  @Override
  public boolean survivesPowerFailure() {
    return true;
  }

  @Override
  public boolean hasLog() {
    return true;
  }

  @Override
  public void claim() {
    file.claim();
  }

  /// The region is closed: the file is made complete by itself, and the log deleted.
  @Override
  public void disclaim() {
    file.settle();
  }

  @Override
  public RegionAccessException checkLength() {
    RegionAccessException lost = bytes.checkLength();
    return lost != null ? lost : file.lost();
  }

  @Override
  public void close() {
    file.endCheckpoints();
    streams.end(name());
    bytes.close();
    file.close();
  }

  @Override
  public Memory reopen() {
    return file.reopen();
  }

  @Override
  public String toString() {
    return "%s, with a log".formatted(bytes);
  }
}
