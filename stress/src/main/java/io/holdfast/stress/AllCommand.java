package io.holdfast.stress;

import io.holdfast.stress.workload.Workloads;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// All parts of the suite, one after the other, and one table of what came of them. Each part is a
/// line of this command line, and so is what repeats it.
@Command(
    name = "all",
    mixinStandardHelpOptions = true,
    description =
        "Runs all parts, one after the other, and prints one table. Exit code 0 if all succeed.")
final class AllCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--quick", description = "in under ten minutes on two cores")
  private boolean quick;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "60",
      description = "about so long, shared by kill loops and soak (default: ${DEFAULT-VALUE})")
  private int minutes;

  @Option(names = "--seed", paramLabel = "N", description = "repeats the random choices of a run")
  private Long seed;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description =
          "of parts (default: all): kill, power, soak, soak-on-disk, faults, jcstress;"
              + " failures and lincheck, not in --quick")
  private List<String> names = List.of();

  @Override
  public Integer call() {
    Map<String, List<String>> parts = parts();
    if (minutes < 1 || !parts.keySet().containsAll(names)) {
      throw new ParameterException(
          spec.commandLine(),
          "--minutes is at least 1, and parts are %s: %d, %s"
              .formatted(parts.keySet(), minutes, names));
    }
    if (!names.isEmpty()) {
      parts.keySet().retainAll(names);
    }
    List<String> rows = new ArrayList<>();
    boolean succeeded = true;
    for (Map.Entry<String, List<String>> part : parts.entrySet()) {
      List<String> line = part.getValue();
      long before = System.nanoTime();
      LastLine out = new LastLine(spec.commandLine().getOut());
      CommandLine commandLine = Stress.commandLine();
      commandLine.setOut(new PrintWriter(out, true));
      int exitCode = commandLine.execute(line.toArray(String[]::new));
      succeeded &= exitCode == 0;
      rows.add(
          row(
              part.getKey(),
              exitCode == 0 ? "passed" : "FAILED",
              "%d s".formatted((System.nanoTime() - before) / 1_000_000_000),
              out.last(),
              "./holdfast stress " + String.join(" ", line)));
    }
    PrintWriter table = spec.commandLine().getOut();
    table.printf("%n%s%n", row("part", "result", "time", "in short", "reproduce"));
    rows.forEach(table::println);
    table.flush();
    return succeeded ? 0 : 1;
  }

  /// The command line of each part, by its name.
  private Map<String, List<String>> parts() {
    String chosen = "" + (seed == null ? new SplittableRandom().nextLong(1_000_000) : seed);
    Map<String, List<String>> parts = new LinkedHashMap<>();
    parts.put("kill", kill(chosen));
    parts.put(
        "power", List.of("power", "--cuts", quick ? "60" : "" + minutes * 50, "--seed", chosen));
    int seconds = quick ? 20 : minutes * 15;
    parts.put("soak", List.of("soak", "--seconds", "" + seconds, "--seed", chosen));
    parts.put(
        "soak-on-disk",
        List.of(
            "soak",
            "--seconds",
            "" + seconds,
            "--durability",
            "relaxed-on-disk",
            "--seed",
            chosen));
    parts.put(
        "faults", List.of("faults", "--known", "--one-of", quick ? "3" : "1", "--seed", chosen));
    if (!quick) { // tests are their short form
      parts.put("failures", List.of("failures"));
      parts.put("lincheck", List.of("lincheck"));
    }
    parts.put("jcstress", quick ? List.of("jcstress", "--quick") : List.of("jcstress"));
    return parts;
  }

  private List<String> kill(String chosen) {
    List<String> workloads = new ArrayList<>();
    int kills = 3;
    if (!quick) {
      workloads.addAll(Workloads.names());
      workloads.addAll(Workloads.furtherNames());
      // Some 60 a minute for all that a machine may be busy with besides.
      kills = Math.max(kills, minutes * 60 / 2 / workloads.size());
    }
    List<String> line = new ArrayList<>();
    line.addAll(List.of("kill", "--kills", "" + kills, "--threads", "3", "--jobs", "2"));
    line.addAll(List.of("--seed", chosen));
    line.addAll(workloads);
    return line;
  }

  private static String row(Object... cells) {
    return "%-12s %-7s %7s  %-44s  %s".formatted(cells);
  }

  /// Passes on what is written, and keeps the last line.
  private static final class LastLine extends Writer {
    private final Writer to;
    private final StringWriter all = new StringWriter();

    private LastLine(Writer to) {
      this.to = to;
    }

    @Override
    public void write(char[] from, int at, int length) throws java.io.IOException {
      to.write(from, at, length);
      all.write(from, at, length);
    }

    @Override
    public void flush() throws java.io.IOException {
      to.flush();
    }

    @Override
    public void close() {
      // It is somebody else's.
    }

    private String last() {
      return all.toString()
          .lines()
          .filter(line -> !line.isBlank())
          .reduce((_, line) -> line)
          .orElse("");
    }
  }
}
