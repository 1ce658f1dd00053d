package io.holdfast.core.memory;

import java.util.Arrays;

/// A memory as a thread sees it that holds stores back ({@link HeldStores}): what it reads is what
/// it has stored, and what it stores otherwise comes after what it holds back wherever the order
/// can be seen.
class HeldView extends ForwardingMemory {
  final HeldStores held;

  HeldView(Memory bytes, HeldStores held) {
    super(bytes);
    this.held = held;
  }

  @Override
  public long readPlain(long offset) {
    StoreBuffer mine = held.mine();
    long stored = bytes.readPlain(offset);
    return mine == null ? stored : mine.over(offset, stored); // POST-3
  }

  @Override
  public long readAcquire(long offset) {
    StoreBuffer mine = held.mine();
    long stored = bytes.readAcquire(offset);
    return mine == null ? stored : mine.over(offset, stored); // POST-3
  }

  @Override
  public void readBytes(long offset, byte[] into, int at, int length) {
    bytes.readBytes(offset, into, at, length);
    StoreBuffer mine = held.mine();
    if (mine != null) {
      mine.over(offset, into, at, length); // POST-3
    }
  }

  @Override
  public boolean hasBytes(long offset, byte[] expected, int length) {
    StoreBuffer mine = held.mine();
    if (mine == null || !mine.meets(offset, length)) {
      return bytes.hasBytes(offset, expected, length);
    }
    byte[] found = new byte[length];
    readBytes(offset, found, 0, length);
    return Arrays.equals(found, 0, length, expected, 0, length);
  }

  @Override
  public void writePlain(long offset, long value) {
    held.storeIfHeld(offset);
    bytes.writePlain(offset, value);
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int length) {
    held.storeIfMet(offset, length);
    bytes.writeBytesPlain(offset, from, at, length);
  }

  @Override
  public void zeroPlain(long offset, long length) {
    held.storeIfMet(offset, length);
    bytes.zeroPlain(offset, length);
  }

  @Override
  public void writeRelease(long offset, long value) {
    held.store(); // POST-2
    bytes.writeRelease(offset, value);
  }

  @Override
  public void writeLoggedByte(long offset, byte value) {
    held.store(); // POST-5
    bytes.writeLoggedByte(offset, value);
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    held.store(); // POST-2
    bytes.writeEntryRelease(offset, w0, w1, w2, last);
  }

  @Override
  public void releaseFence() {
    held.store(); // POST-2
    bytes.releaseFence();
  }

  @Override
  public void flush(long offset, long length) {
    held.storeIfMet(offset, length);
    bytes.flush(offset, length);
  }
}
