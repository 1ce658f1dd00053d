package io.holdfast.jmh.bench.log;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.log.AppendLog;
import io.holdfast.core.log.WhenFull;
import io.holdfast.core.memory.MappedMemory;
import io.holdfast.jmh.count.CountingDomain;
import io.holdfast.jmh.process.Scratch;
import java.io.PrintWriter;
import java.util.List;
import java.util.Random;

/// Table 1 of the CSO paper: what an append takes, counted, and what kinds of entries there are. No
/// clock is involved, so it is the same on every machine.
public final class LogTable {
  /// Sizes that the table shows: half a line, two lines, eight.
  static final List<Integer> ENTRY_BYTES = List.of(32, 128, 512);

  private static final int SLOTS = 64;
  private static final int LAPS = 8;
  private static final long AT = 4096;

  private LogTable() {}

  /// What an append of a log took, on average over some laps.
  ///
  /// @param roundTrips fences of an append
  /// @param lines lines written back for an append, by it or before the space is used again
  /// @param bytes of an entry in the log
  record Row(double roundTrips, double lines, double bytes) {}

  /// Whether a log has entries of such a size (CSO paper, Table 1: size limitation).
  static boolean has(String log, int entryBytes) {
    return switch (log) {
      case "AtlasLog" -> entryBytes == 32;
      case "CSO-VB" -> entryBytes <= 128;
      default -> true;
    };
  }

  /// Appends, for some laps, and trims every half lap.
  static Row count(String log, int entryBytes) {
    long capacity = (long) SLOTS * entryBytes;
    CountingDomain domain = new CountingDomain();
    try (Scratch scratch = new Scratch()) {
      MappedMemory memory = scratch.memory(AT + AppendLog.bytes(capacity), _ -> domain);
      try {
        AppendLog appended =
            AppendLog.create(memory, AT, capacity, Logs.format(log, entryBytes), WhenFull.FAIL);
        return count(appended, domain, Logs.payloadWords(entryBytes));
      } finally {
        memory.close();
      }
    }
  }

  private static Row count(AppendLog log, CountingDomain domain, int words) {
    Random random = new Random(1);
    int appends = LAPS * SLOTS;
    int trims = 0;
    long fences = 0;
    long first = log.tail();
    PersistenceCounts start = domain.counts();
    for (int i = 0; i < appends; i++) {
      PersistenceCounts before = domain.counts();
      log.append(random.longs(words).toArray(), words);
      fences += domain.counts().since(before).fences();
      if (i % (SLOTS / 2) == SLOTS / 2 - 1) {
        log.trim(log.tail());
        trims++;
      }
    }
    long lines = domain.counts().since(start).lines() - trims; // without the header's
    return new Row(
        (double) fences / appends,
        (double) lines / appends,
        (double) (log.tail() - first) / appends);
  }

  public static void print(PrintWriter out) {
    out.printf(
        "| log | entry | data | round trips | lines written back |%n|---|---|---|---|---|%n");
    for (String log : LogNames.LOGS) {
      for (int entryBytes : ENTRY_BYTES) {
        if (has(log, entryBytes)) {
          Row row = count(log, entryBytes);
          out.printf(
              "| %s | %.0f bytes | %d bytes | %.2f | %.2f |%n",
              log,
              row.bytes(),
              Logs.payloadWords(entryBytes) * Long.BYTES,
              row.roundTrips(),
              row.lines());
        }
      }
    }
  }
}
