package io.holdfast.core.section.commit;

import io.holdfast.core.log.EndedSection;
import io.holdfast.core.log.SectionLog;
import io.holdfast.core.section.Section;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/// A section as others know it: one that made an uncommitted release, or that ended and has to
/// wait. Sections that nobody can depend on have no record.
///
/// A thread uses its record again for its next section as long as nobody has taken hold of it, so
/// that an uncommitted release which nobody acquires leaves nothing behind: no object, no entry, no
/// lock.
///
/// **RECORD-1** A thread that comes to depend on a section first says that it has *taken* the
/// record, by the section's number, and then looks whether the section is durable. A thread that
/// ends a section without waiting first says that it is durable, and then looks whether the record
/// was taken. Both say and look with volatile accesses, so one of them sees the other: nobody waits
/// for a section that is over, and a record that is taken never stands for another section.
///
/// ROLLBACK-2 ({@link Section}): a thread that rolls a section back announces that first, and then
/// looks whether the record was taken. A thread that takes the record announces that first, and
/// then looks whether the section is being rolled back. If so, it waits.
///
/// Its owner writes `number`, until the record is taken or its section has ended. The rest is
/// guarded by the monitor of the region's {@link GroupCommit}.
public final class SectionRecord {
  private static final VarHandle TAKEN = taken();

  public final RegionState region;
  public final SectionLog log;
  public final Thread owner = Thread.currentThread();

  /// Of the section that the record stands for.
  public long number;

  /// Blocks to free and the like, for when the section is durable.
  List<Runnable> whenDurable = List.of();

  /// What programs want done then.
  List<DurableActions.Action> actions = List.of();

  /// Sections that this one is durable only with; those that are durable already may be missing.
  public List<SectionRecord> dependencies = List.of();

  /// Sections that wait for this one; `null` if there are none. Some may have another blocker.
  private List<SectionRecord> waiting;

  /// Once ended: a section that this one waits for, open or waiting itself (BLOCKER-1).
  SectionRecord blocker;

  /// Once ended and waiting: the neighbours in the order of their ends, and the time of this one's.
  SectionRecord older;

  SectionRecord newer;
  long since;

  /// Once ended and waiting: what makes it durable.
  EndedSection waits;

  /// Of the wait, while somebody records waits.
  SectionWaitEvent event;

  boolean ended;

  /// Whether its owner has let go of it.
  public volatile boolean retired;

  private volatile long durable;
  private volatile long taken;

  /// Whether the section is being rolled back.
  private volatile boolean undoing;

  public SectionRecord(RegionState region, SectionLog log) {
    this.region = region;
    this.log = log;
  }

  public boolean isDurable() {
    return durable >= number;
  }

  /// Whether nobody need depend on a section of this record any more: it is durable, or its region
  /// is closed or has failed, so that what it did is out of everybody's reach.
  public boolean isSettled(long section) {
    return durable >= section || region.isOver();
  }

  public boolean isSettled() {
    return isSettled(number);
  }

  /// Keeps the record with a section, if it is not settled (RECORD-1).
  ///
  /// @return whether it isn't, so that the record may be held
  public boolean take(long section) {
    // It only grows: a thread that comes late, with the number of a section that is over, must not
    // undo what the next section's dependents have said. Test:
    // SectionRecordTest.lateTakersUndoNothing.
    for (long before = taken; before < section; before = taken) {
      TAKEN.compareAndSet(this, before, section);
    }
    if (undoing) {
      awaitUndo();
    }
    return !isSettled(section);
  }

  /// The monitor is held while the section is rolled back.
  private synchronized void awaitUndo() {
    // It is over when this begins.
  }

  /// Rolls the section back that the record stands for, unless somebody has taken the record
  /// (ROLLBACK-2).
  ///
  /// @return whether it was
  public synchronized boolean undo(Runnable rollback) {
    // ROLLBACK-2: the store before the look, as in RECORD-1. Else somebody could read what is being
    // taken back. Test: RollbackThreadsTest.whoTakesARecordSeesAllOrNothing.
    undoing = true;
    try {
      if (taken == number) {
        return false;
      }
      rollback.run();
      return true;
    } finally {
      undoing = false;
    }
  }

  /// The section is durable, and has no dependencies left.
  ///
  /// @return whether somebody has taken the record (RECORD-1)
  public boolean becameDurable() {
    // RECORD-1: orders the store before the look, as release would not. Else the record could stand
    // for the next section while somebody waits for this one. That nobody looks is what
    // GroupCommitTest notices; the order alone no test has shown.
    durable = number;
    return taken == number;
  }

  /// Waits until somebody says that it is durable, or that it never will be. What is not told of is
  /// that a thread has died, or that an error left no room to tell (LATCH-1).
  ///
  /// @return whether an interrupt came
  synchronized boolean awaitWaking(long millis) {
    try {
      if (!isSettled()) {
        wait(millis);
      }
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  synchronized void wake() {
    notifyAll();
  }

  /// Has another section looked at when this one ends.
  void awaitedBy(SectionRecord other) {
    if (waiting == null) {
      waiting = new ArrayList<>();
    }
    waiting.add(other);
  }

  /// Takes the sections that wait behind this one off its list, when it is durable.
  List<SectionRecord> released() {
    List<SectionRecord> released = new ArrayList<>();
    for (SectionRecord each : waiting == null ? List.<SectionRecord>of() : waiting) {
      if (each.blocker == this) {
        released.add(each);
      }
    }
    waiting = null;
    return released;
  }

  /// Leaves out of the dependencies those that are durable. The list is never changed, since other
  /// threads may be reading it ({@link UncommittedReleases#publish}).
  void forgetDurable() {
    if (dependencies.size() > 1 && dependencies.getFirst().isDurable()) {
      dependencies = dependencies.stream().filter(other -> !other.isDurable()).toList();
    }
  }

  /// Whether another record says all that this one does: it is of a later section in the same log,
  /// so of the same thread, which depends on this one until both are durable.
  boolean isImpliedBy(SectionRecord other) {
    return log.equals(other.log) && number <= other.number;
  }

  /// Adds a record to a list in which none implies another: it has one for each log at most,
  /// however many sections wait.
  ///
  /// @return whether the list says more than before
  public static boolean add(List<SectionRecord> records, SectionRecord added) {
    for (int i = 0; i < records.size(); i++) {
      if (added.isImpliedBy(records.get(i))) {
        return false;
      }
      if (records.get(i).isImpliedBy(added)) {
        records.set(i, added);
        return true;
      }
    }
    return records.add(added);
  }

  public static boolean allDurable(List<SectionRecord> sections) {
    for (int i = 0; i < sections.size(); i++) {
      if (!sections.get(i).isDurable()) {
        return false;
      }
    }
    return true;
  }

  static void run(List<Runnable> actions) {
    for (int i = 0; i < actions.size(); i++) {
      actions.get(i).run();
    }
  }

  private static VarHandle taken() {
    try {
      return MethodHandles.lookup().findVarHandle(SectionRecord.class, "taken", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
