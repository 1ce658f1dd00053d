package io.holdfast.core.memory;

import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.core.Durability;
import io.holdfast.core.RecoveryReport;
import io.holdfast.core.RecoveryReport.Outcome;
import java.time.Duration;
import java.time.Instant;

/// When a region was last opened and for what, and what its last recovery did: for people. Nothing
/// goes by it.
///
/// One line, at `RegionLayout.OPENING`:
///
/// | word | content |
/// |---|---|
/// | 0 | when the region was last opened, in milliseconds since 1970 |
/// | 1 | the failure that it was opened to survive, by its ordinal |
/// | 2 | when it was last recovered, in milliseconds since 1970; 0: never |
/// | 3 | what that found: sections kept in the low half, undone in the high one |
/// | 4 | entries undone |
/// | 5 | logs scanned in the low half |
/// | 6 | how long it took, in nanoseconds |
/// | 7 | high half: `0xC5C32C00`; low half: CRC32C of words 0 to 6 |
///
/// It is stored plain, after the recovery that it tells of, and never flushed: a crash may leave
/// another one, or one whose checksum is wrong. Then it is not known.
///
/// @param recovered when that was; `null` if never
/// @param recovery what the last recovery did; `null` if there was none
public record OpeningRecord(
    Instant opened, Durability durability, Instant recovered, RecoveryReport recovery) {
  static final int OPENED = 0, DURABILITY = 1, RECOVERED = 2, SECTIONS = 3, ENTRIES = 4;
  static final int LOGS = 5, NANOS = 6, CHECKSUM = 7;
  private static final int WORDS = 8;
  private static final long LOW = 0xffff_ffffL;

  /// Reads the record.
  ///
  /// @return `null` if it is not known
  public static OpeningRecord read(Memory memory) {
    long[] words = new long[WORDS];
    for (int i = 0; i < WORDS; i++) {
      words[i] = memory.readPlain(RegionLayout.OPENING + (long) i * WORD_BYTES);
    }
    if (words[CHECKSUM] != RegionHeader.checksum(words)
        || words[DURABILITY] < 0
        || words[DURABILITY] >= Durability.values().length) {
      return null;
    }
    boolean wasRecovered = words[RECOVERED] != 0;
    return new OpeningRecord(
        Instant.ofEpochMilli(words[OPENED]),
        Durability.values()[(int) words[DURABILITY]],
        wasRecovered ? Instant.ofEpochMilli(words[RECOVERED]) : null,
        wasRecovered
            ? new RecoveryReport(
                Outcome.RECOVERED,
                (int) words[LOGS],
                (int) (words[SECTIONS] & LOW),
                (int) (words[SECTIONS] >>> 32),
                words[ENTRIES],
                Duration.ofNanos(words[NANOS]))
            : null);
  }

  /// Records an opening; what is known of an earlier recovery stays, if this one was none.
  public static void write(Memory memory, RecoveryReport report) {
    OpeningRecord before = read(memory);
    boolean recoveredNow = report.outcome() == Outcome.RECOVERED;
    Instant now = Instant.now();
    Instant recovered = recoveredNow ? now : before == null ? null : before.recovered;
    RecoveryReport recovery = recoveredNow ? report : before == null ? null : before.recovery;
    long[] words = new long[WORDS];
    words[OPENED] = now.toEpochMilli();
    words[DURABILITY] =
        (memory.survivesPowerFailure() ? Durability.POWER_FAILURE : Durability.PROCESS_CRASH)
            .ordinal();
    if (recovery != null) {
      words[RECOVERED] = recovered.toEpochMilli();
      words[SECTIONS] = (long) recovery.sectionsUndone() << 32 | recovery.sectionsKept();
      words[ENTRIES] = recovery.entriesUndone();
      words[LOGS] = recovery.logsScanned();
      words[NANOS] = recovery.duration().toNanos();
    }
    words[CHECKSUM] = RegionHeader.checksum(words);
    Memory unordered = memory.unordered(); // no flush waits for it, and none is counted
    for (int i = 0; i < WORDS; i++) {
      unordered.writePlain(RegionLayout.OPENING + (long) i * WORD_BYTES, words[i]);
    }
  }
}
