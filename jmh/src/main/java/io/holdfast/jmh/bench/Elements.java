package io.holdfast.jmh.bench;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Makes the 64-byte elements that queues are measured with. Each carries a number, so that no two
/// are equal and none is a constant to the compiler.
///
/// Confined to its thread.
final class Elements {
  static final int BYTES = 64;

  /// How many elements a queue holds before it is measured, so that it is never found empty.
  static final int PREFILL = 100;

  private static final VarHandle NUMBER =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] reused = new byte[BYTES];
  private long number;

  /// A new array: what a program has that creates an element and hands it over.
  byte[] fresh() {
    return number(new byte[BYTES]);
  }

  /// The same array each time: what a queue that copies would allow.
  byte[] reused() {
    return number(reused);
  }

  private byte[] number(byte[] element) {
    NUMBER.set(element, 0, ++number);
    return element;
  }
}
