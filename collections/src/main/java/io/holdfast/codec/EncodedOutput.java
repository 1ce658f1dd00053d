package io.holdfast.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/// A growing array of bytes that a [Codec] writes a value to. Numbers are little endian.
///
/// One instance is reused for many values, by one thread at a time: [#reset()], encode, then take
/// [#length()] bytes from the start of [#array()]. After an exception the content is a torso;
/// `reset()` clears it.
///
/// | written by | bytes |
/// |---|---|
/// | [#writeByte] | 1 |
/// | [#writeBoolean] | 1: 0 or 1 |
/// | [#writeShort], [#writeChar] | 2, little endian |
/// | [#writeInt] | 4, little endian |
/// | [#writeFloat], [#writeDouble] | 4 and 8: their IEEE 754 bits, with one form for what is not a number |
/// | [#writeLong] | 8, little endian |
/// | [#writeLength] | 1 to 5: groups of 7 bits, the lowest first; bit 7 says that another follows |
/// | [#writeBytes] | as given, without a length |
/// | [#writeString] | a varint of `chars << 1 \| wide`; then `wide` 0: 1 byte a char, 1: 2 bytes |
///
/// Each value has one encoded form only (the varint is minimal, `wide` is 1 only where a char needs
/// it), so that equal values have equal bytes and hashes of the bytes are hashes of the value.
public final class EncodedOutput {
  /// The longest encoded value, in bytes: the longest array that every JVM can allocate.
  public static final int LENGTH_MAX = Integer.MAX_VALUE - 8;

  /// `reset()` keeps a buffer of up to this size, in bytes. The buffer belongs to a thread; the
  /// values of most programs are far smaller, and one that is not must not be paid for ever.
  static final int RETAINED_MAX = 1 << 20;

  private static final int INITIAL_CAPACITY = 256;

  static final int ONE_BYTE_CHAR_MAX = 0xFF;

  /// Records are nested at most this deep: what else is nested ends where its type does. A level of
  /// a record of 20 components takes some 2 KB of stack before it is compiled, and one of 100 some
  /// 10 KB, so that 64 levels fit into a stack of 1 MiB. Test: NestingTest.
  static final int DEPTH_MAX = 64;

