package io.holdfast.collections.tree.node;

import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.core.memory.Memory;

/// The order of keys whose encoded form is a number with a sign, the lowest byte first, of up to
/// eight bytes; or one of eight and another one, which decides if the first ones are the same.
///
/// What has another length is left to an order that decodes it.
final class NumberOrder implements KeyOrder {
  private final KeyOrder decoded;
  private final int length;

  /// What is turned round in a number with its sign set: floating-point numbers below zero ascend
  /// as the rest of their bits descends.
  private final long turned;

  private NumberOrder(KeyOrder decoded, int length, long turned) {
    this.decoded = decoded;
    this.length = length;
    this.turned = turned;
  }

  /// @param length of a key, in bytes
  static KeyOrder integers(KeyOrder decoded, int length) {
    return new NumberOrder(decoded, length, 0);
  }

  /// @param length of a key, in bytes
  static KeyOrder floats(KeyOrder decoded, int length) {
    return new NumberOrder(decoded, length, Long.MAX_VALUE);
  }

  @Override
  public int compare(Encoded one, Encoded other) {
    if (one.length() != length || other.length() != length) {
      return decoded.compare(one, other);
    }
    int order = 0;
    for (int at = 0; order == 0 && at < length; at += WORD_BYTES) {
      order = compare(KeyWords.word(one, at), KeyWords.word(other, at), at);
    }
    return order;
  }

  @Override
  public int compare(Memory memory, long from, int bytes, Encoded other) {
    if (bytes != length || other.length() != length || from % WORD_BYTES != 0) {
      return KeyOrder.super.compare(memory, from, bytes, other);
    }
    int order = 0;
    for (int at = 0; order == 0 && at < length; at += WORD_BYTES) {
      order = compare(memory.readPlain(from + at), KeyWords.word(other, at), at);
    }
    return order;
  }

  private int compare(long one, long other, int at) {
    int unused = Long.SIZE - Byte.SIZE * Math.min(length - at, WORD_BYTES);
    return Long.compare(number(one, unused), number(other, unused));
  }

  private long number(long word, int unused) {
    long number = word << unused >> unused;
    return number ^ number >> Long.SIZE - 1 & turned;
  }
}
