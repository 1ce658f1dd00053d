package io.holdfast.core.section;

import io.holdfast.core.log.EndedSection;
import io.holdfast.core.log.UndoLog;
import java.util.ArrayList;
import java.util.List;

/// A section as others know it: one that made an open release, or that ended and has to wait.
/// Sections that nobody can depend on have no record.
///
/// Guarded by the lock of its region's {@link Settlement}, except `durable`, which is set once.
final class SectionRecord {
  final Sections region;
  final UndoLog log;
  final long number;

  /// Blocks to free and the like, for when the section is durable.
  List<Runnable> whenDurable = List.of();

  /// Sections that this one is durable only with; those that are durable already may be missing.
  List<SectionRecord> dependencies = List.of();

  /// Sections that wait, as far as is known, for this one to end.
  final List<SectionRecord> waiting = new ArrayList<>(0);

  /// Once ended: an open section that this one waits for.
  SectionRecord witness;

  /// Once ended and waiting: what makes it durable.
  EndedSection waits;

  boolean ended;
  private volatile boolean durable;

  SectionRecord(Sections region, UndoLog log, long number) {
    this.region = region;
    this.log = log;
    this.number = number;
  }

  boolean isDurable() {
    return durable;
  }

  /// Whether nobody need depend on it any more: it is durable, or its region is closed and what it
  /// did is out of everybody's reach.
  boolean isSettled() {
    return durable || region.isClosed();
  }

  /// Whether another record says all that this one does: it is of a later section in the same log,
  /// so of the same thread, which depends on this one until both are durable.
  boolean isImpliedBy(SectionRecord other) {
    return log == other.log && number <= other.number;
  }

  /// Adds a record to a list in which none implies another: it has one for each log at most,
  /// however many sections wait.
  ///
  /// @return whether the list says more than before
  static boolean add(List<SectionRecord> records, SectionRecord added) {
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

  /// Lets go of everything it refers to, so that a chain of sections is garbage behind its end.
  void becameDurable() {
    dependencies = List.of();
    whenDurable = List.of();
    witness = null;
    waits = null;
    durable = true;
  }
}
