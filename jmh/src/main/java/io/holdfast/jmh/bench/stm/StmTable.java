package io.holdfast.jmh.bench.stm;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.jmh.count.CountingDomain;
import io.holdfast.jmh.stm.StmLog;
import io.holdfast.jmh.stm.StmProgram;
import io.holdfast.jmh.stm.StmRun;
import java.io.PrintWriter;

/// What a transaction of the programs takes with each log, counted, by one thread: no clock is
/// involved. Programs are as large as for a first look.
public final class StmTable {
  private StmTable() {}

  /// What a transaction took, on average over all, those that write nothing included.
  ///
  /// @param lines that were written back: of the log, of the data, of the number that truncates
  record Row(double fences, double lines) {}

  static Row count(StmProgram program, StmLog log) {
    CountingDomain domain = new CountingDomain();
    try (StmRun run = new StmRun(program, log, 1, program.quickSize, _ -> domain)) {
      PersistenceCounts before = domain.counts();
      run.run();
      PersistenceCounts counts = domain.counts().since(before);
      run.check();
      return new Row(
          (double) counts.fences() / run.transactions(),
          (double) counts.lines() / run.transactions());
    }
  }

  public static void print(PrintWriter out) {
    out.printf("| program | log | fences | lines written back |%n|---|---|---|---|%n");
    for (StmProgram program : StmProgram.values()) {
      for (StmLog log : StmLog.values()) {
        Row row = count(program, log);
        out.printf(
            "| %s | %s | %.3f | %.2f |%n", program.title, log.title, row.fences(), row.lines());
      }
    }
  }
}
