package io.holdfast.stress.demo;

import io.holdfast.stress.kill.KillLoop;
import io.holdfast.stress.kill.KillTally;
import io.holdfast.stress.kill.Reopening;
import io.holdfast.stress.kill.Strike;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.WorkerFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Both halves of the demo: the same lines through the same queues, by `atomically` and by
/// `synchronized` under the agent.
public final class Demo {
  /// One feeds, the others move.
  private static final int THREADS = 3;

  private final Text text;
  private final String file;
  private final int kills;
  private final long seed;
  private final List<Half> halves;

  /// One way to make sections, with a store of its own.
  private static final class Half {
    final LineWorkload lines;
    final int kills;
    KillTally tally;
    String failure;

    Half(LineWorkload lines, int kills) {
      this.lines = lines;
      this.kills = kills;
    }

    boolean isRight() {
      return failure == null && lines.ledger().isRight();
    }
  }

  /// @param path of the text; `null` for the license
  /// @throws IllegalArgumentException if the file can't be used, saying why
  public Demo(Path path, int kills, long seed) {
    this.text = path == null ? Text.ofLicense() : Text.of(path);
    this.file = path == null ? "" : path.toAbsolutePath().toString();
    this.kills = kills;
    this.seed = seed;
    this.halves =
        List.of(
            new Half(new AtomicLines().with(text), kills - kills / 2),
            new Half(new SynchronizedLines().with(text), kills / 2));
  }

  /// What is about to be done.
  public String announcement() {
    return "Moving %,d lines of %s from queue to queue, round and round, while the worker JVM is killed %d times."
        .formatted(text.lines(), text.name(), kills);
  }

  /// Runs both halves.
  ///
  /// @param directory for the stores
  /// @param killed called after each kill
  public void run(Path directory, Runnable killed) throws InterruptedException {
    // The workers get a copy: a pipe can be read once only, and a file may change meanwhile.
    Path copy = directory.resolve("text");
    text.copyTo(copy);
    for (Half half : halves) {
      run(half, directory, copy, killed);
    }
  }

  private void run(Half half, Path directory, Path copy, Runnable killed)
      throws InterruptedException {
    Supplier<LineWorkload> lines = () -> half.lines;
    Map<String, String> parameters = Map.of(LineWorkload.FILE, copy.toString());
    KillLoop loop = new KillLoop(lines, directory, THREADS, seed, parameters);
    half.tally = loop.tally();
    try {
      for (int i = 0; i < half.kills; i++) {
        loop.cycle();
        killed.run();
      }
      loop.check();
      if (Files.exists(loop.region())) {
        Reopening.of(loop.region(), half.lines::drain);
      }
    } catch (Violation | WorkerFailedException e) {
      half.failure = e.getMessage();
    }
  }

  /// Whether every line came out once, in order and as it was.
  public boolean isRight() {
    return halves.stream().allMatch(Half::isRight);
  }

  /// What was seen, as a table.
  public String report() {
    StringBuilder table = new StringBuilder();
    row(table, "sections by", half -> half.lines.name());
    row(table, "lines in", half -> "%,d".formatted(half.lines.ledger().in()));
    row(table, "lines out", half -> "%,d".formatted(half.lines.ledger().out()));
    row(table, "lost", half -> half.lines.ledger().lost());
    row(table, "duplicated", half -> half.lines.ledger().duplicated());
    row(table, "out of order", half -> half.lines.ledger().outOfOrder());
    row(table, "damaged", half -> half.lines.ledger().damaged());
    row(table, "kills", half -> half.tally.kills());
    for (Strike strike : Strike.values()) {
      if (halves.stream().anyMatch(half -> half.tally.kills(strike) > 0)) {
        row(table, "  while " + strike, half -> half.tally.kills(strike));
      }
    }
    row(table, "opened, compared", half -> half.tally.checks());
    row(table, "recoveries", half -> half.tally.recoveries());
    row(table, "  sections undone", half -> half.tally.sectionsUndone());
    row(table, "  median time", half -> milliseconds(half.tally.recoveryMedian()));
    row(table, "  longest", half -> milliseconds(half.tally.recoveryMax()));
    for (Half half : halves) {
      if (half.failure != null) {
        table.append("%n%s: %s%n".formatted(half.lines.name(), half.failure));
      }
    }
    table.append(
        isRight()
            ? "%nEvery line came out once and in order.%n".formatted()
            : "%nNOT as promised. Reproduce: ./holdfast demo %s--kills %d --seed %d%n"
                .formatted(file.isEmpty() ? "" : "'" + file + "' ", kills, seed));
    return table.toString().stripTrailing();
  }

  private static String milliseconds(Duration duration) {
    return "%.2f ms".formatted(duration.toNanos() / 1e6);
  }

  private void row(StringBuilder table, String name, Function<Half, Object> cell) {
    String cells =
        halves.stream()
            .map(half -> "%16s".formatted(cell.apply(half)))
            .collect(Collectors.joining());
    table.append("%-18s%s%n".formatted(name, cells));
  }
}
