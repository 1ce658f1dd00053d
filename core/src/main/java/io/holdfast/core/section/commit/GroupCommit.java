package io.holdfast.core.section.commit;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.log.EndedSection;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import jdk.jfr.FlightRecorder;

/// Decides, while a region is in use, which sections that ended are durable: the greatest set of
/// ended sections that is closed under dependencies (P2). Recovery decides the same from the logs
/// alone.
///
/// Nobody polls. A section that has to wait does so for a *blocker* ({@link WaitingSections}); when
/// nothing open is in its reach, all that it reaches is durable together, cycles included. So an
/// end costs what it can change, however many sections wait.
///
/// **COMMIT-1** Before the first of several sections becomes durable, the log of each says that it
/// has ended. The logs decide, so a crash between two of their commits changes nothing. The order
/// of stores is in {@link EndedSection}.
///
/// Thread-safe: one monitor a region, entered only by sections that others depend on or that have
/// to wait. A monitor, because the JVM exits it also where the stack has no room for a call.
public final class GroupCommit {
  /// A thread that waits for longer is reported.
  public static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RegionState region;
  private final DurableActions actions;
  private final WaitingSections waiting = new WaitingSections();

  /// Those that threads wait for until they are durable.
  private final Set<SectionRecord> awaited = new HashSet<>();

  public GroupCommit(RegionState region, DurableActions actions) {
    this.region = region;
    this.actions = actions;
  }

  /// Ends a section that has dependencies.
  ///
  /// @return whether it is durable now
  public synchronized boolean end(SectionRecord section) {
    if (SectionRecord.allDurable(section.dependencies)) {
      section.log.end();
      areDurable(List.of(section));
    } else {
      section.dependencies = List.copyOf(section.dependencies);
      section.waits = section.log.endWaiting();
      waiting.add(section);
      observe(section);
    }
    section.ended = true;
    commitWaiting(section);
    return section.isDurable();
  }

  /// A section has become durable by itself, and others depend on it.
  public synchronized void ended(SectionRecord section) {
    section.ended = true;
    wake(section);
    commitWaiting(section);
  }

  /// Makes durable what a section's end leaves nothing open for, all in one commit.
  private void commitWaiting(SectionRecord section) {
    assert Thread.holdsLock(this);
    Set<SectionRecord> closed = waiting.closedBy(section);
    if (!closed.isEmpty()) {
      EndedSection.commit(closed.stream().map(each -> each.waits).toList());
      areDurable(closed);
    }
  }

  /// Those who wait for a section look at it again.
  private void wake(SectionRecord section) {
    if (awaited.remove(section)) {
      section.wake();
    }
  }

  /// What waits, for people; `null` if nothing does.
  public synchronized WaitingSections.Look look() {
    return waiting.look(System.nanoTime());
  }

  /// How many sections were looked at for what they wait for, ever: for tests.
  public synchronized long looks() {
    return waiting.looks();
  }

  private static void observe(SectionRecord section) {
    try {
      if (FlightRecorder.isInitialized()) { // else a new process would wait for the event's class
        SectionWaitEvent event = new SectionWaitEvent();
        if (event.isEnabled()) {
          event.region = section.region.name();
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
      // Lets go of all it refers to, so that a chain of sections is garbage after its end.
      section.dependencies = List.of();
      section.whenDurable = List.of();
      section.actions = List.of();
      section.blocker = null;
      if (section.waits != null) {
        section.waits = null;
        waiting.remove(section);
      }
      section.becameDurable();
      if (section.event != null) {
        section.event.commit();
      }
      SectionRecord.run(whenDurable);
      wake(section);
    }
  }

  /// Wakes those who wait, because nothing will become durable any more.
  public synchronized void giveUp() {
    assert Thread.holdsLock(this);
    awaited.forEach(SectionRecord::wake);
    awaited.clear();
  }

  /// What a wait that would not end throws.
  public interface GivingUp {
    /// @param waitedFor whose open section the wait is for
    /// @param isCircle whether that thread waits for this one; else it has waited for too long
    HoldfastException exception(Thread waitedFor, boolean isCircle);
  }

  /// Waits until a section is durable. An interrupt does not end the wait.
  ///
  /// @param limitNanos how long to wait for a thread that only waits itself (WAIT-2)
  /// @param tell is run once, outside of the monitor, if that takes longer than a second
  /// @param givingUp what is thrown if it would not end
  /// @throws HoldfastException if it never will be: the region fails or is closed before, or a
  ///   thread that it waits for has died in the middle of its section
  public void await(SectionRecord section, long limitNanos, Runnable tell, GivingUp givingUp) {
    long start = System.nanoTime();
    DurableWait wait = new DurableWait(() -> blocker(section), limitNanos);
    boolean interrupted = false;
    boolean told = false;
    try {
      while (!section.isDurable() && !isDurable(section)) {
        if (!told && System.nanoTime() - start >= LIMIT_NANOS) {
          told = true;
          tell.run();
        }
        Thread inVain = wait.look();
        if (inVain != null && !isDurable(section)) {
          throw givingUp.exception(inVain, wait.isCircle());
        }
        interrupted |= section.awaitWaking(wait.millis());
      }
    } finally {
      wait.end();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// The thread whose open section one waits for; `null` if none is known.
  private synchronized Thread blocker(SectionRecord section) {
    SectionRecord open = section.isDurable() ? null : waiting.openOneFor(section);
    return open == null ? null : open.owner;
  }

  private synchronized boolean isDurable(SectionRecord section) {
    if (section.isDurable()) {
      return true;
    }
    region.check();
    checkAlive(waiting.openOneFor(section));
    awaited.add(section);
    return false;
  }

  private static void checkAlive(SectionRecord blocker) {
    if (blocker != null && !blocker.owner.isAlive()) {
      throw new HoldfastException(
          "%s: the thread %s died in the middle of a section, holding a lock: what it did, and what other sections did on top of that, can't become durable. Close the store and open it again; opening undoes that and keeps the rest"
              .formatted(blocker.region.name(), blocker.owner));
    }
  }
}
