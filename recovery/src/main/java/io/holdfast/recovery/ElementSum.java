package io.holdfast.recovery;

import io.holdfast.recovery.RootReader.Element;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// How many elements there were, and a sum over the lengths and bytes of all.
final class ElementSum {
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer lengths = ByteBuffer.allocate(2 * Integer.BYTES);
  private long count;

  void add(Element element) {
    lengths.clear().putInt(element.key().length).putInt(element.value().length);
    crc.update(lengths.flip());
    crc.update(element.key());
    crc.update(element.value());
    count++;
  }

  long count() {
    return count;
  }

  long value() {
    return crc.getValue();
  }
}
