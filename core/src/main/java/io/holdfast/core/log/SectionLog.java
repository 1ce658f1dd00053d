package io.holdfast.core.log;

import io.holdfast.core.memory.LinePadding;
import io.holdfast.core.memory.Memory;

/// The log of one section at a time, by which its stores are made failure-atomic: all that the
/// section runtime knows of how that is done, besides {@link SectionLogs} and recovery. {@link
/// UndoLog} is the one there is.
///
/// Not thread-safe: one owner at a time, handed over through {@link SectionLogs}.
public abstract class SectionLog extends LinePadding {
  /// Which log of the region this is.
  public abstract int slot();

  /// The number of the section that began last; numbers of a log only grow.
  public abstract long number();

  /// How many bytes were written since the last {@link #reset}, to be subtracted from later ones.
  public abstract long position();

  /// Whether the open section has stored anything in place, as far as words and bytes go; what is
  /// only announced ({@link #willStore}, bits) does not count.
  public abstract boolean hasStored();

  /// Begins the next section; the one before is complete, durable or not.
  public abstract void begin();

  /// Lets go of the sections before. All are durable.
  public abstract void reset();

  /// Makes sure that stores of words and dependencies of the open section can be added without the
  /// log having to grow, so that a full device can't come between two stores of one change.
  ///
  /// @param entries at most 2,045; bulk stores take their own room, and may take this one
  /// @throws io.holdfast.core.RegionFullException if the log must grow and can't
  public abstract void reserve(int entries, long stamp);

  /// Stores a word, so that it is there after a crash if the section is durable, and else what was
  /// there before.
  ///
  /// @param offset a multiple of 8
  /// @param stamp Lamport's clock
  /// @throws io.holdfast.core.RegionFullException if the log must grow and can't; nothing was
  ///   stored
  public abstract void store(long offset, long value, long stamp);

  /// Has a word be what it is now, if the section is undone. The caller stores it later in the
  /// section, by {@link io.holdfast.core.memory.Memory#writeLogged}.
  ///
  /// @throws io.holdfast.core.RegionFullException if the log must grow and can't
  public abstract void willStore(long offset, long stamp);

  /// Has bits be clear if the section is undone; the word's other bits may be other sections'. The
  /// caller sets them later in the section, or not at all.
  ///
  /// @throws io.holdfast.core.RegionFullException if the log must grow and can't
  public abstract void willSetBits(long offset, long mask, long stamp);

  /// The counterpart of {@link #willSetBits}.
  public abstract void willClearBits(long offset, long mask, long stamp);

  /// Stores bytes, in one round trip to the media for up to 63 KiB. Words are stored and undone
  /// whole.
  ///
  /// @param offset a multiple of 8
  /// @throws IllegalArgumentException if the region has no such words
  public abstract void storeBytes(long offset, byte[] from, int at, int count, long stamp);

  /// Stores bytes of the region in another place of it; the ranges may overlap.
  ///
  /// @param to a multiple of 8
  public abstract void storeCopy(long from, long to, long count, long stamp);

  /// Stores a word again and again.
  public abstract void storeFill(long offset, long words, long value, long stamp);

  /// Has the open section be durable only if another one is.
  public abstract void dependOn(SectionLog other, long otherNumber, long stamp);

  /// Stores what was there before the open section, last store first (ROLLBACK-1), but for bits:
  /// who had them logged takes them back. The section stays open, and stores no more.
  public abstract void undo();

  /// Ends the open section, which is durable when this returns.
  public abstract void end();

  /// Ends the open section, which waits for others.
  ///
  /// @return what makes it durable together with them
  public abstract EndedSection endWaiting();

  /// What its region is in.
  abstract Memory memory();

  /// Stores, plain, that a section which has ended is durable, and all before it. The caller makes
  /// that durable.
  abstract void storeDurable(long number);
}
