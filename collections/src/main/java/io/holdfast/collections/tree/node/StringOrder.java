package io.holdfast.collections.tree.node;

import io.holdfast.codec.Encoded;
import java.util.Arrays;

/// The natural order of strings, told from their encoded form, which is a varint of `chars << 1 |
/// wide` and then one or two bytes a char.
///
/// What has not that form, or more than two bytes of a varint, is left to an order that decodes it.
final class StringOrder implements KeyOrder {
  private static final int WIDE = 1;

  private final KeyOrder decoded;

  StringOrder(KeyOrder decoded) {
    this.decoded = decoded;
  }

  @Override
  public int compare(Encoded one, Encoded other) {
    byte[] bytes = one.bytes();
    byte[] others = other.bytes();
    int header = header(bytes, one.length());
    int otherHeader = header(others, other.length());
    if (header < 0 || otherHeader < 0) {
      return decoded.compare(one, other);
    }
    int from = one.length() - charBytes(header);
    int otherFrom = other.length() - charBytes(otherHeader);
    if (((header | otherHeader) & WIDE) == 0) {
      return Arrays.compareUnsigned(bytes, from, one.length(), others, otherFrom, other.length());
    }
    int chars = Math.min(header, otherHeader) >>> 1;
    for (int i = 0; i < chars; i++) {
      int difference = at(bytes, from, i, header) - at(others, otherFrom, i, otherHeader);
      if (difference != 0) {
        return difference;
      }
    }
    return (header >>> 1) - (otherHeader >>> 1);
  }

  /// @return less than 0 if the bytes are not one of two bytes at most and its chars
  private static int header(byte[] bytes, int length) {
    if (length == 0 || bytes[0] < 0 && (length == 1 || bytes[1] <= 0)) {
      return -1;
    }
    int own = bytes[0] < 0 ? 2 : 1;
    int header = own == 1 ? bytes[0] : bytes[0] & 0x7f | bytes[1] << 7;
    return own + charBytes(header) == length ? header : -1;
  }

  private static int charBytes(int header) {
    return (header >>> 1) << (header & WIDE);
  }

  private static int at(byte[] bytes, int from, int i, int header) {
    int at = from + (i << (header & WIDE));
    int low = bytes[at] & 0xff;
    return (header & WIDE) == 0 ? low : low | (bytes[at + 1] & 0xff) << Byte.SIZE;
  }
}
