package io.holdfast.jmh.bench.program;

import io.holdfast.jmh.atlas.MicroProgram;
import io.holdfast.jmh.atlas.Program;
import io.holdfast.jmh.atlas.ProgramMode;
import io.holdfast.jmh.suite.Experiment;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;

/// One thread; each operation is a section. Entries, nodes and pages are of 512 bytes, the thesis's
/// small data set. Modes: {@link ProgramMode}.
@Experiment(
    question =
        "what do sections cost that store more than a word or two: the thesis's micro-benchmarks,"
            + " TATP's update location and TPC-C's new order?",
    floor = "the same program in a mapped file without sections (`NONE`)",
    variables = "the program; the mode; nanoseconds added to a fence")
public class MicroBenchmark extends RunningProgram {
  private static final int OPERATIONS = 1_000;

  @Param public MicroProgram program;

  @Param({"NONE", "PROCESS_CRASH", "HYBRID", "POSTED", "DELAYED_TO_END"})
  public ProgramMode mode;

  @Param({"0", "300"})
  public int addedNanos;

  @Override
  protected Program program(Path file) {
    return program.over(mode.open(file, addedNanos));
  }

  /// What a run has left would fill the memory.
  @TearDown(Level.Invocation)
  public void clear() {
    running.clear();
  }

  @Benchmark
  @OperationsPerInvocation(OPERATIONS)
  public void run() {
    running.run(0, OPERATIONS);
  }

  public static String name(MicroProgram program, ProgramMode mode) {
    return name(program, mode, 0);
  }

  static String name(MicroProgram program, ProgramMode mode, int addedNanos) {
    return "MicroBenchmark.run(addedNanos=%d,mode=%s,program=%s)"
        .formatted(addedNanos, mode, program);
  }
}
