package io.holdfast.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// An encoded key or value: some bytes, or a word in place of eight of them. Immutable as long as
/// nobody changes the array that it was made of, which is not copied.
public final class Encoded {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final int length;
  private final long word;

  private Encoded(byte[] bytes, int length, long word) {
    this.bytes = bytes;
    this.length = length;
    this.word = word;
  }

  /// Eight bytes, the lowest first.
  public static Encoded of(long word) {
    return new Encoded(null, Long.BYTES, word);
  }

  /// The first bytes of an array.
  public static Encoded of(byte[] bytes, int length) {
    return length == Long.BYTES ? of((long) LONGS.get(bytes, 0)) : new Encoded(bytes, length, 0);
  }

  /// All bytes of an array.
  public static Encoded of(byte[] bytes) {
    return of(bytes, bytes.length);
  }

  public int length() {
    return length;
  }

  /// The eight bytes, of an encoding of that length.
  public long word() {
    return word;
  }

  /// The bytes are the first {@link #length} of these.
  public byte[] bytes() {
    if (bytes != null) {
      return bytes;
    }
    byte[] made = new byte[Long.BYTES];
    LONGS.set(made, 0, word);
    return made;
  }

  /// The bytes, and no others, in an array of their own.
  public byte[] copy() {
    return Arrays.copyOf(bytes(), length);
  }

  /// The same, in an array of its own: of what is kept, and might lie in a buffer.
  public Encoded own() {
    return bytes == null ? this : new Encoded(copy(), length, 0);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Encoded that
        && length == that.length
        && word == that.word
        && (length == Long.BYTES || Arrays.equals(bytes, 0, length, that.bytes, 0, length));
  }

  @Override
  public int hashCode() {
    if (length == Long.BYTES) {
      return Long.hashCode(word);
    }
    long hash = length;
    int at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      hash = mixed(hash, (long) LONGS.get(bytes, at));
    }
    for (; at < length; at++) {
      hash = mixed(hash, bytes[at]);
    }
    return Long.hashCode(hash);
  }

  private static long mixed(long hash, long more) {
    return Long.rotateLeft((hash ^ more) * 0x9E3779B97F4A7C15L, Integer.SIZE);
  }

  @Override
  public String toString() {
    return length == Long.BYTES ? "0x%X".formatted(word) : "%d bytes".formatted(length);
  }
}
