package io.holdfast.collections;

import io.holdfast.core.region.Region;
import io.holdfast.core.section.SelfReporting;
import java.util.function.BooleanSupplier;

/// What a store says to its collections. Not for programs.
@SuppressWarnings("exports") // SelfReporting and Region are for Holdfast's own modules
public interface StoredCollection extends SelfReporting {
  /// To be called before the list of a store's collections is locked.
  ///
  /// @throws IllegalStateException if the thread is in code that an operation of one of them runs
  static void checkOutside(Region region) {
    CallersCode.checkOutside(region);
  }

  /// The store was closed: wakes the threads that wait for something.
  default void storeClosed() {
    // as a rule nobody does; what is called from now on finds the region closed
  }

  /// How many changes were made to it, from any beginning: for rates. What is counted anyway is
  /// counted here: of a queue what was added and taken, of a map what was put and removed, of a
  /// sorted map keys that came and went.
  long changes();

  /// How many elements it has, as far as that is known without counting; -1 if not. Nobody depends
  /// on anything by asking.
  long knownSize();

  /// Says that the collection is not there: the section that created it was rolled back, while
  /// nobody else can know it; or that it is there again: the section that deleted it was rolled
  /// back. Takes no lock.
  void deleted(boolean isDeleted);

  /// Deletes the collection's root while nobody is in the collection. From then on every call says
  /// that it is gone.
  ///
  /// @param deletion in a section of its own, or the calling thread's
  /// @return what it returns
  boolean delete(BooleanSupplier deletion);
}
