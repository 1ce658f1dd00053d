package io.holdfast.collections.tree.node;

import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.core.memory.Memory;
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

  /// By words, where both have a byte a char and as long a varint, which is left out of the first
  /// ones.
  @Override
  public int compare(Memory memory, long at, int length, Encoded other) {
    if (at % WORD_BYTES != 0 || length == 0 || other.length() == 0) {
      return KeyOrder.super.compare(memory, at, length, other);
    }
    int header = header(memory.readPlain(at), length);
    int otherHeader = header(KeyWords.word(other, 0), other.length());
    int own = length - charBytes(header);
    if (header < 0
        || otherHeader < 0
        || ((header | otherHeader) & WIDE) != 0
        || own != other.length() - charBytes(otherHeader)) {
      return KeyOrder.super.compare(memory, at, length, other);
    }
    int both = Math.min(length, other.length());
    for (int i = 0; i < both; i += WORD_BYTES) {
      long counts = i == 0 ? -1L << own * Byte.SIZE : -1;
      counts &= both - i < WORD_BYTES ? ~(-1L << (both - i) * Byte.SIZE) : -1;
      long part = Long.reverseBytes(memory.readPlain(at + i) & counts);
      long otherPart = Long.reverseBytes(KeyWords.word(other, i) & counts);
      if (part != otherPart) {
        return Long.compareUnsigned(part, otherPart);
      }
    }
    return length - other.length();
  }

  private static int header(byte[] bytes, int length) {
    return length == 0 ? -1 : header(bytes[0], length == 1 ? 0 : bytes[1], length);
  }

  private static int header(long word, int length) {
    return header((byte) word, (byte) (word >>> Byte.SIZE), length);
  }

  /// @param second the second byte, if there is one
  /// @return less than 0 if the bytes are not one of two bytes at most and its chars
  private static int header(byte first, byte second, int length) {
    if (first < 0 && (length == 1 || second <= 0)) {
      return -1;
    }
    int own = first < 0 ? 2 : 1;
    int header = own == 1 ? first : first & 0x7f | second << 7;
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
