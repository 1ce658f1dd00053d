package io.holdfast.core.region;

import io.holdfast.core.memory.ForwardingMemory;
import io.holdfast.core.memory.Memory;

/// Counts the words that are read of a memory.
final class CountedReads extends ForwardingMemory {
  private long words;

  CountedReads(Memory bytes) {
    super(bytes);
  }

  long words() {
    return words;
  }

  @Override
  public long readPlain(long offset) {
    words++;
    return bytes.readPlain(offset);
  }

  @Override
  public long readAcquire(long offset) {
    words++;
    return bytes.readAcquire(offset);
  }

  @Override
  public void readBytes(long offset, byte[] into, int at, int length) {
    words += length / 8;
    bytes.readBytes(offset, into, at, length);
  }
}
