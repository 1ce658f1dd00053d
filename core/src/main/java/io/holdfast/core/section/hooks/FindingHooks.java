package io.holdfast.core.section.hooks;

import io.holdfast.core.section.HeldLocks;
import io.holdfast.core.section.LockKeys;
import io.holdfast.core.section.SelfReporting;
import io.holdfast.core.section.ThreadSections;
import io.holdfast.core.section.watch.Findings;
import io.holdfast.core.section.watch.Findings.Kind;
import io.holdfast.core.section.watch.LockSetWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// What the agent weaves where something may be wrong, beside the hooks that make sections. They
/// change nothing, never throw, and cost one read of a static field before a store is opened under
/// the agent.
///
/// Thread-safe; each call concerns the calling thread.
public final class FindingHooks {
  /// Called once by the agent, when the program opens its first store ({@link Findings#begin}).
  ///
  /// @param woven what was woven so far, in words
  /// @param isSilent of a class's name, whether nothing is told of what its methods do
  public static void begin(Supplier<String> woven, Predicate<String> isSilent) {
    Findings.begin(woven, isSilent);
  }

  /// Before a call that may wait for another thread. As long as a section has stored nothing, it
  /// keeps nothing from being durable: libraries block under locks that have to do with no store.
  public static void blocking() {
    if (Findings.isOn() && ThreadSections.current().hasChanges()) {
      Findings.tell(Kind.BLOCKS);
    }
  }

  /// Before a lock is released because of an exception.
  public static void failing() {
    if (Findings.isOn() && ThreadSections.current().isAboutToKeepChanges()) {
      Findings.tell(Kind.LEFT_BY_EXCEPTION);
    }
  }

  /// Before a call of what may be a collection of a store's, where lock sets are wanted. A section
  /// that no woven lock has begun is not looked at: it is a block, or a lock of Holdfast's own.
  ///
  /// @param collection `null` does nothing
  public static void accessing(Object collection, boolean changes) {
    if (!Findings.isOn() || !(collection instanceof SelfReporting)) {
      return;
    }
    ThreadSections thread = ThreadSections.current();
    HeldLocks held = thread.held();
    if (held.size() > 0 || !thread.inSection()) {
      List<Object> locks = new ArrayList<>(held.size());
      for (int i = 0; i < held.size(); i++) {
        locks.add(LockKeys.of(held.at(i)));
      }
      LockSetWatch.accessed(collection, changes, locks);
    }
  }

  private FindingHooks() {}
}
