package io.holdfast.jmh.bench.program;

import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.persistence.PersistentMemory;
import io.holdfast.jmh.atlas.Program;
import io.holdfast.jmh.atlas.ProgramMemory;
import io.holdfast.jmh.atlas.RegionDesign;
import io.holdfast.jmh.report.Mark;
import io.holdfast.jmh.report.Marks;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.Target;
import io.holdfast.jmh.suite.Experiment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/// Two threads; an invocation is a run of both.
@Experiment(
    question =
        "what do programs with fine locks gain or lose when each release ends a section? Figures 5"
            + " to 8 of Gogte and others (PLDI 2018)",
    floor = "the same program in a mapped file without sections (`NONE`)",
    variables =
        "the program; what is atomic; what is survived, and when lines are flushed; the stores of a"
            + " region")
public class SfrBenchmark extends RunningProgram {
  private static final int THREADS = 2;
  private static final int OPERATIONS = 20_000;
  private static final String PROCESS_CRASH = "PROCESS_CRASH";

  /// The designs that flush what is stored, so that the medium is something to them.
  public static final List<String> FLUSHING =
      Arrays.stream(RegionDesign.values())
          .filter(design -> design != RegionDesign.DECOUPLED)
          .map(Enum::name)
          .toList();

  private static final List<String> MEDIA = List.of(PROCESS_CRASH, "HYBRID", "POSTED");

  @Param public SfrProgram program;

  @Param public RegionDesign design;

  @Param({PROCESS_CRASH, "HYBRID", "POSTED"})
  public String medium;

  @Param("2")
  public int stores;

  @Override
  protected Program program(Path file) {
    return program.over(memory(file), THREADS, stores);
  }

  private ProgramMemory memory(Path file) {
    return medium.equals(PROCESS_CRASH)
        ? design.open(file, _ -> new PageCache(), FlushMode.HYBRID)
        : design.open(file, PersistentMemory::domainOf, FlushMode.valueOf(medium));
  }

  @Benchmark
  @OperationsPerInvocation(OPERATIONS)
  public void run() {
    run(OPERATIONS);
  }

  public static String name(SfrProgram program, RegionDesign design, String medium) {
    return "SfrBenchmark.run(design=%s,medium=%s,program=%s,stores=2)"
        .formatted(design, medium, program);
  }

  public static void print(Results results, Page page) {
    List<String> works =
        Arrays.stream(SfrProgram.values())
            .flatMap(program -> MEDIA.stream().map(medium -> program + ", " + medium))
            .toList();
    page.plotWithTable(
        new Marks(
            "Programs with fine locks, two threads",
            "ns an operation",
            works,
            Arrays.stream(RegionDesign.values())
                .map(design -> new Marks.Series(design.name(), marks(results, design)))
                .toList()),
        "sfr.svg");
  }

  private static List<Optional<Mark>> marks(Results results, RegionDesign design) {
    return Arrays.stream(SfrProgram.values())
        .flatMap(
            program ->
                MEDIA.stream()
                    .map(medium -> results.time(name(program, design, medium)).map(Mark::of)))
        .toList();
  }

  /// That which is asked for: two threads do 1.5 times the work where the power may fail.
  public static Target target() {
    return new Target(
        name(SfrProgram.LIST, RegionDesign.COUPLED, "POSTED"),
        name(SfrProgram.LIST, RegionDesign.OUTERMOST, "POSTED"),
        1 / 1.5);
  }
}
