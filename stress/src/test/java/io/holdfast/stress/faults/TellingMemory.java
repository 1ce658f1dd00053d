package io.holdfast.stress.faults;

import io.holdfast.core.memory.Memory;
import java.util.List;

/// A memory that does nothing but tell what it is asked for, as far as {@link Sample} asks.
final class TellingMemory extends Memory {
  private final List<String> done;

  TellingMemory(List<String> done) {
    this.done = done;
  }

  @Override
  public void writePlain(long offset, long value) {
    done.add("plain " + offset + " " + value);
  }

  @Override
  public void writeRelease(long offset, long value) {
    done.add("release " + offset + " " + value);
  }

  @Override
  public void flush(long offset, long length) {
    done.add("flush " + offset);
  }

  @Override
  public void fence() {
    done.add("fence");
  }

  @Override
  public long length() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void grow(long newLength) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void shrink(long newLength) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void giveBack() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long readPlain(long offset) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long readAcquire(long offset) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void writeLoggedByte(long offset, byte value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void readBytes(long offset, byte[] into, int at, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void zeroPlain(long offset, long length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void releaseFence() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String name() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Memory reopen() {
    throw new UnsupportedOperationException();
  }
}
