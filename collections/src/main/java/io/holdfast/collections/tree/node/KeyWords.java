package io.holdfast.collections.tree.node;

import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.core.memory.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Encoded keys as words, the first byte lowest, so that nothing is copied to compare them.
final class KeyWords {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /// Eight bytes of a key, from an index on. Those after the key's last byte are undefined.
  static long word(Encoded key, int at) {
    if (key.length() == WORD_BYTES) {
      return key.word();
    }
    byte[] bytes = key.bytes();
    if (at + WORD_BYTES <= bytes.length) {
      return (long) LONGS.get(bytes, at);
    }
    long word = 0;
    for (int i = bytes.length - 1; i >= at; i--) {
      word = word << Byte.SIZE | bytes[i] & 0xff;
    }
    return word;
  }

  /// Reads a key.
  static Encoded key(Memory memory, long at, int length) {
    if (length == WORD_BYTES && at % WORD_BYTES == 0) {
      return Encoded.of(memory.readPlain(at));
    }
    byte[] bytes = new byte[length];
    memory.readBytes(at, bytes, 0, length);
    return Encoded.of(bytes, length);
  }

  private KeyWords() {}
}
