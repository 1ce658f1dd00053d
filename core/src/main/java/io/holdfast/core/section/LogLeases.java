package io.holdfast.core.section;

import io.holdfast.core.log.SectionLog;
import io.holdfast.core.log.SectionLogs;
import io.holdfast.core.memory.LinePadding;
import io.holdfast.core.section.commit.RegionState;
import io.holdfast.core.section.watch.WatchedSection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/// Which sections have a log of the region.
///
/// Platform threads keep the log that they took until they die or the pool runs dry; virtual
/// threads, of which there may be many more than logs, give it back after each section.
///
/// Thread-safe.
final class LogLeases {
  /// A section that may have a log.
  abstract static class Holder extends LinePadding implements WatchedSection {
    /// Whether the log could be another's: nothing in it is open, waiting or to be undone (KEEP-1).
    abstract boolean isIdle();

    /// Whether there is a log that can be taken, since the thread is gone.
    abstract boolean isAbandoned();

    /// Gives up the log, which is empty then.
    abstract SectionLog surrender();
  }

  private final RegionState state;
  private final SectionLogs pool;
  private final SequencedSet<Holder> holders = new LinkedHashSet<>();

  LogLeases(RegionState state, SectionLogs pool) {
    this.state = state;
    this.pool = pool;
  }

  synchronized List<Holder> holders() {
    return List.copyOf(holders);
  }

  /// @throws io.holdfast.core.HoldfastException if the region is closed or has failed (KEEP-1), or
  ///   has no room
  synchronized SectionLog lease(Holder holder) {
    state.check();
    holders.add(holder); // which may fail: before there is a log to lose
    SectionLog log = null;
    try {
      log = poll();
      return log;
    } finally {
      if (log == null) {
        holders.removeLast();
      }
    }
  }

  private SectionLog poll() {
    SectionLog log = pool.poll();
    if (log == null) {
      reclaimFromTheDead();
      log = pool.poll();
    }
    if (log == null) {
      pool.extend();
      log = pool.poll();
    }
    return log;
  }

  private void reclaimFromTheDead() {
    for (Iterator<Holder> each = holders.iterator(); each.hasNext(); ) {
      Holder holder = each.next();
      if (holder.isAbandoned()) {
        pool.giveBack(holder.surrender());
        each.remove();
      }
    }
  }

  /// Takes the log of a section that is idle, unless the region is over (KEEP-1).
  synchronized void giveBack(Holder holder) {
    if (!state.isOver()) {
      pool.giveBack(holder.surrender());
      holders.remove(holder);
    }
  }

  /// Whether no section that has a log is open, waits or has failed.
  synchronized boolean allIdle() {
    return holders.stream().allMatch(Holder::isIdle);
  }
}
