package io.holdfast.core.section;

import io.holdfast.core.log.EndedSection;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Decides, while a region is in use, which sections that ended are durable: the greatest set of
/// ended sections that is closed under dependencies (P2). Recovery decides the same from the logs
/// alone.
///
/// Nobody polls. A section that has to wait does so behind a *witness*, some open section that it
/// depends on, directly or not; when the witness ends, it is looked at again, and finds another
/// witness, or nothing open in its reach: then all that it reaches is durable together, cycles
/// included. So an end costs what it can change, however many sections wait.
///
/// **SETTLE-1** Before the first of several sections becomes durable, the log of each says that it
/// has ended. The logs decide, so a crash between two of their commits changes nothing. The order
/// of stores is in {@link EndedSection}.
///
/// Thread-safe: one lock a region, taken only by sections that are open to others or have to wait.
final class Settlement {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition settled = lock.newCondition();

  /// Ends a section.
  ///
  /// @return whether it is durable now
  boolean end(SectionRecord section) {
    lock.lock();
    try {
      section.ended = true;
      if (Section.allDurable(section.dependencies)) {
        section.log.commit();
        areDurable(List.of(section));
      } else {
        section.waits = section.log.ended();
      }
      if (!section.isDurable() || !section.waiting.isEmpty()) {
        settleBehind(section);
      }
      if (lock.hasWaiters(settled)) {
        settled.signalAll();
      }
      return section.isDurable();
    } finally {
      lock.unlock();
    }
  }

  /// Makes durable what a section's end leaves nothing open for, all in one commit.
  private static void settleBehind(SectionRecord section) {
    Set<SectionRecord> closed = new LinkedHashSet<>();
    reconsider(section, closed);
    List<SectionRecord> waiting = List.copyOf(section.waiting);
    section.waiting.clear();
    for (SectionRecord each : waiting) {
      reconsider(each, closed);
    }
    if (!closed.isEmpty()) {
      EndedSection.commit(closed.stream().map(each -> each.waits).toList());
      areDurable(closed);
    }
  }

  /// Looks for an open section in the reach of one that has ended.
  ///
  /// @param closed sections in whose reach there is none; all that this one reaches are added if
  ///   there is none either
  private static void reconsider(SectionRecord section, Set<SectionRecord> closed) {
    if (section.isDurable() || closed.contains(section)) {
      return;
    }
    Set<SectionRecord> reached = new LinkedHashSet<>();
    Deque<SectionRecord> toVisit = new ArrayDeque<>();
    reached.add(section);
    toVisit.add(section);
    while (!toVisit.isEmpty()) {
      for (SectionRecord other : toVisit.poll().dependencies) {
        SectionRecord witness = openOneFor(other);
        if (witness != null) {
          section.witness = witness;
          witness.waiting.add(section);
          return;
        }
        if (!other.isDurable() && !closed.contains(other) && reached.add(other)) {
          toVisit.add(other);
        }
      }
    }
    closed.addAll(reached);
  }

  private static SectionRecord openOneFor(SectionRecord section) {
    if (section.isDurable()) {
      return null;
    }
    if (!section.ended) {
      return section;
    }
    SectionRecord witness = section.witness;
    return witness != null && !witness.ended ? witness : null;
  }

  private static void areDurable(Collection<SectionRecord> sections) {
    for (SectionRecord section : sections) {
      List<Runnable> actions = section.whenDurable;
      section.becameDurable();
      OpenReleases.becameDurable();
      Section.run(actions);
    }
  }

  /// Wakes those who wait, because nothing will become durable any more.
  void giveUp() {
    lock.lock();
    try {
      settled.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Waits until a section is durable.
  ///
  /// @throws io.holdfast.core.HoldfastException if the region fails or is closed before
  void await(SectionRecord section) {
    lock.lock();
    try {
      while (!section.isDurable()) {
        section.region.checkUsable();
        settled.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
