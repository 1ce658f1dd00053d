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
/// It outlives no process. Its bytes are in the heap, as many as a file would have: 4 MiB at first.
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
    return Holdfast.over(
        new ForwardingMemory(bytes) {
          @Override
          public void close() {
            isOpen.set(false);
          }
        });
  }
}
