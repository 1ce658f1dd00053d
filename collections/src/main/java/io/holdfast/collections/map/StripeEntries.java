package io.holdfast.collections.map;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.map.repair.StripeRebuild;
import io.holdfast.collections.map.write.BatchWriter;
import io.holdfast.collections.map.write.Batches;
import io.holdfast.core.section.Section;
import java.util.List;

/// How a stripe has its entries on media. All but what the reader does is for whoever holds the
/// stripe's lock.
interface StripeEntries {
  /// Looks without the lock.
  ///
  /// @param key stands for the stripe in dependencies
  StripeReader reader(Object key);

  /// The value of a key, or `null`.
  Encoded get(long hash, Encoded key);

  /// Stores an entry.
  ///
  /// @param isAlone whether it is all that the section does
  /// @return the value before, or `null`
  Encoded put(Section section, long hash, Encoded key, Encoded value, boolean isAlone);

  /// The same of words.
  ///
  /// @param put is told the value before
  /// @throws UnsupportedOperationException if the map is not one of words
  default void put(Section section, WordPut put, boolean isAlone) {
    throw new UnsupportedOperationException("entries that are no words");
  }

  /// Removes an entry.
  ///
  /// @param isAlone as above
  /// @return the value before, or `null`
  Encoded remove(Section section, long hash, Encoded key, boolean isAlone);

  /// Gives back what an operation has left empty.
  ///
  /// @param isDone whether the operation stays whatever becomes of this
  default void release(Section section, boolean isAlone, boolean isDone) {
    // Nothing is.
  }

  /// Completes or drops what a crash of the process, or an exception, has cut off.
  void settle(long stripe);

  /// Makes anew what a loss of power has taken.
  ///
  /// @return what must be finished when all stripes have come so far, or `null` for none
  StripeRebuild rebuild(Section section, long stripe);

  /// The stripe's part in batches.
  ///
  /// @throws UnsupportedOperationException if the map has none
  default BatchWriter batch() {
    throw new UnsupportedOperationException("entries that are no part of batches");
  }

  /// Makes what an entry of a batch lacks.
  ///
  /// @return `false` if that can't be made ahead
  default boolean makeRoom(Section section, Batches.Put put) {
    return false;
  }

  /// The entries of the segment that some top bits of the hash belong to.
  ///
  /// @param bytesMax after so many bytes of values the others are `null`
  /// @return the first top bits of the next segment, 0 if there is none
  long walk(long stripe, long from, List<EncodedEntry> into, long bytesMax);

  /// Checks all that the layout promises.
  ///
  /// @return how many entries there are
  /// @throws io.holdfast.core.RegionDamagedException naming the first fault and its offset
  long validate(long stripe);
}
