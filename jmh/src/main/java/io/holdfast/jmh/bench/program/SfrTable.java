package io.holdfast.jmh.bench.program;

import io.holdfast.core.memory.FlushMode;
import io.holdfast.jmh.atlas.MicroProgram;
import io.holdfast.jmh.atlas.Program;
import io.holdfast.jmh.atlas.ProgramMemory;
import io.holdfast.jmh.atlas.RegionDesign;
import io.holdfast.jmh.bench.program.ProgramTable.PerOperation;
import io.holdfast.jmh.process.Scratch;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// What an operation of one thread takes by what is atomic of it, counted: the designs of Gogte and
/// others. No clock is involved.
public final class SfrTable {
  private static final List<Integer> STORES = List.of(2, 8, 64);

  /// Those whose threads wait for persistent memory.
  private static final List<RegionDesign> WAITING =
      List.of(RegionDesign.OUTERMOST, RegionDesign.LOGGED_LOCKS, RegionDesign.COUPLED);

  private SfrTable() {}

  /// The programs with fine locks, by the stores of a region, and those of one lock.
  private static Map<String, Function<ProgramMemory, Program>> programs() {
    Map<String, Function<ProgramMemory, Program>> programs = new LinkedHashMap<>();
    for (SfrProgram program : SfrProgram.values()) {
      for (int stores : STORES) {
        programs.put(program + ", " + stores, memory -> program.over(memory, 1, stores));
      }
    }
    for (MicroProgram program :
        List.of(MicroProgram.QUEUE, MicroProgram.RBTREE, MicroProgram.TATP, MicroProgram.TPCC)) {
      programs.put(program + ", one lock", program::over);
    }
    return programs;
  }

  static PerOperation count(
      Function<ProgramMemory, Program> maker, RegionDesign design, FlushMode mode) {
    try (Scratch scratch = new Scratch()) {
      return ProgramTable.count(
          maker, domain -> design.open(scratch.file("program"), domain, mode));
    }
  }

  public static void print(PrintWriter out) {
    out.printf(
        "| an operation of | design | log lines | fences | flushes | lines written back | fences if"
            + " each store waits |%n|---|---|---|---|---|---|---|%n");
    programs()
        .forEach(
            (name, maker) -> {
              for (RegionDesign design : WAITING) {
                PerOperation posted = count(maker, design, FlushMode.POSTED);
                out.printf(
                    "| %s | %s | %.2f | %.2f | %.2f | %.2f | %.2f |%n",
                    name,
                    design,
                    posted.logged(),
                    posted.fences(),
                    posted.flushes(),
                    posted.lines(),
                    count(maker, design, FlushMode.HYBRID).fences());
              }
            });
  }
}
