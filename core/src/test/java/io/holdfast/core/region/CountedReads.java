package io.holdfast.core.region;

import io.holdfast.core.memory.Memory;

/// Counts the words that are read of a memory.
final class CountedReads extends Memory {
  private final Memory bytes;
  private long words;

  CountedReads(Memory bytes) {
    this.bytes = bytes;
  }

  long words() {
    return words;
  }

  @Override
  public long length() {
    return bytes.length();
  }

  @Override
  public void grow(long newLength) {
    bytes.grow(newLength);
  }

  @Override
  public void shrink(long newLength) {
    bytes.shrink(newLength);
  }

  @Override
  public void giveBack() {
    bytes.giveBack();
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
  public void writePlain(long offset, long value) {
    bytes.writePlain(offset, value);
  }

  @Override
  public void writeRelease(long offset, long value) {
    bytes.writeRelease(offset, value);
  }

  @Override
  public void writeLoggedByte(long offset, byte value) {
    bytes.writeLoggedByte(offset, value);
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    bytes.writeEntryRelease(offset, w0, w1, w2, last);
  }

  @Override
  public void readBytes(long offset, byte[] into, int at, int length) {
    words += length / 8;
    bytes.readBytes(offset, into, at, length);
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int length) {
    bytes.writeBytesPlain(offset, from, at, length);
  }

  @Override
  public void zeroPlain(long offset, long length) {
    bytes.zeroPlain(offset, length);
  }

  @Override
  public void releaseFence() {
    bytes.releaseFence();
  }

  @Override
  public void flush(long offset, long length) {
    bytes.flush(offset, length);
  }

  @Override
  public void fence() {
    bytes.fence();
  }

  @Override
  public String name() {
    return bytes.name();
  }

  @Override
  public void close() {
    bytes.close();
  }

  @Override
  public Memory reopen() {
    return bytes.reopen();
  }
}
