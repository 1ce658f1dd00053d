package io.holdfast.core.memory;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/// The stores of data that threads hold back in front of a memory, until their entries are durable
/// ({@link PostedMemory}).
///
/// Thread-safe; each thread finds its own stores.
final class HeldStores {
  private static final AtomicIntegerFieldUpdater<HeldStores> HOLDERS =
      AtomicIntegerFieldUpdater.newUpdater(HeldStores.class, "holders");

  private final OrderedMemory target;
  private final ThreadLocal<StoreBuffer> buffers = ThreadLocal.withInitial(StoreBuffer::new);

  /// In front of these, by thread id, since a section that reads looks here for each word. Read and
  /// written in races, which the check of the id makes harmless. A power of two.
  private final StoreBuffer[] cache = new StoreBuffer[1 << 6];

  /// How many threads hold stores back; more, once an error or a thread's death has cut one off,
  /// which costs a look.
  private volatile int holders;

  /// @param target takes the stores
  HeldStores(OrderedMemory target) {
    this.target = target;
  }

  /// What the calling thread holds back; `null` if that is nothing. Where nobody holds anything
  /// back it costs a read of a field.
  StoreBuffer mine() {
    if (holders == 0) {
      return null;
    }
    StoreBuffer mine = current();
    return mine.count() == 0 ? null : mine;
  }

  private StoreBuffer current() {
    long id = Thread.currentThread().threadId();
    StoreBuffer cached = cache[(int) id & cache.length - 1];
    return cached != null && cached.threadId() == id ? cached : find(id);
  }

  private StoreBuffer find(long id) {
    StoreBuffer found = buffers.get();
    cache[(int) id & cache.length - 1] = found;
    return found;
  }

  /// Holds a store back.
  void hold(long offset, long value) {
    StoreBuffer mine = current();
    if (mine.isFull() && !mine.has(offset)) {
      store(mine);
    }
    if (mine.count() == 0) {
      HOLDERS.getAndIncrement(this);
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
    target.store(mine); // POST-1
    mine.clear(); // when all are stored: what an error cuts off is done again
    HOLDERS.getAndDecrement(this);
  }

  /// Stores what the calling thread holds back, if a word is held.
  void storeIfHeld(long offset) {
    StoreBuffer mine = mine();
    if (mine != null && mine.has(offset)) {
      store(mine);
    }
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
