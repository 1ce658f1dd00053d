package io.holdfast.core.explorer;

import io.holdfast.core.StoreClosedException;
import io.holdfast.core.memory.Memory;

/// Bytes at each of whose stores something happens first, as by another thread; it may take them
/// away.
public final class HookedMemory extends Memory {
  private final Memory bytes;
  private Runnable beforeStore = () -> {};
  private Runnable beforeRead = () -> {};
  private Runnable beforeClose = () -> {};
  private Runnable beforeForce = () -> {};
  private Memory reopened;
  private boolean closed;

  public HookedMemory(Memory bytes) {
    this.bytes = bytes;
  }

  public void beforeEachStore(Runnable action) {
    beforeStore = action;
  }

  public void beforeEachRead(Runnable action) {
    beforeRead = action;
  }

  public void beforeClose(Runnable action) {
    beforeClose = action;
  }

  public void beforeForce(Runnable action) {
    beforeForce = action;
  }

  /// What {@link #reopen} gives, instead of the bytes.
  public void reopenAs(Memory memory) {
    reopened = memory;
  }

  public boolean isClosed() {
    return closed;
  }

  private Memory store() {
    beforeStore.run();
    return bytes();
  }

  private Memory read() {
    beforeRead.run();
    return bytes();
  }

  private Memory bytes() {
    if (closed) {
      throw new StoreClosedException("closed");
    }
    return bytes;
  }

  @Override
  public long length() {
    return bytes.length();
  }

  @Override
  public void grow(long newLength) {
    store().grow(newLength);
  }

  @Override
  public void shrink(long newLength) {
    store().shrink(newLength);
  }

  @Override
  public void giveBack() {
    store().giveBack();
  }

  @Override
  public long readPlain(long offset) {
    return read().readPlain(offset);
  }

  @Override
  public long readAcquire(long offset) {
    return read().readAcquire(offset);
  }

  @Override
  public void writePlain(long offset, long value) {
    store().writePlain(offset, value);
  }

  @Override
  public void writeRelease(long offset, long value) {
    store().writeRelease(offset, value);
  }

  @Override
  public void writeLoggedByte(long offset, byte value) {
    Memory to = store();
    // It stores the whole word, and another thread may be at its neighbour.
    synchronized (bytes) {
      to.writeLoggedByte(offset, value);
    }
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    store().writeEntryRelease(offset, w0, w1, w2, last);
  }

  @Override
  public void readBytes(long offset, byte[] into, int at, int length) {
    read().readBytes(offset, into, at, length);
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int length) {
    store().writeBytesPlain(offset, from, at, length);
  }

  @Override
  public void zeroPlain(long offset, long length) {
    store().zeroPlain(offset, length);
  }

  @Override
  public void flush(long offset, long length) {
    read().flush(offset, length);
  }

  @Override
  public void fence() {
    read().fence();
  }

  @Override
  public void force() {
    beforeForce.run();
    bytes.force();
  }

  @Override
  public void releaseFence() {
    bytes.releaseFence();
  }

  @Override
  public String name() {
    return "hooked";
  }

  @Override
  public void close() {
    beforeClose.run();
    closed = true;
  }

  @Override
  public Memory reopen() {
    return reopened == null ? bytes : reopened;
  }
}
