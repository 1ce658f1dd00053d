package io.holdfast.testkit;

import io.holdfast.Holdfast;
import io.holdfast.core.memory.ForwardingMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.verification.OverlayMemory;
import java.util.concurrent.atomic.AtomicBoolean;

/// A store in this process's memory, for tests that want no file: it does what a store does, but
/// for {@link Holdfast#backup}, which copies a file, and what was closed can be opened again.
///
/// ```java
/// InMemoryStore memory = new InMemoryStore();
/// try (Holdfast store = memory.open()) {
///   store.queue("orders", String.class).add("one");
/// }
/// try (Holdfast store = memory.open()) {
///   assertThat(store.queue("orders", String.class)).containsExactly("one");
/// }
/// ```
///
/// Close it when no thread uses it any more: there is no mapping whose end would stop one. It
/// outlives no process. Its bytes are in the heap, 256 KiB at first, where a file has 1 MiB.
///
/// Thread-safe.
public final class InMemoryStore {
  private final Memory bytes = OverlayMemory.empty();
  private final AtomicBoolean isOpen = new AtomicBoolean();

  /// An empty one.
  public InMemoryStore() {}

  /// Opens it.
  ///
  /// @throws IllegalStateException if it is open
  public Holdfast open() {
    if (!isOpen.compareAndSet(false, true)) {
      throw new IllegalStateException("in memory: the store is open. Close it first");
    }
    Holdfast opened = null;
    try {
      opened = Holdfast.over(new Reopenable(bytes));
      return opened;
    } finally {
      isOpen.set(opened != null); // an error, as for want of memory, must not keep it shut
    }
  }

  /// Bytes that stay when they are closed.
  private final class Reopenable extends ForwardingMemory {
    Reopenable(Memory bytes) {
      super(bytes);
    }

    @Override
    public void close() {
      isOpen.set(false);
    }
  }
}
