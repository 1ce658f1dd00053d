package io.holdfast.collections.map;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// SipHash-1-3 (Aumasson and Bernstein, 2012; one round a word and three at the end, as Rust's and
/// Python's maps use it): a hash under a secret, so that who chooses keys can't choose where they
/// go.
final class KeyedHash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long secret0;
  private final long secret1;

  KeyedHash(long secret0, long secret1) {
    this.secret0 = secret0;
    this.secret1 = secret1;
  }

  /// The hash of encoded bytes.
  long hash(Encoded key) {
    return key.length() == Long.BYTES ? hash(key.word()) : hash(key.bytes(), key.length());
  }

  /// The hash of eight bytes, the lowest first.
  long hash(long word) {
    long v0 = secret0 ^ 0x736f6d6570736575L;
    long v1 = secret1 ^ 0x646f72616e646f6dL;
    long v2 = secret0 ^ 0x6c7967656e657261L;
    long v3 = secret1 ^ 0x7465646279746573L ^ word;
    // a round
    v0 += v1;
    v1 = Long.rotateLeft(v1, 13) ^ v0;
    v0 = Long.rotateLeft(v0, 32);
    v2 += v3;
    v3 = Long.rotateLeft(v3, 16) ^ v2;
    v0 += v3;
    v3 = Long.rotateLeft(v3, 21) ^ v0;
    v2 += v1;
    v1 = Long.rotateLeft(v1, 17) ^ v2;
    v2 = Long.rotateLeft(v2, 32);
    return end(v0 ^ word, v1, v2, v3, (long) Long.BYTES << 56);
  }

  /// The hash of any bytes.
  long hash(byte[] bytes, int length) {
    long v0 = secret0 ^ 0x736f6d6570736575L;
    long v1 = secret1 ^ 0x646f72616e646f6dL;
    long v2 = secret0 ^ 0x6c7967656e657261L;
    long v3 = secret1 ^ 0x7465646279746573L;
    int at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      long word = (long) LONGS.get(bytes, at);
      v3 ^= word;
      v0 += v1;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v3;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 += v3;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v2 = Long.rotateLeft(v2, 32);
      v0 ^= word;
    }
    long last = (long) length << 56;
    for (int shift = 0; at < length; at++, shift += 8) {
      last |= (bytes[at] & 0xffL) << shift;
    }
    return end(v0, v1, v2, v3, last);
  }

  private static long end(long a, long b, long c, long d, long last) {
    long v0 = a;
    long v1 = b;
    long v2 = c;
    long v3 = d ^ last;
    for (int round = 0; round < 4; round++) {
      v0 += v1;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v3;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 += v3;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v2 = Long.rotateLeft(v2, 32);
      if (round == 0) {
        v0 ^= last;
        v2 ^= 0xff;
      }
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }
}
