package io.holdfast.codec;

import static java.util.Map.entry;

import java.util.Map;

/// Arrays of primitives: their length, then their elements.
final class PrimitiveArrays {
  static final Codec<boolean[]> BOOLEANS =
      new LeafCodec<>("boolean[]", 0, PrimitiveArrays::write, PrimitiveArrays::readBooleans);
  static final Codec<byte[]> BYTES =
      new LeafCodec<>("byte[]", 0, PrimitiveArrays::write, in -> in.readBytes(in.readLength()));
  static final Codec<short[]> SHORTS =
      new LeafCodec<>("short[]", 0, PrimitiveArrays::write, PrimitiveArrays::readShorts);
  static final Codec<char[]> CHARS =
      new LeafCodec<>("char[]", 0, PrimitiveArrays::write, PrimitiveArrays::readChars);
  static final Codec<int[]> INTS =
      new LeafCodec<>("int[]", 0, PrimitiveArrays::write, PrimitiveArrays::readInts);
  static final Codec<long[]> LONGS =
      new LeafCodec<>("long[]", 0, PrimitiveArrays::write, PrimitiveArrays::readLongs);
  static final Codec<float[]> FLOATS =
      new LeafCodec<>("float[]", 0, PrimitiveArrays::write, PrimitiveArrays::readFloats);
  static final Codec<double[]> DOUBLES =
      new LeafCodec<>("double[]", 0, PrimitiveArrays::write, PrimitiveArrays::readDoubles);

  /// All of them.
  static final Map<Class<?>, Codec<?>> BY_CLASS =
      Map.ofEntries(
          entry(boolean[].class, BOOLEANS),
          entry(byte[].class, BYTES),
          entry(short[].class, SHORTS),
          entry(char[].class, CHARS),
          entry(int[].class, INTS),
          entry(long[].class, LONGS),
          entry(float[].class, FLOATS),
          entry(double[].class, DOUBLES));

  private PrimitiveArrays() {}

  private static void write(boolean[] value, EncodedOutput out) {
    out.writeLength(value.length);
    for (boolean element : value) {
      out.writeBoolean(element);
    }
  }

  private static boolean[] readBooleans(EncodedInput in) {
    boolean[] value = new boolean[in.readLength(Byte.BYTES)];
    for (int i = 0; i < value.length; i++) {
      value[i] = in.readBoolean();
    }
    return value;
  }

  private static void write(byte[] value, EncodedOutput out) {
    out.writeLength(value.length);
    out.writeBytes(value, 0, value.length);
  }

  private static void write(short[] value, EncodedOutput out) {
    out.writeLength(value.length);
    for (short element : value) {
      out.writeShort(element);
    }
  }

  private static short[] readShorts(EncodedInput in) {
    short[] value = new short[in.readLength(Short.BYTES)];
    for (int i = 0; i < value.length; i++) {
      value[i] = in.readShort();
    }
    return value;
  }

  private static void write(char[] value, EncodedOutput out) {
    out.writeLength(value.length);
    for (char element : value) {
      out.writeChar(element);
    }
  }

  private static char[] readChars(EncodedInput in) {
    char[] value = new char[in.readLength(Character.BYTES)];
    for (int i = 0; i < value.length; i++) {
      value[i] = in.readChar();
    }
    return value;
  }

  private static void write(int[] value, EncodedOutput out) {
    out.writeLength(value.length);
    for (int element : value) {
      out.writeInt(element);
    }
  }

  private static int[] readInts(EncodedInput in) {
    int[] value = new int[in.readLength(Integer.BYTES)];
    for (int i = 0; i < value.length; i++) {
      value[i] = in.readInt();
    }
    return value;
  }

  private static void write(long[] value, EncodedOutput out) {
    out.writeLength(value.length);
    for (long element : value) {
      out.writeLong(element);
    }
  }

  private static long[] readLongs(EncodedInput in) {
    long[] value = new long[in.readLength(Long.BYTES)];
    for (int i = 0; i < value.length; i++) {
      value[i] = in.readLong();
    }
    return value;
  }

  private static void write(float[] value, EncodedOutput out) {
    out.writeLength(value.length);
    for (float element : value) {
      out.writeFloat(element);
    }
  }

  private static float[] readFloats(EncodedInput in) {
    float[] value = new float[in.readLength(Float.BYTES)];
    for (int i = 0; i < value.length; i++) {
      value[i] = in.readFloat();
    }
    return value;
  }

  private static void write(double[] value, EncodedOutput out) {
    out.writeLength(value.length);
    for (double element : value) {
      out.writeDouble(element);
    }
  }

  private static double[] readDoubles(EncodedInput in) {
    double[] value = new double[in.readLength(Double.BYTES)];
    for (int i = 0; i < value.length; i++) {
      value[i] = in.readDouble();
    }
    return value;
  }
}
