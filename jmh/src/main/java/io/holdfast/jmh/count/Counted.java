package io.holdfast.jmh.count;

import io.holdfast.core.PersistenceCounts;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.IntConsumer;

/// What an operation took on average where the power may fail, counted: no clock is involved.
///
/// @param lines that were written back
/// @param logBytes of section logs that were written back: entries, and the words that say that a
///   section is durable
public record Counted(
    String operation, double fences, double flushes, double lines, double logBytes) {
  /// Counts what operations take.
  ///
  /// @param domain in which they are made
  public record Counter(CountingDomain domain) {
    public Counted count(String operation, int times, IntConsumer action) {
      return count(operation, times, 1, action);
    }

    /// @param ofEach operations that an action makes
    public Counted count(String operation, int actions, int ofEach, IntConsumer action) {
      PersistenceCounts before = domain.counts();
      long logBefore = domain.logBytes();
      for (int i = 0; i < actions; i++) {
        action.accept(i);
      }
      PersistenceCounts counts = domain.counts().since(before);
      double times = (double) actions * ofEach;
      return new Counted(
          operation,
          counts.fences() / times,
          counts.flushes() / times,
          counts.lines() / times,
          (domain.logBytes() - logBefore) / times);
    }
  }

  public static void print(PrintWriter out, List<Counted> rows) {
    out.printf(
        "| operation | fences | flushes | lines written back | log bytes"
            + " |%n|---|---|---|---|---|%n");
    for (Counted row : rows) {
      out.printf(
          "| %s | %.3f | %.3f | %.3f | %.1f |%n",
          row.operation, row.fences, row.flushes, row.lines, row.logBytes);
    }
  }
}
