package io.holdfast.core.memory;

import io.holdfast.core.RegionFullException;
import java.util.HashMap;
import java.util.Map;

/// A memory of any length, of which only those pages take room that hold something else than zeros.
///
/// Not thread-safe.
final class SparseMemory extends Memory {
  private static final int PAGE_BYTES = RegionLayout.PAGE_BYTES;

  private final Map<Long, long[]> pages = new HashMap<>();
  private final long capacity;
  private long length;

  SparseMemory(long capacity) {
    this.capacity = capacity;
  }

  private void check(long offset, long count) {
    if (offset < 0 || count < 0 || offset + count > length) {
      throw new IndexOutOfBoundsException(
          "offset=0x%X, bytes=%d, length=0x%X".formatted(offset, count, length));
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void grow(long newLength) {
    if (newLength > capacity) {
      throw new RegionFullException("sparse: newLength=%d".formatted(newLength));
    }
    length = newLength;
  }

  @Override
  public void shrink(long newLength) {
    pages.keySet().removeIf(page -> page * PAGE_BYTES >= newLength);
    length = newLength;
  }

  @Override
  public void giveBack() {
    // it has no more than what is not zero
  }

  @Override
  public long readPlain(long offset) {
    check(offset, 8);
    long[] page = pages.get(offset / PAGE_BYTES);
    return page == null ? 0 : page[(int) (offset % PAGE_BYTES / 8)];
  }

  @Override
  public long readAcquire(long offset) {
    return readPlain(offset);
  }

  @Override
  public void writePlain(long offset, long value) {
    check(offset, 8);
    pages
            .computeIfAbsent(offset / PAGE_BYTES, _ -> new long[PAGE_BYTES / 8])[
            (int) (offset % PAGE_BYTES / 8)] =
        value;
  }

  @Override
  public void writeRelease(long offset, long value) {
    writePlain(offset, value);
  }

  private int readByte(long offset) {
    return (int) (readPlain(offset & ~7L) >>> (offset % 8 * 8)) & 0xff;
  }

  @Override
  public void writeLoggedByte(long offset, byte value) {
    long shift = offset % 8 * 8;
    long others = readPlain(offset & ~7L) & ~(0xffL << shift);
    writePlain(offset & ~7L, others | (value & 0xffL) << shift);
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    writePlain(offset, w0);
    writePlain(offset + 8, w1);
    writePlain(offset + 16, w2);
    writePlain(offset + 24, last);
  }

  @Override
  public void readBytes(long offset, byte[] into, int at, int count) {
    for (int i = 0; i < count; i++) {
      into[at + i] = (byte) readByte(offset + i);
    }
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int count) {
    for (int i = 0; i < count; i++) {
      writeLoggedByte(offset + i, from[at + i]);
    }
  }

  @Override
  public void zeroPlain(long offset, long count) {
    check(offset, count);
    for (long at = offset; at < offset + count; at += 8) {
      if (pages.containsKey(at / PAGE_BYTES)) {
        writePlain(at, 0);
      }
    }
  }

  @Override
  public void releaseFence() {
    // Nothing is reordered.
  }

  @Override
  public void flush(long offset, long count) {
    check(offset, count);
  }

  @Override
  public void fence() {
    // Nothing is late.
  }

  @Override
  public String name() {
    return "sparse";
  }

  @Override
  public void close() {
    // The bytes outlive the region, as a file does.
  }

  @Override
  public Memory reopen() {
    return this;
  }
}
