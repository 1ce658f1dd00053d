package io.holdfast.core.memory;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/// The end of a region's file: space is allocated there and given back.
///
/// Not by a channel, which an interrupt of the calling thread would close: a growth that has to
/// begin anew each time might never end.
final class FileSpace {
  /// Writes zeros over a part of a file, which becomes longer if it has to: then every page of it
  /// has its block on the device. In writes of a page, because larger ones make `msync` write a
  /// mebibyte for every word (FACTS 7).
  ///
  /// @param durably whether the bytes and the file's length have to survive a loss of power
  static void allocate(Path path, long from, long to, boolean durably) throws IOException {
    byte[] zeros = new byte[RegionLayout.PAGE_BYTES];
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(from);
      for (long at = from; at < to; at += zeros.length) {
        file.write(zeros, 0, (int) Math.min(zeros.length, to - at));
      }
      if (durably) {
        file.getFD().sync();
      }
    }
  }

  /// Makes a file shorter, if it is longer.
  static void truncate(Path path, long length) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      if (file.length() > length) {
        file.setLength(length);
      }
    }
  }

  private FileSpace() {}
}
