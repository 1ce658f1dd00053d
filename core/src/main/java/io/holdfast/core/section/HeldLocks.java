package io.holdfast.core.section;

import io.holdfast.core.memory.LinePadding;
import java.util.Arrays;

/// The locks that a thread holds by calls that were woven, one entry for each hold, in the order in
/// which they were taken.
///
/// Monitors don't say how often they are held, and other locks say nothing of where they were
/// taken. So this tells which of a thread's levels are a lock's: what a wait gives up; which
/// release lets others in; and that a lock which was taken in code that is not woven is no level at
/// all.
///
/// An entry that is left stays where it is until another lock takes its place, because storing a
/// reference is a collector's barrier and a thread tends to take the same locks again. So a thread
/// keeps alive the locks that it held last, one for each level.
///
/// Confined to its thread.
@SuppressWarnings("ReferenceEquality") // a lock is an object, whatever it calls equal to itself
public final class HeldLocks extends LinePadding {
  /// Deeper than locks nest as a rule; grows.
  private static final int INITIAL = 8;

  /// Also read and stored to by {@link ThreadSections}, where a call could fail.
  Object[] locks = new Object[INITIAL];

  int size;

  void add(Object lock) {
    int at = size;
    if (at == locks.length) {
      locks = Arrays.copyOf(locks, 2 * at);
    }
    if (locks[at] != lock) {
      locks[at] = lock;
    }
    size = at + 1;
  }

  /// Where the newest hold of a lock is; -1 if there is none.
  int newest(Object lock) {
    return newest(lock, size);
  }

  /// Whether the lock of a hold has an older hold too.
  boolean isInner(int hold) {
    return hold > 0 && newest(locks[hold], hold) >= 0;
  }

  private int newest(Object lock, int end) {
    int at = end - 1;
    while (at >= 0 && locks[at] != lock) {
      at--;
    }
    return at;
  }

  void remove(int hold) {
    int last = size - 1;
    if (hold != last) {
      System.arraycopy(locks, hold + 1, locks, hold, last - hold);
    }
    size = last;
  }

  /// How many holds of a lock there are.
  int count(Object lock) {
    int holds = 0;
    for (int hold = newest(lock); hold >= 0; hold = newest(lock, hold)) {
      holds++;
    }
    return holds;
  }

  /// @return how many holds there were
  int removeAll(Object lock) {
    int removed = 0;
    for (int hold = newest(lock); hold >= 0; hold = newest(lock, hold)) {
      remove(hold);
      removed++;
    }
    return removed;
  }

  /// Which lock it is, if the thread holds only one; otherwise `null`.
  public Object only() {
    for (int at = 1; at < size; at++) {
      if (locks[at] != locks[0]) {
        return null;
      }
    }
    return size == 0 ? null : locks[0];
  }

  public int size() {
    return size;
  }

  public Object at(int hold) {
    return locks[hold];
  }
}
