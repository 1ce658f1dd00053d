package io.holdfast.jmh.bench.program;

import io.holdfast.jmh.atlas.Program;
import io.holdfast.jmh.atlas.ProgramMemory;
import io.holdfast.jmh.process.Scratch;
import java.io.PrintWriter;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// What the thesis's systems would log of a section of the programs, which log lines in hardware:
/// ATOM's undo records of 512 bytes, and DHTM's redo log by the size of its buffer. Counted by the
/// stores; no such system runs. Beside them is the redo log that does run, that of disks ({@link
/// DiskRedo}).
public final class LineLogTable {
  private static final int LINE_BYTES = 64;
  private static final int RECORD_BYTES = LINE_BYTES * (1 + StoreCounts.LINES_OF_RECORD);

  /// The fences after a section's entries: its data, and that it is durable.
  private static final int AT_END = 2;

  private LineLogTable() {}

  /// Of a section.
  ///
  /// @param oldLines that it stores to, and that were there before
  /// @param undoRecords of ATOM's
  /// @param redoLines of DHTM's, by {@link StoreCounts#BUFFERS}
  /// @param redoLinesOfAll the same if lines of new blocks are logged as well
  record Row(double oldLines, double undoRecords, double[] redoLines, double[] redoLinesOfAll) {
    /// If each record is waited for, as by software; a posted log waits for all of them once.
    double fencesOfAtom() {
      return undoRecords + AT_END;
    }
  }

  static Row count(Function<ProgramMemory, Program> maker) {
    try (Scratch scratch = new Scratch()) {
      StoreCounts stores = new StoreCounts(scratch.file("stores"));
      try (Program program = maker.apply(stores)) {
        long sections = stores.sections();
        long lines = stores.oldLines();
        long records = stores.undoRecords();
        long[] redo = stores.redoLines(false);
        long[] redoOfAll = stores.redoLines(true);
        ProgramTable.run(program);
        double ran = stores.sections() - sections;
        return new Row(
            (stores.oldLines() - lines) / ran,
            (stores.undoRecords() - records) / ran,
            since(redo, stores.redoLines(false), ran),
            since(redoOfAll, stores.redoLines(true), ran));
      }
    }
  }

  private static double[] since(long[] before, long[] now, double sections) {
    return IntStream.range(0, now.length)
        .mapToDouble(i -> (now[i] - before[i]) / sections)
        .toArray();
  }

  public static void print(
      PrintWriter out, Map<String, Function<ProgramMemory, Program>> programs) {
    out.printf(
        "| a section of | lines that were there | ATOM: bytes of records | fences, each record"
            + " waited for | DHTM: lines logged, buffer of 1 | 4 | 16 | 64 | 128 | with new ones,"
            + " buffer of 1 | 4 | 16 | 64 | 128 | log of a disk: bytes of records | writes waited"
            + " for | bytes, none waited for |%n|%s%n",
        "---|".repeat(7 + 2 * StoreCounts.BUFFERS.length));
    programs.forEach(
        (name, maker) -> {
          Row row = count(maker);
          out.printf(
              "| %s | %.2f | %.0f | %.2f |",
              name, row.oldLines(), RECORD_BYTES * row.undoRecords(), row.fencesOfAtom());
          DoubleStream.concat(
                  DoubleStream.of(row.redoLines()), DoubleStream.of(row.redoLinesOfAll()))
              .forEach(logged -> out.printf(" %.2f |", logged));
          DiskRedo redo = DiskRedo.count(maker);
          out.printf(" %.0f | %.2f | %.0f |%n", redo.bytes(), redo.writes(), redo.bytesTogether());
        });
  }
}
