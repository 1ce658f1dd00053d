package io.holdfast.codec;

import static java.util.Map.entry;

import java.lang.reflect.Array;
import java.util.Map;
import java.util.function.IntFunction;

/// Arrays of primitives: their length, then their elements.
final class PrimitiveArrays {
  /// All of them.
  static final Map<Class<?>, Codec<?>> BY_CLASS =
      Map.ofEntries(
          array(
              boolean[].class,
              Byte.BYTES,
              boolean[]::new,
              (out, array, i) -> out.writeBoolean(array[i]),
              (in, array, i) -> array[i] = in.readBoolean()),
          entry(byte[].class, new BytesCodec()),
          array(
              short[].class,
              Short.BYTES,
              short[]::new,
              (out, array, i) -> out.writeShort(array[i]),
              (in, array, i) -> array[i] = in.readShort()),
          array(
              char[].class,
              Character.BYTES,
              char[]::new,
              (out, array, i) -> out.writeChar(array[i]),
              (in, array, i) -> array[i] = in.readChar()),
          array(
              int[].class,
              Integer.BYTES,
              int[]::new,
              (out, array, i) -> out.writeInt(array[i]),
              (in, array, i) -> array[i] = in.readInt()),
          array(
              long[].class,
              Long.BYTES,
              long[]::new,
              (out, array, i) -> out.writeLong(array[i]),
              (in, array, i) -> array[i] = in.readLong()),
          array(
              float[].class,
              Float.BYTES,
              float[]::new,
              (out, array, i) -> out.writeFloat(array[i]),
              (in, array, i) -> array[i] = in.readFloat()),
          array(
              double[].class,
              Double.BYTES,
              double[]::new,
              (out, array, i) -> out.writeDouble(array[i]),
              (in, array, i) -> array[i] = in.readDouble()));

  private PrimitiveArrays() {}

  private interface ElementWriter<A> {
    void write(EncodedOutput out, A array, int index);
  }

  private interface ElementReader<A> {
    void read(EncodedInput in, A array, int index);
  }

  private static <A> Map.Entry<Class<?>, Codec<?>> array(
      Class<A> type,
      int width,
      IntFunction<A> make,
      ElementWriter<A> writer,
      ElementReader<A> reader) {
    return entry(
        type,
        new LeafCodec<>(
            type.getSimpleName(),
            0,
            (array, out) -> {
              int length = Array.getLength(array);
              out.writeLength(length);
              for (int i = 0; i < length; i++) {
                writer.write(out, array, i);
              }
            },
            in -> {
              int length = in.readLength(width);
              A array = make.apply(length);
              for (int i = 0; i < length; i++) {
                reader.read(in, array, i);
              }
              return array;
            }));
  }
}
