package io.holdfast.codec;

import java.util.Arrays;
import java.util.stream.IntStream;

/// Pieces of an output, written one after the other in any order, which are then put into the order
/// of their keys' bytes: what has no order of its own gets one form by that.
///
/// A piece begins where the one before it ends, with its key.
final class AscendingPieces {
  private final EncodedOutput out;
  private final int start;
  private final int[] keyEnds;
  private final int[] ends;
  private int count;

  /// For pieces that are written from here on.
  AscendingPieces(EncodedOutput out, int count) {
    this.out = out;
    this.start = out.length();
    this.keyEnds = new int[count];
    this.ends = new int[count];
  }

  void endKey() {
    keyEnds[count] = out.length();
  }

  void endPiece() {
    ends[count++] = out.length();
  }

  /// Puts them in order.
  ///
  /// @throws IllegalArgumentException if two keys have the same bytes
  void arrange() {
    boolean ascending = true;
    for (int i = 1; i < count && ascending; i++) {
      ascending = compare(i - 1, i) < 0;
    }
    if (!ascending) {
      sort();
    }
  }

  private void sort() {
    int[] order =
        IntStream.range(0, count).boxed().sorted(this::compare).mapToInt(i -> i).toArray();
    for (int i = 1; i < count; i++) {
      if (compare(order[i - 1], order[i]) == 0) {
        throw new IllegalArgumentException(
            "Two elements of a set, or keys of a map, have the same bytes: length=%s bytes"
                .formatted(keyEnds[order[i]] - start(order[i])));
      }
    }
    byte[] unsorted = Arrays.copyOfRange(out.array(), start, out.length());
    int at = start;
    for (int piece : order) {
      int length = ends[piece] - start(piece);
      System.arraycopy(unsorted, start(piece) - start, out.array(), at, length);
      at += length;
    }
  }

  private int compare(int one, int other) {
    byte[] bytes = out.array();
    return Arrays.compareUnsigned(
        bytes, start(one), keyEnds[one], bytes, start(other), keyEnds[other]);
  }

  private int start(int piece) {
    return piece == 0 ? start : ends[piece - 1];
  }
}
