package io.holdfast.core.memory;

/// A memory in which stores become durable in the order in which {@link Memory} lets other threads
/// see them, so that what is right when the process crashes is right when the power fails.
///
/// A process crash keeps what has reached the cache, and there the order of stores is that of
/// release stores and fences. After a loss of power only what was flushed and fenced is sure to be
/// there, and lines know no order among each other (MEDIA-3). So here
///
/// - **ORDER-1** before a release store, whatever this thread stored to other lines is flushed and
///   fenced; its own line needs no flush, since a line keeps its order (MEDIA-2);
/// - **ORDER-2** behind a release fence everything that this thread stored is durable;
/// - **ORDER-3** {@link #writeEntryRelease} alone waits for nothing: an entry is whole or not by
///   its last word (CSO-VB), it is one line, and what it protects is a release store (ORDER-1). So
///   a logged store costs one fence, between the entry and the data.
///
/// What other threads may act upon before this thread stores again must be followed by a release
/// fence; a lock that is given up is none.
///
/// Which lines are dirty is kept for each thread in a {@link DirtyLines}.
public final class OrderedMemory extends Memory {
  private final Memory bytes;
  private final ThreadLocal<DirtyLines> dirty;

  /// @param bytes a memory with a domain in which flush and fence mean something
  public OrderedMemory(Memory bytes) {
    this.bytes = bytes;
    this.dirty = ThreadLocal.withInitial(() -> new DirtyLines(bytes));
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
  public long readPlain(long offset) {
    return bytes.readPlain(offset);
  }

  @Override
  public long readAcquire(long offset) {
    return bytes.readAcquire(offset);
  }

  @Override
  public void writePlain(long offset, long value) {
    bytes.writePlain(offset, value);
    dirty.get().add(offset);
  }

  @Override
  public void writeRelease(long offset, long value) {
    DirtyLines lines = dirty.get();
    // ORDER-1. Test: OrderedMemoryTest.aReleaseStoreComesAfterOtherLines.
    lines.writeBackOthers(offset);
    bytes.writeRelease(offset, value);
    lines.add(offset);
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    bytes.writeEntryRelease(offset, w0, w1, w2, last);
    dirty.get().add(offset); // ORDER-3
  }

  @Override
  public void readBytes(long offset, byte[] into, int at, int count) {
    bytes.readBytes(offset, into, at, count);
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int count) {
    bytes.writeBytesPlain(offset, from, at, count);
    dirty.get().add(offset, count);
  }

  @Override
  public void zeroPlain(long offset, long count) {
    bytes.zeroPlain(offset, count);
    dirty.get().flush(offset, count);
  }

  @Override
  public void releaseFence() {
    bytes.releaseFence();
    dirty.get().writeBack(); // ORDER-2
  }

  @Override
  public void flush(long offset, long length) {
    dirty.get().flush(offset, length);
  }

  @Override
  public void fence() {
    dirty.get().fence();
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
    return new OrderedMemory(bytes.reopen());
  }

  @Override
  public String toString() {
    return bytes + ", ordered";
  }
}
