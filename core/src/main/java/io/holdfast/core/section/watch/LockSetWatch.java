package io.holdfast.core.section.watch;

import io.holdfast.core.section.commit.WeakIdentityMap;
import io.holdfast.core.section.watch.Findings.Kind;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/// Looks for reads of a collection without a lock that is held at all its changes: the algorithm of
/// lock sets (Savage et al., Eraser, TOCS 1997), for each collection as a whole.
///
/// | a collection is | from | an access |
/// |---|---|---|
/// | one thread's | its first access | by the same thread does nothing: it is filled before others know it |
/// | shared | another thread's | that changes it leaves in its lock set what the thread holds; one that reads it is told if it holds none of a set that is not empty |
///
/// Unlike Eraser's, a set comes of changes alone, of two at least, and what has changed without a
/// common lock is told nowhere: a single change is a section by itself, so a program may need no
/// lock for it. Reads before the second change are not told, nor those when the thread that changed
/// it last has ended or is the reader: as when a program adds up at its end.
///
/// Thread-safe.
public final class LockSetWatch {
  private static final int CHANGES_MIN = 2;

  private static final WeakIdentityMap<LockSetWatch> WATCHES = new WeakIdentityMap<>();

  private final long first = Thread.currentThread().threadId();
  private boolean isShared;
  private int changes;

  /// What was held at all changes so far, by identity. Not the locks, but what stands for them, so
  /// that few are kept alive.
  private List<Object> common = List.of();

  /// Where the program was at the first of these changes; `null` if it was not there.
  private StackTraceElement place;

  private WeakReference<Thread> last = new WeakReference<>(null);

  private LockSetWatch() {}

  /// Before an access by the calling thread. Never throws.
  ///
  /// @param locks that it holds
  public static void accessed(Object collection, boolean changes, List<Object> locks) {
    try {
      LockSetWatch watch = WATCHES.computeIfAbsent(collection, LockSetWatch::new);
      Object lock = changes ? watch.changed(locks) : watch.lockMissedBy(locks);
      if (lock != null) {
        watch.tell(collection, lock);
      }
    } catch (RuntimeException | Error e) {
      // As in Findings.tell.
    }
  }

  private synchronized void tell(Object collection, Object lock) {
    List<StackTraceElement> stack = Findings.stack();
    if (!stack.isEmpty()) {
      Findings.tell(
          Kind.READ_WITHOUT_LOCK,
          "a %s is changed with a lock held%s%s"
              .formatted(
                  collection.getClass().getSimpleName(),
                  lock.getClass() == Object.class ? "" : ", of class " + lock.getClass().getName(),
                  place == null ? "" : ", as in " + place),
          stack.getFirst(),
          null,
          stack);
    }
  }

  private boolean isShared() {
    isShared |= Thread.currentThread().threadId() != first;
    return isShared;
  }

  /// @return `null`
  @SuppressWarnings("ReferenceEquality") // threads
  private synchronized Object changed(List<Object> locks) {
    if (last.get() != Thread.currentThread()) {
      last = new WeakReference<>(Thread.currentThread());
    }
    if (isShared()) {
      if (changes == 0) {
        place = Findings.stack().stream().findFirst().orElse(null);
      }
      List<Object> left = new ArrayList<>(changes == 0 ? locks : common);
      left.removeIf(each -> !has(locks, each));
      common = left;
      changes++;
    }
    return null;
  }

  /// @return one of those that are held at changes; `null` if there is none, or one is held
  @SuppressWarnings("ReferenceEquality") // threads
  private synchronized Object lockMissedBy(List<Object> locks) {
    if (!isShared() || changes < CHANGES_MIN) {
      return null;
    }
    Thread changer = last.get();
    return changer == null
            || changer == Thread.currentThread()
            || !changer.isAlive()
            || common.isEmpty()
            || common.stream().anyMatch(each -> has(locks, each))
        ? null
        : common.getFirst();
  }

  @SuppressWarnings("ReferenceEquality") // locks
  private static boolean has(List<Object> locks, Object lock) {
    return locks.stream().anyMatch(each -> each == lock);
  }
}
