package io.holdfast.collections.map.write;

import io.holdfast.core.section.Section;

/// A stripe as a batch needs it ({@link Batches}). The order is that in which stripes are locked.
public interface BatchedStripe extends Comparable<BatchedStripe> {
  StripeState state();

  /// What the batch stores in it.
  BatchWriter inBatch();

  /// Locks the first of a batch's stripes, and is in a section from here on.
  Section beginBatch();

  /// Ends that section, unlocks the stripe, and lets readers in.
  void endSection(Section section);

  /// Locks a further one.
  void joinBatch();

  /// Unlocks it, and lets readers in.
  void unlock();

  /// Makes what an entry lacks, in a section that has ended when this returns.
  ///
  /// @return `false` if the batch must be done in a section
  boolean makeRoom(Batches.Put put);
}
