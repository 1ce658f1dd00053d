package io.holdfast.core.memory;

import java.util.concurrent.atomic.AtomicInteger;

/// The stores of data that threads hold back in front of a memory, until their entries are durable
/// ({@link PostedMemory}).
///
/// Thread-safe; each thread finds its own stores.
final class HeldStores {
  private final Memory target;
  private final ThreadLocal<StoreBuffer> buffers = ThreadLocal.withInitial(StoreBuffer::new);

  /// How many threads hold stores back; more, once an error or a thread's death has cut one off,
  /// which costs a look.
  private final AtomicInteger holders = new AtomicInteger();

  /// @param target takes the stores
  HeldStores(Memory target) {
    this.target = target;
  }

  /// What the calling thread holds back; `null` if that is nothing. Where nobody holds anything
  /// back it costs a read of a field, without order: a thread sees its own count.
  StoreBuffer mine() {
    if (holders.getPlain() == 0) {
      return null;
    }
    StoreBuffer mine = buffers.get();
    return mine.count() == 0 ? null : mine;
  }

  /// Holds a store back.
  void hold(long offset, long value) {
    StoreBuffer mine = buffers.get();
    if (mine.isFull() && !mine.has(offset)) {
      store(mine);
    }
    if (mine.count() == 0) {
      holders.getAndIncrement();
    }
    mine.put(offset, value);
  }

  /// Stores what the calling thread holds back.
  void store() {
    StoreBuffer mine = mine();
    if (mine != null) {
      store(mine);
    }
  }

  private void store(StoreBuffer mine) {
    // POST-1: the first store waits for all entries, and no other one has any to wait for. Test:
    // OrderedMemoryTest.dataComeAfterTheirEntry.
    for (int i = 0; i < mine.count(); i++) {
      target.writeLogged(mine.offset(i), mine.value(i));
    }
    mine.clear(); // when all are stored: what an error cuts off is done again
    holders.getAndDecrement();
  }

  /// Stores what the calling thread holds back, if some of it lies in a range.
  void storeIfMet(long offset, long length) {
    StoreBuffer mine = mine();
    if (mine != null && mine.meets(offset, length)) {
      store(mine);
    }
  }

  /// The calling thread holds nothing back any more.
  void forget() {
    buffers.remove();
  }
}
