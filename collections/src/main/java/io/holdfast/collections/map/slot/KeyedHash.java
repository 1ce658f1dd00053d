package io.holdfast.collections.map.slot;

import io.holdfast.codec.Encoded;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Folded multiplication (as wyhash, Go's maps and Rust's foldhash have it): a hash under a secret,
/// so that who chooses keys can't choose where they go.
///
/// The fold of two words is the exclusive or of both halves of their product, of 128 bits. Each two
/// words of the key are folded under the secret, and what comes of all once more.
///
/// SipHash is the stronger function, with a proof behind it. It was here first, and was a quarter
/// of the instructions of a get: docs/benchmarks.md, "Maps".
public final class KeyedHash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /// Odd numbers whose bits are half ones, so that no secret makes a factor of few bits: the golden
  /// ratio's, and two of wyhash's.
  private static final long LAST = 0x9E3779B97F4A7C15L;

  private static final long FIRST = 0x8BB84B93962EACC9L, SECOND = 0x4B33A62ED433D4A3L;

  private final long secret0;
  private final long secret1;

  public KeyedHash(long secret0, long secret1) {
    this.secret0 = secret0 ^ FIRST;
    this.secret1 = secret1 ^ SECOND;
  }

  /// The hash of encoded bytes.
  public long hash(Encoded key) {
    return key.length() == Long.BYTES ? hash(key.word()) : hash(key.bytes(), key.length());
  }

  /// The hash of eight bytes, the lowest first.
  public long hash(long word) {
    return end(fold(word ^ secret0, secret1), Long.BYTES);
  }

  /// The hash of any bytes.
  public long hash(byte[] bytes, int length) {
    long hash = secret0;
    int at = 0;
    for (; at + 2 * Long.BYTES <= length; at += 2 * Long.BYTES) {
      long even = (long) LONGS.get(bytes, at);
      long odd = (long) LONGS.get(bytes, at + Long.BYTES);
      hash = fold(even ^ hash, odd ^ secret1);
    }
    if (at < length) {
      hash = fold(upToEight(bytes, at, length) ^ hash, upToEight(bytes, at + 8, length) ^ secret1);
    }
    return end(hash, length);
  }

  private static long upToEight(byte[] bytes, int from, int length) {
    if (from + Long.BYTES <= length) {
      return (long) LONGS.get(bytes, from);
    }
    long word = 0;
    for (int at = from, shift = 0; at < length; at++, shift += 8) {
      word |= (bytes[at] & 0xffL) << shift;
    }
    return word;
  }

  private static long end(long hash, int length) {
    return fold(hash ^ length, LAST);
  }

  private static long fold(long a, long b) {
    return a * b ^ Math.unsignedMultiplyHigh(a, b);
  }
}
