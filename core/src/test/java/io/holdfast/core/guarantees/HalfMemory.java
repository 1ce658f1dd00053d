package io.holdfast.core.guarantees;

import io.holdfast.core.RegionFullException;
import io.holdfast.core.memory.Memory;

/// A part of a memory as a memory of its own, so that one crash hits several regions. It does not
/// grow.
final class HalfMemory extends Memory {
  private final Memory whole;
  private final long start;
  private final long length;

  HalfMemory(Memory whole, long start, long length) {
    this.whole = whole;
    this.start = start;
    this.length = length;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void grow(long newLength) {
    throw new RegionFullException("half a memory does not grow: length=" + length, null);
  }

  @Override
  public void shrink(long newLength) {
    if (newLength != length) {
      throw new UnsupportedOperationException("half a memory keeps its length");
    }
  }

  @Override
  public void giveBack() {
    // there is nothing after it
  }

  @Override
  public long readPlain(long offset) {
    return whole.readPlain(start + offset);
  }

  @Override
  public long readAcquire(long offset) {
    return whole.readAcquire(start + offset);
  }

  @Override
  public void writePlain(long offset, long value) {
    whole.writePlain(start + offset, value);
  }

  @Override
  public void writeRelease(long offset, long value) {
    whole.writeRelease(start + offset, value);
  }

  @Override
  public void writeLoggedByte(long offset, byte value) {
    whole.writeLoggedByte(start + offset, value);
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    whole.writeEntryRelease(start + offset, w0, w1, w2, last);
  }

  @Override
  public void readBytes(long offset, byte[] into, int at, int count) {
    whole.readBytes(start + offset, into, at, count);
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int count) {
    whole.writeBytesPlain(start + offset, from, at, count);
  }

  @Override
  public void zeroPlain(long offset, long count) {
    whole.zeroPlain(start + offset, count);
  }

  @Override
  public void releaseFence() {
    whole.releaseFence();
  }

  @Override
  public void flush(long offset, long count) {
    whole.flush(start + offset, count);
  }

  @Override
  public void fence() {
    whole.fence();
  }

  @Override
  public String name() {
    return "%s from 0x%X".formatted(whole.name(), start);
  }

  @Override
  public void close() {
    // the other half may be in use
  }

  @Override
  public Memory reopen() {
    return this;
  }
}
