package io.holdfast.core.memory;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

import io.holdfast.core.PersistenceCounts;

/// A memory in which stores become durable in the order in which {@link Memory} lets other threads
/// see them, so that what is right when the process crashes is right when the power fails.
///
/// A process crash keeps what has reached the cache, and there the order of stores is that of
/// release stores and fences. After a loss of power only what was flushed and fenced is sure to be
/// there, and lines know no order among each other (MEDIA-3). So here
///
/// - **ORDER-1** before a release store, whatever this thread stored to other lines is flushed and
///   fenced; its own line needs no flush, since a line keeps its order (MEDIA-2);
/// - **ORDER-2** after a release fence everything that this thread stored is durable;
/// - **ORDER-3** {@link #writeEntryRelease} alone waits for nothing: an entry is whole or not by
///   its last word (CSO-VB), it is one line, and what it protects is a release store (ORDER-1). So
///   a logged store costs one fence, between the entry and the data.
///
/// Data that an undo entry protects ({@link #writeLogged}) are not in this order, for a crash
/// undoes them whether they are durable or not:
///
/// - **DATA-1** before data are stored, what is no data is flushed and fenced, as before a release
///   store: the entry is durable first. For data of other stores nothing waits;
/// - **DATA-2** a line of data is flushed when the mode says ({@link FlushMode}), and at the latest
///   when the data are made durable, which comes before the word that makes their section durable.
///
/// So by itself (in front of it, {@link PostedMemory} has stores wait together) a section of n
/// logged stores to n words costs n fences for its entries, one for all its data, one for its
/// commit.
///
/// What other threads may act upon before this thread stores again must be followed by a release
/// fence; a lock that is given up is none.
///
/// What a thread has stored and is not durable is kept for each thread in a {@link ThreadStores}.
public final class OrderedMemory extends ForwardingMemory {
  private final FlushMode mode;
  private final ThreadLocal<ThreadStores> stores;

  /// @param bytes a memory with a domain in which flush and fence mean something
  /// @param mode when lines of data are flushed; {@link FlushMode#over} does all that it asks for
  OrderedMemory(Memory bytes, FlushMode mode) {
    super(bytes);
    this.mode = mode;
    this.stores = ThreadLocal.withInitial(() -> new ThreadStores(bytes, mode));
  }

  @Override
  public void writePlain(long offset, long value) {
    bytes.writePlain(offset, value);
    stores.get().ordered.add(offset);
  }

  @Override
  public void writeRelease(long offset, long value) {
    ThreadStores mine = stores.get();
    // ORDER-1. Test: OrderedMemoryTest.aReleaseStoreComesAfterOtherLines.
    mine.writeBackOthers(offset);
    bytes.writeRelease(offset, value);
    mine.ordered.add(offset);
  }

  @Override
  public void writeLogged(long offset, long value) {
    ThreadStores mine = stores.get();
    // DATA-1. Test: OrderedMemoryTest.dataComeAfterTheirEntry.
    mine.writeBackOthers(offset);
    bytes.writeLogged(offset, value);
    mine.data.stored(offset & -LINE_BYTES);
  }

  /// Stores words that were held back, as {@link #writeLogged} does each of them: the first waits
  /// for the entries of all.
  void store(StoreBuffer words) {
    ThreadStores mine = stores.get();
    // DATA-1. Test: OrderedMemoryTest.dataComeAfterTheirEntry.
    mine.writeBack();
    for (int i = 0; i < words.count(); i++) {
      bytes.writeLogged(words.offset(i), words.value(i));
      mine.data.stored(words.offset(i) & -LINE_BYTES);
    }
  }

  @Override
  public void writeLoggedByte(long offset, byte value) {
    ThreadStores mine = stores.get();
    mine.writeBackOthers(offset); // DATA-1
    bytes.writeLoggedByte(offset, value);
    mine.data.stored(offset & -LINE_BYTES);
  }

  @Override
  public void makeDataDurable() {
    stores.get().writeBackAll(); // DATA-2
  }

  @Override
  public EndMark writeEnd(long offset, long value) {
    return stores.get().data.end(this, offset, value);
  }

  /// Stores the word of a section that ends, with nothing held back.
  EndMark storeEnd(long offset, long value) {
    return super.writeEnd(offset, value);
  }

  /// Data in these lines are from now on the calling thread's.
  void takeData(LineSet lines) {
    lines.forEach(stores.get().data::stored);
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    bytes.writeEntryRelease(offset, w0, w1, w2, last);
    stores.get().ordered.add(offset); // ORDER-3
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int count) {
    bytes.writeBytesPlain(offset, from, at, count);
    stores.get().ordered.add(offset, count);
  }

  @Override
  public void zeroPlain(long offset, long count) {
    bytes.zeroPlain(offset, count);
    stores.get().ordered.flush(offset, count);
  }

  @Override
  public void releaseFence() {
    bytes.releaseFence();
    stores.get().writeBack(); // ORDER-2
  }

  @Override
  public void flush(long offset, long length) {
    stores.get().ordered.flush(offset, length);
  }

  @Override
  public void fence() {
    stores.get().fence();
  }

  @Override
  public Memory unordered() {
    return bytes;
  }

  @Override
  public boolean survivesPowerFailure() {
    return true;
  }

  @Override
  public PersistenceCounts threadCounts() {
    return stores.get().counts();
  }

  @Override
  public void close() {
    bytes.close();
    stores.remove(); // else this thread would keep the bytes until it looks for the entry's place
  }

  @Override
  public Memory reopen() {
    return new OrderedMemory(bytes.reopen(), mode);
  }

  @Override
  public String toString() {
    return "%s, ordered, %s".formatted(bytes, mode);
  }
}
