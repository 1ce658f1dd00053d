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
  /// @param memory one that records; or, for `PROCESS_CRASH`, that of a region on a disk
  /// @param durability what it has to survive: for `POWER_FAILURE` it must flush and fence
  T open(Memory memory, Durability durability) throws Exception;

  /// Whether the store's operations return when what they did is durable, on a disk as well.
  default boolean acknowledges() {
    return false;
  }

  /// Whether it opens stores on disks as well: no, if it needs a memory of its own kind.
  default boolean opensOnDisks() {
    return true;
  }

  /// The ways to open it that have to survive the same: a test is called once for each, and shows
  /// their names. As a rule there is one, this.
  default List<StoreOpener<T>> variants(Durability durability) {
    return List.of(this);
  }
}
