package io.holdfast.core.memory;

import java.io.IOException;
import java.io.RandomAccessFile;

/// The end of a region's file: space is allocated there and given back.
///
/// Not by a channel, which an interrupt of the calling thread would close: then the growth would be
/// done twice (INTERRUPT-1).
final class FileSpace {
  /// What one call writes.
  private static final int AT_A_TIME = RegionLayout.SPAN_BYTES;

  /// Writes zeros over a part of a file, which becomes longer if it has to: then every page of it
  /// has its block on the device.
  ///
  /// The kernel keeps together what one call writes: processors of some kinds then translate
  /// addresses faster, so a load that waits for memory took 245 ns where it took 360 in a file that
  /// was written by the page. What is stored through a shared mapping is written back together, too
  /// (FACTS 7); but nobody waits for that, since what must be durable goes to the file by writes,
  /// or past the page cache.
  static void allocate(FileIdentity identity, long from, long to) throws IOException {
    byte[] zeros = new byte[AT_A_TIME];
    try (RandomAccessFile file = open(identity)) {
      file.seek(from);
      for (long at = from; at < to; at += AT_A_TIME) {
        file.write(zeros, 0, (int) Math.min(AT_A_TIME, to - at));
      }
    }
  }

  /// Makes a file's bytes and its length durable.
  static void force(FileIdentity identity) throws IOException {
    try (RandomAccessFile file = open(identity)) {
      file.getFD().sync();
    }
  }

  /// Makes a file shorter, if it is longer.
  static void truncate(FileIdentity identity, long length) throws IOException {
    try (RandomAccessFile file = open(identity)) {
      if (file.length() > length) {
        file.setLength(length);
      }
    }
  }

  /// Whether a file's beginning can be read, by reading it. What takes longer than a second does
  /// not count as read.
  static boolean isReadable(FileIdentity identity, long length) {
    byte[] piece = new byte[1 << 20];
    long started = System.nanoTime();
    try (RandomAccessFile file = new RandomAccessFile(identity.path().toFile(), "r")) {
      identity.check();
      for (long at = 0; at < length; ) {
        int count = file.read(piece, 0, (int) Math.min(piece.length, length - at));
        if (count <= 0 || System.nanoTime() - started > 1_000_000_000) {
          return false;
        }
        at += count;
      }
      return true;
    } catch (IOException e) {
      return false; // the device has an error, or it is another file
    }
  }

  /// FILE-1, and before the file is opened, because that would create it.
  private static RandomAccessFile open(FileIdentity identity) throws IOException {
    identity.check();
    return new RandomAccessFile(identity.path().toFile(), "rw");
  }

  private FileSpace() {}
}
