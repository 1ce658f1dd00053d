package io.holdfast.collections.map.index;

import io.holdfast.core.memory.LinePadding;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A number that tells who reads a stripe without its lock whether what was read counts (MAP-6):
/// odd while something is published or freed, or a section works on the stripe, and never the same
/// after that, or after a section's rollback.
///
/// **MAP-9** What a section did and was rolled back is not acted upon. The section lets go of the
/// lock before, so a reader may have seen some of it, or words in the middle of being set back. It
/// {@link io.holdfast.core.section.hooks.SectionHooks#observed observes} the stripe when it has
/// read, where it waits for a rollback that is under way (ROLLBACK-2), and only then looks at the
/// number, which the rollback has changed. Nothing else in memory needs to be set back, but what
/// versions of entries were given: these may be given again.
///
/// Stored under the stripe's lock, and by a rollback, for whose end others wait who take that lock.
public final class StripeSeqlock extends LinePadding {
  private static final VarHandle NUMBER;

  static {
    try {
      NUMBER = MethodHandles.lookup().findVarHandle(StripeSeqlock.class, "number", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// The directory of a stripe that is not there.
  public static final long NONE = -1;

  /// A number of a stripe whose readers must wait.
  public static final long HELD = 1;

  @SuppressWarnings("unused") // by NUMBER
  private long number;

  /// DIRECTORY of the stripe; 0 if it must be looked up. Changed while readers are held back, so
  /// what they read here counts if what they read there does. It is here so that they wait for no
  /// load from media before it, and have it in one line with the number.
  private long directory;

  // What else a writer stores with each operation: in the line that it has anyway.

  /// Updates that have no version, since the map was opened.
  public long updates;

  /// Whether an operation has begun and not ended: its exception has left it so.
  public boolean underWay;

  /// Whether the section has begun to change the stripe in the operation that has its lock: an
  /// error breaks it off (BREAK-1).
  public boolean changing;

  /// What it is before something is read.
  public long before() {
    return (long) NUMBER.getAcquire(this);
  }

  /// Whether a reader must wait. {@link #isStill} would not tell who both begins and ends while
  /// something is held. Test: MapReadersTest.map6AReaderAmidAnUpdate.
  public static boolean isHeld(long before) {
    return (before & 1) != 0;
  }

  /// Whether what was read since counts.
  public boolean isStill(long before) {
    VarHandle.acquireFence();
    return (long) NUMBER.getOpaque(this) == before;
  }

  public long directory() {
    return directory;
  }

  /// Says where the stripe's directory is; while readers are held back.
  public void lead(long newDirectory) {
    directory = newDirectory;
  }

  /// From here on readers wait for the lock.
  public void hold() {
    long now = (long) NUMBER.getOpaque(this);
    if (!isHeld(now)) {
      NUMBER.setOpaque(this, now + 1);
      // Before the first store that they must not act upon, and after the last one that they may.
      VarHandle.releaseFence();
    }
  }

  /// Readers need not wait any more.
  public void release() {
    long now = (long) NUMBER.getOpaque(this);
    if (isHeld(now)) {
      NUMBER.setRelease(this, now + 1);
    }
  }

  /// MAP-9. Test: MapRollbackTest.map9WhatWasTakenBackIsNotSeen.
  public void change() {
    NUMBER.getAndAdd(this, 2L);
  }
}
