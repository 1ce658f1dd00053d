package io.holdfast.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Writes a file page by page, with holes for pages of zeros, of which a log mostly consists.
final class SparseFile {
  private static final int PAGE = 4096;
  private static final byte[] ZEROS = new byte[PAGE];

  private SparseFile() {}

  static void write(Path file, byte[] bytes) throws IOException {
    write(file, bytes, bytes.length, PAGE, new TreeMap<>());
  }

  /// @param bytes of the file; zeros follow if it is longer
  /// @param length of the file
  /// @param sectorBytes a part of a page
  /// @param sectors what is there instead of some of the bytes, by number
  static void write(
      Path file, byte[] bytes, int length, int sectorBytes, SortedMap<Integer, byte[]> sectors)
      throws IOException {
    byte[] page = new byte[PAGE];
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      for (int at = 0; at < length; at += PAGE) {
        int count = Math.min(PAGE, length - at);
        int from = Math.min(at, bytes.length);
        int known = Math.min(bytes.length - from, count);
        Map<Integer, byte[]> changed = sectors.subMap(at / sectorBytes, (at + PAGE) / sectorBytes);
        boolean isLast = at + count == length;
        if (changed.isEmpty()
            && !isLast
            && Arrays.equals(bytes, from, from + known, ZEROS, 0, known)) {
          continue;
        }
        System.arraycopy(bytes, from, page, 0, known);
        Arrays.fill(page, known, PAGE, (byte) 0);
        for (Map.Entry<Integer, byte[]> each : changed.entrySet()) {
          System.arraycopy(each.getValue(), 0, page, each.getKey() * sectorBytes - at, sectorBytes);
        }
        channel.write(ByteBuffer.wrap(page, 0, count), at);
      }
    }
  }
}
