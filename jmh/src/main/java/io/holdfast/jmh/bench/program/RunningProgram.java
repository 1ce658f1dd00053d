package io.holdfast.jmh.bench.program;

import io.holdfast.jmh.atlas.Crew;
import io.holdfast.jmh.atlas.Program;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.process.TimedBenchmark;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// A program with its threads and a file of its own, while a benchmark runs it. Its invariant is
/// looked at when the last run has ended.
@State(Scope.Benchmark)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public abstract class RunningProgram extends TimedBenchmark {
  Program running;
  private Scratch scratch;
  private Crew crew;

  /// Makes the program.
  ///
  /// @param file of its memory, which is to be created
  protected abstract Program program(Path file);

  @Setup
  public final void open() {
    scratch = new Scratch();
    running = program(scratch.file("program"));
    crew = new Crew(running);
  }

  @TearDown
  public final void close() {
    crew.close();
    running.content();
    running.close();
    scratch.close();
  }

  /// Has all its threads run.
  protected final void run(int operations) {
    crew.run(operations);
  }
}
