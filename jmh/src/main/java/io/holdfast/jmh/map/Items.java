package io.holdfast.jmh.map;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Random;

/// Items are numbered from 0 on; their keys are spread over all longs, and no two are the same.
///
/// A key is computed, not looked up, so that drawing one touches no memory but the map's.
public final class Items {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /// Longer than any value by what a value may begin with.
  private static final byte[] TEMPLATE = new byte[1 << 16];

  static {
    new Random(1).nextBytes(TEMPLATE);
  }

  private Items() {}

  /// A bijection that scatters (Steele, Lea, Flood: SplittableRandom's finalizer).
  public static long scatter(long number) {
    long z = number + 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  /// The key of an item, as a long.
  public static long longKey(long item) {
    return scatter(item);
  }

  /// A new array with the key of an item: two words.
  public static byte[] key(long item) {
    byte[] key = new byte[16];
    LONGS.set(key, 0, scatter(item));
    LONGS.set(key, 8, item);
    return key;
  }

  /// A new array with a value that says its number.
  ///
  /// @param bytes at least 8
  public static byte[] value(long number, int bytes) {
    byte[] value = new byte[bytes];
    System.arraycopy(TEMPLATE, (int) number & 0xff, value, 0, bytes);
    LONGS.set(value, 0, number);
    return value;
  }

  /// The number that a value says.
  public static long number(byte[] value) {
    return word(value, 0);
  }

  static long word(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }
}
