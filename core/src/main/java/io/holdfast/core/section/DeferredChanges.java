package io.holdfast.core.section;

import io.holdfast.core.log.SectionLog;

/// Changes that belong to a section and are stored at its end, or when others may see what it did:
/// the heap's blocks. Stored one at a time, each would wait for its entry where the power may fail;
/// stored at the end they wait once for all, and what is changed back before is not stored at all.
///
/// **DEFER-1** Each change has its entry in the log, as the section's stores have, before it is
/// stored; room for the entry is found when the change is made, not at the end. **DEFER-2** A
/// section whose one change is a word takes no log: it is there whole or not at all, as by
/// `Section.writeOnly`.
///
/// Confined to the section's thread, but for what {@link #takeFollowUps} returns.
public interface DeferredChanges {
  /// How many have no entry yet.
  int unlogged();

  /// Adds their entries, by {@link SectionLog#willStore} and its like. Room was reserved if there
  /// is more than one.
  ///
  /// @param stamp Lamport's clock
  void log(SectionLog log, long stamp);

  /// Stores them all.
  void store();

  /// Stores them all, and others may go on from there before the section ends.
  void publish();

  /// Takes them all back, also those that are stored: the section is rolled back. What it allocated
  /// is free when it is durable (ROLLBACK-3): until then the section's thread may write to it, and
  /// recovery may free it once more.
  void undo();

  /// The section that stored them is durable.
  void durable();

  /// Hands over what is to be done when the section that stored them is durable, in another thread
  /// perhaps.
  Runnable takeFollowUps();
}
