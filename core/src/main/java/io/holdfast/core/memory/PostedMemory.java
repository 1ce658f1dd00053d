package io.holdfast.core.memory;

/// A memory that holds stores of data back until their entries are durable, so that a section waits
/// once for all its entries and not for each: ATOM's posted log (Joshi's thesis, 4.3.3).
///
/// There the memory controller keeps a line until its entry is durable, and the store goes on. No
/// processor lets a program do that. So the thread keeps the word: a store buffer in front of the
/// memory, whose reads look there first, as a core's own does. Entries go on to the memory as ever,
/// which waits for all of them when the first word follows (DATA-1).
///
/// - **POST-1** Data leave the buffer after the fence of their entries. Else a crash keeps half a
///   section. Test: OrderedMemoryTest.dataComeAfterTheirEntry.
/// - **POST-2** Nothing that another thread may act upon is stored while older data are in the
///   buffer: a release store or fence, a lock that is given up ({@link Memory#publishData}). Else a
///   lock, a sequence or a counter says what memory does not have. Tests:
///   PostedMemoryTest.post2WhatIsReleasedFollowsData, HeapDependencyCrashTest.
/// - **POST-3** A thread reads its own stores, by {@link #unordered} too. Test:
///   PostedMemoryTest.post3AThreadReadsWhatItHoldsBack.
/// - **POST-4** At a section's end nothing is held back. Test: PostedMemoryTest.post4NothingIsLeft.
/// - **POST-5** A byte is stored as a byte, and not held back with its word. Else a neighbour's
///   mark is lost. Test: PostedMemoryTest.post5ANeighboursByteStays.
///
/// A section of up to {@link StoreBuffer#WORDS} words waits three times: for its entries, for its
/// data, for its end. One that lets others see its stores before its end waits once more for each
/// time.
final class PostedMemory extends HeldView {
  private final Memory unordered;

  PostedMemory(OrderedMemory ordered) {
    super(ordered, new HeldStores(ordered));
    this.unordered = new HeldView(ordered.unordered(), held);
  }

  @Override
  public void writeLogged(long offset, long value) {
    held.hold(offset, value);
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    bytes.writeEntryRelease(offset, w0, w1, w2, last); // ORDER-3
  }

  @Override
  public void publishData() {
    held.store(); // POST-2
  }

  @Override
  public void makeDataDurable() {
    held.store(); // POST-4
    bytes.makeDataDurable();
  }

  @Override
  public EndMark writeEnd(long offset, long value) {
    held.store(); // POST-4
    return bytes.writeEnd(offset, value);
  }

  @Override
  public Memory unordered() {
    return unordered;
  }

  @Override
  public void close() {
    super.close();
    held.forget();
  }

  @Override
  public Memory reopen() {
    return new PostedMemory((OrderedMemory) bytes.reopen());
  }
}
