package io.holdfast.codec;

import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/// The bytes of an encoded value, read from front to back: the counterpart of [EncodedOutput],
/// which describes their form. One instance is reused, by one thread at a time.
///
/// The bytes come from media and are trusted in nothing. A read that they can't satisfy throws a
/// [CodecException] and leaves the position where it was; no array is allocated before its bytes
/// are known to be there; and only what [EncodedOutput] can have written is accepted.
public final class EncodedInput {
  private static final byte[] NONE = {};

  private static final VarHandle CHAR = EncodedOutput.view(char[].class);
  private static final VarHandle SHORT = EncodedOutput.view(short[].class);
  private static final VarHandle INT = EncodedOutput.view(int[].class);
  private static final VarHandle LONG = EncodedOutput.view(long[].class);

  private byte[] bytes = NONE;
  private int position;
  private int limit;
  private int depth;

  /// Whether nobody else has the array.
  private boolean isOwn;

  /// Creates an input without bytes; [#reset] gives it some.
  public EncodedInput() {}

  /// Reads from now on `length` bytes of `source`, from `offset` on. The array is not copied.
  @SuppressWarnings("ReferenceEquality")
  public void reset(byte[] source, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, source.length);
    if (bytes != source) { // as a rule it is the same one; a reference costs a collector's barrier
      bytes = source;
    }
    position = offset;
    limit = offset + length;
    depth = 0;
    isOwn = false;
  }

  /// The same with an array that nobody else has, and that may be what is read of it.
  public void resetToOwn(byte[] source, int length) {
    reset(source, 0, length);
    isOwn = true;
  }

  /// Where the next byte is in the array.
  int position() {
    return position;
  }

  /// The number of bytes not yet read.
  public int remaining() {
    return limit - position;
  }

  /// Throws a [CodecException] unless all bytes have been read. Bytes that remain show that another
  /// codec wrote the value, or that it is damaged.
  public void expectEnd() {
    if (position != limit) {
      throw refused("Bytes remain after the value: remaining=" + remaining() + " bytes");
    }
  }

  /// Reads what [EncodedOutput#writeByte] wrote.
  public byte readByte() {
    return bytes[advance("a byte", Byte.BYTES)];
  }

  /// Reads what [EncodedOutput#writeBoolean] wrote.
  public boolean readBoolean() {
    byte value = readByte();
    if (value < 0 || value > 1) {
      position -= Byte.BYTES;
      throw refused("Cannot read a boolean: it is neither 0 nor 1: found=" + value);
    }
    return value == 1;
  }

  /// Reads what [EncodedOutput#writeShort] wrote.
  public short readShort() {
    return (short) SHORT.get(bytes, advance("a short", Short.BYTES));
  }

  /// Reads what [EncodedOutput#writeChar] wrote.
  public char readChar() {
    return (char) CHAR.get(bytes, advance("a char", Character.BYTES));
  }

  /// Reads what [EncodedOutput#writeFloat] wrote.
  public float readFloat() {
    int bits = readInt();
    float value = Float.intBitsToFloat(bits);
    if (Float.floatToIntBits(value) != bits) {
      position -= Float.BYTES;
      throw refused("Cannot read a float: not the form of NaN: bits=0x%X".formatted(bits));
    }
    return value;
  }

  /// Reads what [EncodedOutput#writeDouble] wrote.
  public double readDouble() {
    long bits = readLong();
    double value = Double.longBitsToDouble(bits);
    if (Double.doubleToLongBits(value) != bits) {
      position -= Double.BYTES;
      throw refused("Cannot read a double: not the form of NaN: bits=0x%X".formatted(bits));
    }
    return value;
  }

  /// Reads what [EncodedOutput#writeInt] wrote.
  public int readInt() {
    return (int) INT.get(bytes, advance("an int", Integer.BYTES));
  }

  /// Reads what [EncodedOutput#writeLong] wrote.
  public long readLong() {
    return (long) LONG.get(bytes, advance("a long", Long.BYTES));
  }

  /// Reads what [EncodedOutput#writeWord] wrote.
  long readWord(int count) {
    if (count == Long.BYTES) {
      return readLong();
    }
    if (count == Integer.BYTES) {
      return Integer.toUnsignedLong(readInt());
    }
    int start = advance("a word", count);
    long word = 0;
    for (int i = 0; i < count; i++) {
      word |= (bytes[start + i] & 0xFFL) << i * Byte.SIZE;
    }
    return word;
  }

  /// Begins to read a record.
  void enter() {
    if (++depth > EncodedOutput.DEPTH_MAX) {
      throw refused(
          "Cannot read a record: it is nested deeper than %d levels"
              .formatted(EncodedOutput.DEPTH_MAX));
    }
  }

  void leave() {
    depth--;
  }

  /// Throws a [CodecException] if the next `count` bytes are there and all zero; reads none.
  void expectNotZero(int count) {
    boolean zero = remaining() >= count;
    for (int i = 0; i < count && zero; i++) {
      zero = bytes[position + i] == 0;
    }
    if (zero) {
      throw needlessComponent();
    }
  }

  private CodecException needlessComponent() {
    return refused("Cannot read a record: its last component need not be there");
  }

  /// Compares two ranges of the array that have been read, byte by byte, unsigned.
  int compare(int oneStart, int oneEnd, int otherStart, int otherEnd) {
    return Arrays.compareUnsigned(bytes, oneStart, oneEnd, bytes, otherStart, otherEnd);
  }

  /// Reads `count` bytes into `target` from `offset` on.
  public void readBytes(byte[] target, int offset, int count) {
    Objects.checkFromIndexSize(offset, count, target.length);
    System.arraycopy(bytes, advance("bytes", count), target, offset, count);
  }

  /// Reads `count` bytes into an array of their own, which is allocated only if they are there.
  public byte[] readBytes(int count) {
    int start = advance("bytes", count);
    return isOwn && count == bytes.length ? bytes : Arrays.copyOfRange(bytes, start, start + count);
  }

  /// Reads what [EncodedOutput#writeLength] wrote. To allocate by a number of things, read it with
  /// [#readLength(int)].
  public int readLength() {
    int start = position;
    int value = readVarint();
    if (value < 0) {
      position = start;
      throw refused(
          "Cannot read a length: it is over 2147483647: length=" + Integer.toUnsignedString(value));
    }
    return value;
  }

  /// Reads, as [#readLength()] does, the number of things that follow, of which each takes
  /// `bytesEachMin` bytes or more. A number for which too few bytes remain is refused, so that it
  /// is safe to allocate by it.
  public int readLength(int bytesEachMin) {
    int start = position;
    int value = readLength();
    if ((long) value * bytesEachMin > remaining()) {
      throw tooFewBytes("a length", value, bytesEachMin, start);
    }
    return value;
  }

  /// Reads what [EncodedOutput#writeString] wrote.
  public String readString() {
    int start = position;
    int header = readVarint();
    int chars = header >>> 1;
    int bytesEach = 1 + (header & 1);
    if ((long) chars * bytesEach > remaining()) {
      throw tooFewBytes("a string", chars, bytesEach, start);
    }
    int from = position;
    position = from + chars * bytesEach;
    return bytesEach == 1
        ? new String(bytes, from, chars, StandardCharsets.ISO_8859_1)
        : wideString(from, chars, start);
  }

  private String wideString(int from, int chars, int start) {
    char[] text = new char[chars];
    int all = 0;
    for (int i = 0; i < chars; i++) {
      char c = (char) CHAR.get(bytes, from + i * Character.BYTES);
      text[i] = c;
      all |= c;
    }
    if (all <= EncodedOutput.ONE_BYTE_CHAR_MAX) {
      position = start;
      throw refused("Cannot read a string: it has two bytes a char and needs one: chars=" + chars);
    }
    return new String(text);
  }

  private int readVarint() {
    int at = position;
    if (at < limit && bytes[at] >= 0) {
      position = at + 1;
      return bytes[at];
    }
    return readLongVarint();
  }

  private int readLongVarint() {
    int start = position;
    int value = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      if (position == limit) {
        position = start;
        throw refused("Cannot read a length: it has no end");
      }
      int group = bytes[position++];
      value |= (group & 0x7F) << shift;
      if (group >= 0) {
        // A last group of 0 is not minimal, and bits beyond the 32nd have gone from `value`.
        if (group == 0 || group != value >>> shift) {
          break;
        }
        return value;
      }
    }
    position = start;
    throw refused("Cannot read a length: it is over 32 bits or not in its shortest form");
  }

  /// Moves on by `count` bytes and returns where they start. `count` may have come from the media.
  private int advance(String what, int count) {
    int start = position;
    if (count < 0 || count > limit - start) {
      throw refused(
          "Cannot read %s: length=%s bytes, remaining=%s bytes"
              .formatted(what, count, remaining()));
    }
    position = start + count;
    return start;
  }

  /// For the byte just read, which should have told what a record's component is.
  CodecException badMarker(byte marker) {
    position -= Byte.BYTES;
    return refused("Cannot read a component of a record: its marker is none: marker=" + marker);
  }

  /// Puts the position back to `start`.
  private CodecException tooFewBytes(String what, int count, int bytesEach, int start) {
    int remaining = remaining();
    position = start;
    return refused(
        "Cannot read %s: too few bytes follow: length=%s of %s bytes each, remaining=%s bytes"
            .formatted(what, count, bytesEach, remaining));
  }

  /// To be called once the position is back where the read began.
  CodecException refused(String attempted) {
    return refused(attempted, null);
  }

  CodecException refused(String attempted, Throwable cause) {
    return new CodecException(attempted + ", position=" + position + ", limit=" + limit, cause);
  }
}
