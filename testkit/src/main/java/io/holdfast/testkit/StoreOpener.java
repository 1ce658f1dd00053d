package io.holdfast.testkit;

import io.holdfast.core.Durability;
import io.holdfast.core.memory.Memory;
import java.util.List;

/// Opens a store over a memory that records, with its real recovery: what a {@link CrashTest} needs
/// to know of the store under test. Has a public constructor without parameters.
///
/// Registered as a service, it is found by the store's type.
///
/// @param <T> the store; if it is `AutoCloseable`, it is closed after each image
public interface StoreOpener<T> {
  /// The type of what it opens.
  Class<T> type();

  /// Opens a store.
  ///
  /// @param durability what it has to survive: for `POWER_FAILURE` it must flush and fence
  T open(Memory memory, Durability durability) throws Exception;

  /// The ways to open it that have to survive the same: a test is called once for each, and shows
  /// their names. As a rule there is one, this.
  default List<StoreOpener<T>> variants(Durability durability) {
    return List.of(this);
  }
}
