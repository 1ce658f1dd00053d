package io.holdfast.core.section;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.log.EndedSection;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import jdk.jfr.FlightRecorder;

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
/// Thread-safe: one monitor a region, entered only by sections that others depend on or that have
/// to wait. A monitor, because the JVM exits it also where the stack has no room for a call.
final class Settlement {
  private static final long LOOK_MILLIS = 1_000;

  private final DurableActions actions;

  Settlement(DurableActions actions) {
    this.actions = actions;
  }

  /// Ends a section that has dependencies.
  ///
  /// @return whether it is durable now
  synchronized boolean end(SectionRecord section) {
    if (Section.allDurable(section.dependencies)) {
      section.log.end();
      areDurable(List.of(section));
    } else {
      section.waits = section.log.endWaiting();
      observe(section);
    }
    section.ended = true;
    settleBehind(section);
    return section.isDurable();
  }

  /// A section has become durable by itself, and others depend on it.
  synchronized void ended(SectionRecord section) {
    section.ended = true;
    settleBehind(section);
  }

  /// Makes durable what a section's end leaves nothing open for, all in one commit.
  private void settleBehind(SectionRecord section) {
    Set<SectionRecord> closed = new LinkedHashSet<>();
    reconsider(section, closed);
    for (SectionRecord each : section.released()) {
      reconsider(each, closed);
    }
    if (!closed.isEmpty()) {
      EndedSection.commit(closed.stream().map(each -> each.waits).toList());
      areDurable(closed);
    }
    notifyAll();
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
          witness.awaitedBy(section);
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

  private static void observe(SectionRecord section) {
    try {
      if (FlightRecorder.isInitialized()) { // else a new process would wait for the event's class
        SectionWaitEvent event = new SectionWaitEvent();
        if (event.isEnabled()) {
          event.region = section.region.memory().name();
          event.sectionThread = section.owner;
          event.dependencies = section.dependencies.size();
          event.begin();
          section.event = event;
        }
      }
    } catch (RuntimeException | Error e) {
      section.event = null; // the section needs none
    }
  }

  private void areDurable(Collection<SectionRecord> sections) {
    actions.add(
        sections.stream()
            .flatMap(section -> section.actions.stream())
            .sorted(DurableActions.Action.ORDER)
            .toList()); // ACTIONS-1
    for (SectionRecord section : sections) {
      List<Runnable> whenDurable = section.whenDurable;
      // Lets go of all it refers to, so that a chain of sections is garbage behind its end.
      section.dependencies = List.of();
      section.whenDurable = List.of();
      section.actions = List.of();
      section.witness = null;
      section.waits = null;
      section.becameDurable();
      if (section.event != null) {
        section.event.commit();
      }
      Section.run(whenDurable);
    }
  }

  /// Wakes those who wait, because nothing will become durable any more.
  synchronized void giveUp() {
    notifyAll();
  }

  /// Waits until a section is durable. An interrupt does not end the wait.
  ///
  /// @throws HoldfastException if it never will be: the region fails or is closed before, or a
  ///   thread that it waits for has died in the middle of its section
  synchronized void await(SectionRecord section) {
    boolean interrupted = false;
    try {
      while (!section.isDurable()) {
        section.region.checkUsable();
        checkAlive(section.witness);
        interrupted |= awaitForAWhile();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Whatever changes is notified of, except that a thread has died, or that an error left no room
  /// to notify (LATCH-1).
  ///
  /// @return whether an interrupt came
  private boolean awaitForAWhile() {
    try {
      wait(LOOK_MILLIS);
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  private static void checkAlive(SectionRecord witness) {
    if (witness != null && !witness.ended && !witness.owner.isAlive()) {
      throw new HoldfastException(
          "%s: the thread %s died in the middle of a section, holding a lock: what it did, and what other sections did on top of that, can't become durable. Close the store and open it again; opening undoes that and keeps the rest"
              .formatted(witness.region.memory().name(), witness.owner));
    }
  }
}
