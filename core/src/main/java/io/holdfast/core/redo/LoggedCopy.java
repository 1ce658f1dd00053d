package io.holdfast.core.redo;

import io.holdfast.core.memory.CopyPace;
import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionCopy;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.persistence.PageCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/// Copies a region on a disk that is in use: its image, and then what the log has.
///
/// First all pages, while others store; then, some times over, those that batches have named
/// meanwhile; and when these are few, the batches from there on are replayed to the copy, up to one
/// that has whatever the copied pages have.
///
/// **COPY-2** A store that a page's last copy does not have is in a batch that is replayed: the
/// pages that earlier batches name were copied again, when the stores were made (CHECK-4). And the
/// last batch that is replayed has every store that a copied page has (as WAL-1). So the copy is
/// the cut at that batch (CUT-2): P1 to P6 hold of it. Test: BackupTest.watch1And2MoneyMoves.
///
/// Nobody is held. While the last pages are copied no checkpoint is made; a log that is full then
/// stays so until the copy ends, so these are copied at any pace.
final class LoggedCopy implements RegionCopy {
  private static final int PAGE = RegionLayout.PAGE_BYTES;

  /// Pages that are copied at a time: 1 MiB.
  private static final int PAGES = 256;

  private static final int ROUNDS_MAX = 10;

  private final Memory image;
  private final LongSupplier longest;
  private final RedoLog redo;
  private final CopyPace pace;
  private final AtomicBoolean isUnderWay;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(PAGES * PAGE);
  private final byte[] bytes = new byte[PAGE];
  private long copied;
  private int rounds;

  /// @param longest how long the region ever was: so far stores may be in the log
  /// @param isUnderWay whether another copy of the region is
  LoggedCopy(
      Memory image, LongSupplier longest, RedoLog redo, CopyPace pace, AtomicBoolean isUnderWay) {
    this.image = image;
    this.longest = longest;
    this.redo = redo;
    this.pace = pace;
    this.isUnderWay = isUnderWay;
  }

  @Override
  public Report to(Path to) throws IOException {
    if (!isUnderWay.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "%s: a copy of the store is being made already. Wait until it is there"
              .formatted(image.name()));
    }
    try {
      return copyTo(to);
    } finally {
      isUnderWay.set(false);
    }
  }

  private Report copyTo(Path to) throws IOException {
    NamedPages named = redo.follow();
    try (FileChannel target = FileChannel.open(to, StandardOpenOption.WRITE)) {
      BitSet all = new BitSet();
      all.set(0, (int) (image.length() / PAGE));
      copy(all, target, true);
      for (long before = Long.MAX_VALUE; rounds < ROUNDS_MAX; rounds++) {
        redo.await();
        BitSet pages = redo.begin(named).pages();
        copy(pages, target, true);
        if (pages.cardinality() <= PAGES || pages.cardinality() > before / 4 * 3) {
          break; // or they store as fast as this copies
        }
        before = pages.cardinality();
      }
      redo.withoutCheckpoints(() -> replayRest(to, target, named));
      pace.checkUsable(); // who closes it stores in another way, after saying so
      target.force(true);
      return new Report(copied, rounds, Duration.ZERO);
    } finally {
      redo.unfollow(named);
    }
  }

  private Void replayRest(Path to, FileChannel target, NamedPages named) throws IOException {
    redo.awaitWithReserve(); // a full log waits for the checkpoint, which waits for this
    RedoLog.Begin begin = redo.begin(named);
    copy(begin.pages(), target, false);
    redo.awaitWithReserve();
    long end = redo.log().mark().number();
    MappedMemory copy = new MappedMemory(to, target.size(), new PageCache());
    try {
      LoggedFile.replay(redo.log(), begin.start(), end, copy, longest.getAsLong());
      long length = lengthOf(copy);
      if (length > copy.length()) {
        copy.grow(length);
      }
      copy.force();
    } finally {
      copy.close();
    }
    return null;
  }

  /// What the header says; of its two copies the greater, which may be the earlier one.
  private static long lengthOf(Memory copy) {
    return RegionHeader.copies(copy).stream()
        .filter(RegionHeader.Copy::isValid)
        .mapToLong(RegionHeader.Copy::length)
        .max()
        .orElse(0);
  }

  private void copy(BitSet pages, FileChannel target, boolean isPaced) throws IOException {
    // What was trimmed needs no copy: where the region grows again, stores of zeros are replayed
    // (LENGTH-2). Test: RedoLogTest.aCopyEndsWithItsRegion.
    int end = (int) (image.length() / PAGE);
    pages.clear(end, Math.max(end, pages.length()));
    for (int page = pages.nextSetBit(0); page >= 0; ) {
      buffer.clear();
      int first = page;
      for (;
          page == first + buffer.position() / PAGE && buffer.hasRemaining();
          page = pages.nextSetBit(page + 1)) {
        image.readBytes((long) page * PAGE, bytes, 0, PAGE);
        buffer.put(bytes);
      }
      buffer.flip();
      copied += buffer.remaining();
      for (long at = (long) first * PAGE; buffer.hasRemaining(); ) {
        at += target.write(buffer, at);
      }
      pace.checkUsable();
      if (isPaced) {
        pace.await(copied);
      }
    }
  }
}
