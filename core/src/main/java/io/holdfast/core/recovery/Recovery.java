package io.holdfast.core.recovery;

import static io.holdfast.core.memory.RegionLayout.ANCHOR_RECOVERY;

import io.holdfast.core.RecoveryReport;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.log.LogPool;
import io.holdfast.core.log.ScannedLog;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SpanTable.Use;
import java.time.Duration;
import java.util.List;
import java.util.PriorityQueue;

/// Takes a region that was not closed back to its last consistent cut: scan (reads), decide (pure),
/// undo (writes), forget (writes).
///
/// Undone is by descending Lamport stamp, within a log by descending position: conflicting stores
/// of sections that are undone are ordered by an uncommitted release and its acquire, which raised
/// the stamp (ARCHITECTURE 4; Atlas 4.5 walks happens-before edges instead).
///
/// **RECOVERY-1** No log is forgotten before every entry is undone. The anchor says so: `UNDONE` is
/// stored after the last undo, and cleared when all logs are forgotten.
///
/// What a crash inside of recovery leaves, and what the next one does:
///
/// | anchor | logs | then |
/// |---|---|---|
/// | 0 | all as they were | undo everything again: entries are idempotent (ENTRY-2), and the whole set is undone in the same order |
/// | UNDONE | some forgotten | undo nothing, forget the rest. Undoing here would be wrong: without the entries of the logs that are gone, older ones would restore values in between |
/// | 0 | all forgotten | nothing is left to do |
///
/// Time and memory are bounded by the logs.
final class Recovery {
  private static final long UNDONE = 1;

  private final Memory memory;
  private final SpanTable spans;

  Recovery(Memory memory, SpanTable spans) {
    this.memory = memory;
    this.spans = spans;
  }

  /// As {@link #checkAnchor(long)}, for a region that was not closed.
  void checkAnchor() {
    checkAnchor(UNDONE);
  }

  /// Checks the anchor before it is believed: a false `UNDONE` would keep half a section.
  ///
  /// @param max what it may hold at most
  /// @throws RegionDamagedException if it holds something else
  void checkAnchor(long max) {
    long found = memory.readPlain(ANCHOR_RECOVERY);
    if (found < 0 || found > max) {
      throw new RegionDamagedException(
          "%s: the region is damaged: the recovery's anchor holds 0x%X at offset 0x%X. The file was not touched; restore it from a backup"
              .formatted(memory.name(), found, ANCHOR_RECOVERY));
    }
  }

  RecoveryReport run() {
    long started = System.nanoTime();
    checkAnchor();
    List<ScannedLog> logs = ScannedLog.scan(memory, spans);
    Decision decision = new Decision(logs);
    memory.claim(); // nothing is refused from here on
    long undone = 0;
    if (memory.readPlain(ANCHOR_RECOVERY) != UNDONE) {
      undone = undo(logs, decision);
      // RECOVERY-1: orders every undo before the first log that is forgotten, which is a release
      // store too. Test: RecoveryCrashTest.recoveryCanBeCutOffAnywhere.
      memory.writeRelease(ANCHOR_RECOVERY, UNDONE);
    }
    for (ScannedLog log : logs) {
      log.forget();
    }
    for (long group : LogPool.groups(memory, spans)) {
      memory.writePlain(
          SpanTable.wordOf(memory, group), SpanTable.word(Use.LOG_GROUP, 0)); // POOL-1
    }
    // Orders the last log that is forgotten before it, and the first use of the region after it:
    // new entries overwrite old ones. Test: RecoveryCrashTest.theFirstSectionComesAfterRecovery.
    memory.writeRelease(ANCHOR_RECOVERY, 0);
    memory.releaseFence();
    return new RecoveryReport(
        Outcome.RECOVERED,
        logs.size(),
        decision.sectionsKept(),
        decision.sectionsUndone(),
        undone,
        Duration.ofNanos(System.nanoTime() - started));
  }

  /// The entries of a log that are still to be undone, from its end.
  private static final class Tail {
    final ScannedLog log;
    final long first;
    long next;
    long stamp;

    Tail(ScannedLog log, long first) {
      this.log = log;
      this.first = first;
      this.next = log.entries();
    }

    boolean advance() {
      next--;
      if (next < first) {
        return false;
      }
      stamp = log.stamp(next);
      return true;
    }
  }

  private static long undo(List<ScannedLog> logs, Decision decision) {
    PriorityQueue<Tail> tails = new PriorityQueue<>((a, b) -> Long.compare(b.stamp, a.stamp));
    for (ScannedLog log : logs) {
      Tail tail = new Tail(log, decision.firstUndone(log));
      if (tail.advance()) {
        tails.add(tail);
      }
    }
    long undone = 0;
    while (!tails.isEmpty()) {
      Tail tail = tails.poll();
      tail.log.undo(tail.next);
      undone++;
      if (tail.advance()) {
        tails.add(tail);
      }
    }
    return undone;
  }
}