  private static final VarHandle CHAR = view(char[].class);
  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);

  private final String what;
  private final int lengthMax;
  private byte[] bytes;
  private int length;
  private int depth;

  /// Where the mark of the component ends that was last written as absent.
  private int absentEnd = -1;

  /// Creates an empty output for values of up to [#LENGTH_MAX] bytes.
  public EncodedOutput() {
    this("An encoded value", LENGTH_MAX);
  }

  /// Creates an empty output for shorter values.
  ///
  /// @param what is written, at the beginning of the message that refuses what is longer
  /// @param lengthMax in bytes, from 0 to [#LENGTH_MAX]
  public EncodedOutput(String what, int lengthMax) {
    if (lengthMax < 0 || lengthMax > LENGTH_MAX) {
      throw new IllegalArgumentException(
          "An output's limit is from 0 to %s bytes: lengthMax=%s".formatted(LENGTH_MAX, lengthMax));
    }
    this.what = what;
    this.lengthMax = lengthMax;
    this.bytes = initialBuffer();
  }

  static VarHandle view(Class<?> arrayType) {
    return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.LITTLE_ENDIAN)
        .withInvokeExactBehavior();
  }

  /// Writes the lowest 8 bits of `value`.
  public void writeByte(int value) {
    ensure(Byte.BYTES);
    bytes[length++] = (byte) value;
  }

  /// Writes a byte, 1 for true.
  public void writeBoolean(boolean value) {
    writeByte(value ? 1 : 0);
  }

  /// Writes the lowest 16 bits of `value`.
  public void writeShort(int value) {
    ensure(Short.BYTES);
    SHORT.set(bytes, length, (short) value);
    length += Short.BYTES;
  }

  /// Writes 2 bytes.
  public void writeChar(char value) {
    ensure(Character.BYTES);
    CHAR.set(bytes, length, value);
    length += Character.BYTES;
  }

  /// Writes 4 bytes. All that is not a number is one value, as for `Float.equals`.
  public void writeFloat(float value) {
    writeInt(Float.floatToIntBits(value));
  }

  /// Writes 8 bytes. All that is not a number is one value, as for `Double.equals`.
  public void writeDouble(double value) {
    writeLong(Double.doubleToLongBits(value));
  }

  /// Writes 4 bytes.
  public void writeInt(int value) {
    ensure(Integer.BYTES);
    INT.set(bytes, length, value);
    length += Integer.BYTES;
  }

  /// Writes 8 bytes.
  public void writeLong(long value) {
    ensure(Long.BYTES);
    LONG.set(bytes, length, value);
    length += Long.BYTES;
  }

  /// Writes the lowest `count` bytes of `value`, from 1 to 8.
  void writeWord(long value, int count) {
    if (count == Long.BYTES) {
      writeLong(value);
    } else if (count == Integer.BYTES) {
      writeInt((int) value);
    } else {
      for (int i = 0; i < count; i++) {
        writeByte((int) (value >>> i * Byte.SIZE));
      }
    }
  }

  /// Begins to write a record.
  void enter(TypeRef type) {
    if (++depth > DEPTH_MAX) {
      throw new IllegalArgumentException(
          "%s must have records nested at most %d levels deep: next=record %s, written=%d bytes"
              .formatted(what, DEPTH_MAX, type, length));
    }
  }

  void leave() {
    depth--;
  }

  /// Writes the mark of a record's component that need not be there.
  void writeAbsent() {
    writeByte(ComponentHandles.ABSENT);
    absentEnd = length;
  }

  /// Whether such a mark is the last that was written.
  boolean endsAbsent() {
    return absentEnd == length;
  }

  /// Whether all bytes from a place on are zero.
  boolean isZeroFrom(int start) {
    boolean isZero = true;
    for (int i = start; i < length && isZero; i++) {
      isZero = bytes[i] == 0;
    }
    return isZero;
  }

  /// Writes `count` bytes of `source` from `offset` on, without their number; write that before
  /// with [#writeLength] unless the reader knows it.
  public void writeBytes(byte[] source, int offset, int count) {
    Objects.checkFromIndexSize(offset, count, source.length);
    ensure(count);
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }

  /// Writes a length or a count, 0 or more, in as few bytes as it needs.
  public void writeLength(int value) {
    if (value < 0) {
      throw new IllegalArgumentException("A length must not be negative: length=" + value);
    }
    writeVarint(value);
  }

  /// Writes a string. Every string comes back as it was, unpaired surrogates included, which UTF-8
  /// would replace by a question mark. The two forms are those in which the JVM itself holds
  /// strings, so that the common one, chars up to `U+00FF`, is a plain copy in both directions.
  public void writeString(String value) {
    int chars = value.length();
    if (isOneBytePerChar(value)) {
      writeVarint(chars << 1);
      ensure(chars);
      copyLowBytes(value, chars);
      length += chars;
    } else {
      writeVarint(chars << 1 | 1);
      ensure((long) chars * Character.BYTES);
      for (int i = 0; i < chars; i++) {
        CHAR.set(bytes, length + i * Character.BYTES, value.charAt(i));
      }
      length += chars * Character.BYTES;
    }
  }

  /// The number of bytes written since the last reset.
  public int length() {
    return length;
  }

  /// The buffer itself, not a copy: its first [#length()] bytes are the content, until the next
  /// write or reset.
  public byte[] array() {
    return bytes;
  }

  /// Makes this output empty. A buffer that grew beyond 1 MiB is given back.
  public void reset() {
    length = 0;
    depth = 0;
    absentEnd = -1;
    if (bytes.length > RETAINED_MAX) {
      bytes = initialBuffer();
    }
  }

  private byte[] initialBuffer() {
    return new byte[Math.min(INITIAL_CAPACITY, lengthMax)];
  }

  private static boolean isOneBytePerChar(String value) {
    int all = 0;
    for (int i = 0; i < value.length(); i++) {
      all |= value.charAt(i);
    }
    return all <= ONE_BYTE_CHAR_MAX;
  }

  /// The one JDK method that copies a string's bytes into an array that is already there. It is
  /// deprecated because it drops high bytes; there are none here.
  @SuppressWarnings("deprecation")
  private void copyLowBytes(String value, int chars) {
    value.getBytes(0, chars, bytes, length);
  }

  /// `value` counts as unsigned, as a string's header needs 32 bits.
  void writeVarint(int value) {
    int rest = value;
    while ((rest & ~0x7F) != 0) {
      writeByte(rest | 0x80);
      rest >>>= 7;
    }
    writeByte(rest);
  }

  private void ensure(long more) {
    if (more > bytes.length - length) {
      grow(more);
    }
  }

  private void grow(long more) {
    long needed = length + more;
    if (needed > lengthMax) {
      throw new IllegalArgumentException(
          "%s must fit in %s bytes: written=%s bytes, next=%s bytes; split the value"
              .formatted(what, lengthMax, length, more));
    }
    // Doubling keeps the sum of all copies below twice the final size.
    long doubled = Math.min(lengthMax, 2L * bytes.length);
    bytes = Arrays.copyOf(bytes, (int) Math.max(needed, doubled));
  }
}
