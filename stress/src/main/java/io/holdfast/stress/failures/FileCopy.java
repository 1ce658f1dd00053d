package io.holdfast.stress.failures;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// Copies of stores that are in use, as a kill would leave them.
final class FileCopy {
  /// More than any scene stores. What is mapped ahead makes a file 16 GiB long where an injected
  /// failure keeps it from being cut off again, and all of that is a hole.
  private static final long STORED_MAX = 64L << 20;

  private static final String STREAMS = ".live";

  /// The files beside a store on a disk: its streams, its log.
  static final List<String> BESIDE = List.of(STREAMS, ".log");

  /// Copies a store, and what is beside it on a disk. The streams are copied first, and the log
  /// before the region's file: what is written meanwhile is then found twice, or not needed. The
  /// copy of the streams is one of a moment: their room is emptied in another order than copied.
  static void makeOfStore(Path from, Path to) {
    for (String suffix : BESIDE) {
      Path beside = beside(from, suffix);
      if (Files.exists(beside)) {
        do {
          make(beside, beside(to, suffix));
        } while (suffix.equals(STREAMS) && !areAlike(beside, beside(to, suffix)));
      }
    }
    make(from, to);
  }

  private static boolean areAlike(Path a, Path b) {
    try {
      return Files.mismatch(a, b) < 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A file beside a store's.
  static Path beside(Path store, String suffix) {
    return store.resolveSibling(store.getFileName() + suffix);
  }

  static void make(Path from, Path to) {
    try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(
                to,
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
      long length = in.size();
      long stored = Math.min(length, STORED_MAX);
      long moved = 1;
      // Nothing is moved from beyond the end of a file that became shorter meanwhile.
      for (long at = 0; at < stored && moved > 0; at += moved) {
        moved = in.transferTo(at, stored - at, out.position(at));
      }
      if (length > stored) {
        out.write(ByteBuffer.allocate(1), length - 1);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a store can't be copied: " + from, e);
    }
  }

  private FileCopy() {}
}
