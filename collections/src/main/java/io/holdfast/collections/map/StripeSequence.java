package io.holdfast.collections.map;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A number that tells who reads a stripe without its lock whether what was read counts (MAP-6):
/// odd while a section works on the stripe, and never the same behind a section or its rollback.
///
/// **MAP-9** What a section did and was rolled back is not acted upon. The section lets go of the
/// lock before, so a reader may have seen some of it, or words in the middle of being set back. It
/// {@link io.holdfast.core.section.SectionHooks#observed observes} the stripe when it has read,
/// where it waits for a rollback that is under way (ROLLBACK-2), and only then looks at the number,
/// which the rollback has changed. Nothing else in memory needs to be set back, but what versions
/// of entries were given: these may be given again.
///
/// Stored under the stripe's lock, and by a rollback, for whose end others wait who take that lock.
final class StripeSequence {
  private static final VarHandle NUMBER;

  static {
    try {
      NUMBER = MethodHandles.lookup().findVarHandle(StripeSequence.class, "number", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // by NUMBER
  private long number;

  /// What it is before something is read.
  long before() {
    return (long) NUMBER.getAcquire(this);
  }

  static boolean isHeld(long before) {
    return (before & 1) != 0;
  }

  /// Whether what was read since counts.
  boolean isStill(long before) {
    VarHandle.acquireFence();
    return (long) NUMBER.getOpaque(this) == before;
  }

  /// From here on readers wait for the lock.
  void hold() {
    long now = (long) NUMBER.getOpaque(this);
    if (!isHeld(now)) {
      NUMBER.setVolatile(this, now + 1);
      VarHandle.fullFence(); // before the first store that they must not act upon
    }
  }

  /// Readers need not wait any more.
  void release() {
    long now = (long) NUMBER.getOpaque(this);
    if (isHeld(now)) {
      NUMBER.setRelease(this, now + 1);
    }
  }

  /// MAP-9. Test: MapRollbackTest.map9WhatWasTakenBackIsNotSeen.
  void change() {
    NUMBER.getAndAdd(this, 2L);
  }
}
