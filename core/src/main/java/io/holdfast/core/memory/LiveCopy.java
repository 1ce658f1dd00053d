package io.holdfast.core.memory;

import io.holdfast.core.RegionAccessException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/// Copies the file of a region that is in use.
///
/// First all of it, while others store; then, some times over, the pages that were stored to
/// meanwhile; and the last of these while all stores are held (WATCH-2). So the copy is what a
/// crash of the process would leave at that moment, and opens as that does: sections that were open
/// are undone, and P1 to P6 hold of it.
///
/// **COPY-1** Whatever page differs from its copy is noted as soon as no store is under way
/// (WATCH-1). So when stores are held and all noted pages are copied, nothing differs.
///
/// What it costs others: the file is mapped anew once, so each page that they use is looked up once
/// more; while it lasts, a store takes some tens of nanoseconds more; and stores are held once, for
/// as long as the last pages take. Readers are never held.
///
/// For one thread. The system copies, by reference where the file system can.
final class LiveCopy implements RegionCopy {
  /// A piece that is copied at a time, between looks at the pace.
  private static final long PIECE_BYTES = 4L << 20;

  /// So little is copied while stores are held: a millisecond or two.
  private static final long REST_BYTES = 1L << 20;

  /// A thread that stores as fast as this copies is held for longer in the end.
  private static final int ROUNDS_MAX = 10;

  private final Memory memory;
  private final Path from;
  private final CopyPace pace;
  private long copied;
  private int rounds;

  LiveCopy(Memory memory, Path from, CopyPace pace) {
    this.memory = memory;
    this.from = from;
    this.pace = pace;
  }

  @Override
  public Report to(Path to) throws IOException {
    try (FileChannel source = FileChannel.open(from, StandardOpenOption.READ);
        FileChannel target = FileChannel.open(to, StandardOpenOption.WRITE)) {
      DirtyPages watch = memory.watchStores(); // which looks whether it is that file
      try {
        return copy(watch, source, target);
      } finally {
        memory.endWatch();
      }
    }
  }

  private Report copy(DirtyPages watch, FileChannel source, FileChannel target) throws IOException {
    copy(source, target, 0, memory.length(), true);
    long rest = watch.noted();
    for (long before = Long.MAX_VALUE; rest > REST_BYTES && rounds < ROUNDS_MAX; rounds++) {
      if (rest > before / 4 * 3) {
        break; // they store as fast as this copies
      }
      before = rest;
      watch.take((offset, bytes) -> copy(source, target, offset, bytes, true));
      rest = watch.noted();
    }
    Duration held = rest(watch, source, target);
    target.force(true);
    return new Report(copied, rounds, held);
  }

  private Duration rest(DirtyPages watch, FileChannel source, FileChannel target)
      throws IOException {
    long since = System.nanoTime();
    try {
      watch.hold();
      long length = memory.length();
      watch.take((offset, bytes) -> copy(source, target, offset, bytes, false));
      pace.checkUsable(); // who closes it stores in another way, after saying so
      if (target.size() < length) {
        throw new RegionAccessException(
            "%s: the copy came out too short: length=%d bytes, expected=%d. Copy it again"
                .formatted(from, target.size(), length));
      }
      return Duration.ofNanos(System.nanoTime() - since);
    } finally {
      watch.release();
    }
  }

  private void copy(
      FileChannel source, FileChannel target, long offset, long bytes, boolean isPaced)
      throws IOException {
    target.position(offset);
    long end = offset + bytes;
    for (long at = offset; at < end; ) {
      long count = source.transferTo(at, Math.min(PIECE_BYTES, end - at), target);
      if (count <= 0) {
        return; // the file was shorter when it was noted: after the region's end
      }
      at += count;
      copied += count;
      if (isPaced) {
        pace.await(copied);
      }
    }
  }
}
