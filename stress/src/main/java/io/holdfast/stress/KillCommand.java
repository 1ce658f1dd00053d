package io.holdfast.stress;

import static java.util.Comparator.naturalOrder;

import io.holdfast.stress.kill.Ending;
import io.holdfast.stress.kill.Kill;
import io.holdfast.stress.kill.KillLoop;
import io.holdfast.stress.kill.KillTally;
import io.holdfast.stress.kill.Strike;
import io.holdfast.stress.kill.Survived;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.WorkerFailedException;
import io.holdfast.stress.workload.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The kill loops on the command line. Exit code 0 if every store was as it must be, 1 if one was
/// not, 2 for wrong usage.
@Command(
    name = "kill",
    mixinStandardHelpOptions = true,
    description = {
      "Kills worker JVMs with SIGKILL at random moments, opens what they leave, and compares it"
          + " with what they had acknowledged.",
      "A store that is not as it must be stays where it is."
    })
final class KillCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--kills",
      paramLabel = "N",
      defaultValue = "50",
      description = "kills for each workload (default: ${DEFAULT-VALUE})")
  private int kills;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "4",
      description = "threads of each worker (default: ${DEFAULT-VALUE})")
  private int threads;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      defaultValue = "1",
      description = "workloads at a time (default: ${DEFAULT-VALUE})")
  private int jobs;

  @Option(names = "--seed", paramLabel = "N", description = "repeats the random choices of a run")
  private Long seed;

  @Option(
      names = "--durability",
      defaultValue = "process-crash",
      converter = Failure.class,
      paramLabel = "FAILURE",
      description = {
        "what the workers open their stores for: process-crash, power-failure,"
            + " power-failure-on-disk, relaxed-on-disk or relaxed-in-memory (default:"
            + " ${DEFAULT-VALUE}).",
        "A kill is no loss of power; but the code that writes back and waits is killed."
      })
  private Survived durability;

  @Option(
      names = "--record",
      paramLabel = "FILE",
      description =
          "a line for each kill, as it happens: when, workload, life, struck, by, promises")
  private Path record;

  @Parameters(
      paramLabel = "WORKLOAD",
      arity = "0..*",
      completionCandidates = Names.class,
      description =
          "what the workers do: ${COMPLETION-CANDIDATES}. Default: all but those that end in -maps"
              + " and -trees, the same styles of locks with the other collections")
  private List<String> names = Workloads.names();

  /// Each used by one job, and read when all are done.
  private final List<KillTally> tallies = Collections.synchronizedList(new ArrayList<>());

  /// A failure as it is written on the command line.
  static final class Failure implements ITypeConverter<Survived> {
    @Override
    public Survived convert(String told) {
      return Survived.valueOf(told.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    static String told(Survived failure) {
      return failure.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /// The workloads, for the help.
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(Workloads.names().stream(), Workloads.furtherNames().stream())
          .iterator();
    }
  }

  @Override
  public Integer call() throws InterruptedException, IOException, ExecutionException {
    if (kills < 1 || threads < 1 || jobs < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--kills, --threads and --jobs are at least 1: %d, %d, %d"
              .formatted(kills, threads, jobs));
    }
    for (String name : names) {
      try {
        Workloads.named(name);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      }
    }
    long chosen = seed == null ? new SplittableRandom().nextLong(1_000_000) : seed;
    out()
        .println(
            row(
                "workload",
                "kills",
                "checks",
                "promises",
                "kept",
                "undone",
                "recovery: median",
                "max",
                "struck"));
    long before = System.nanoTime();
    boolean sound = runAll(chosen);
    out().println(total());
    double minutes = (System.nanoTime() - before) / 60e9;
    long all = sum(KillTally::kills);
    out()
        .printf(
            "%d kills, %.0f a minute; %s; never struck: %s%n",
            all, all / minutes, sound ? "no violation" : "VIOLATED", neverStruck());
    return sound ? 0 : 1;
  }

  private boolean runAll(long chosen) throws InterruptedException, IOException, ExecutionException {
    boolean sound = true;
    try (Writer kept =
            record == null
                ? Writer.nullWriter()
                : Files.newBufferedWriter(
                    record, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        Progress progress = Progress.of("kills", (long) kills * names.size());
        ExecutorService pool = Executors.newFixedThreadPool(jobs)) {
      List<Future<Boolean>> runs = new ArrayList<>();
      for (String name : names) {
        runs.add(pool.submit(() -> run(name, chosen, kept, progress)));
      }
      for (Future<Boolean> run : runs) {
        sound &= run.get();
      }
    }
    return sound;
  }

  /// What a loop of any length would show nothing of.
  private String neverStruck() {
    String never =
        Stream.of(Strike.values())
            .filter(strike -> tallies.stream().allMatch(tally -> tally.kills(strike) == 0))
            .map(Strike::toString)
            .collect(Collectors.joining(", "));
    return never.isEmpty() ? "nothing" : never;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private static String row(Object... cells) {
    return "%-18s %6s %7s %9s %6s %7s %17s %9s   %s".formatted(cells);
  }

  private boolean run(String name, long chosen, Writer kept, Progress progress)
      throws InterruptedException, IOException {
    Scratch scratch = new Scratch("holdfast-kill-");
    long seedOfLoop = chosen + name.hashCode(); // or all would draw the same moments
    KillLoop loop =
        new KillLoop(
            Workloads.named(name), scratch.directory(), threads, seedOfLoop, Map.of(), durability);
    tallies.add(loop.tally());
    try {
      for (int i = 0; i < kills; i++) {
        Kill kill = loop.cycle();
        kept.write(
            "%s\t%s\t%d\t%s\t%s\t%d%n"
                .formatted(
                    Instant.now().truncatedTo(ChronoUnit.MILLIS),
                    name,
                    kill.life(),
                    kill.strike(),
                    kill.ending(),
                    kill.acknowledged()));
        kept.flush();
        progress.step();
      }
      loop.check();
    } catch (Violation | WorkerFailedException e) {
      out().println(tell(name, loop.tally()));
      out()
          .printf(
              "%s%n  %s%n  after %d kills; the store stays: %s%n  reproduce: ./holdfast stress kill"
                  + " %s --kills %d --threads %d --durability %s --seed %d%n",
              name,
              e.getMessage(),
              loop.tally().kills(),
              loop.region(),
              name,
              kills,
              threads,
              Failure.told(durability),
              chosen);
      return false;
    }
    out().println(tell(name, loop.tally()));
    scratch.delete();
    return true;
  }

  private static String tell(String name, KillTally tally) {
    return row(
        name,
        tally.kills(),
        tally.checks(),
        tally.acknowledgements(),
        tally.sectionsKept(),
        tally.sectionsUndone(),
        Milliseconds.of(tally.recoveryMedian()),
        Milliseconds.of(tally.recoveryMax()),
        struck(List.of(tally)));
  }

  private String total() {
    return row(
        "all",
        sum(KillTally::kills),
        sum(KillTally::checks),
        sum(KillTally::acknowledgements),
        sum(KillTally::sectionsKept),
        sum(KillTally::sectionsUndone),
        "",
        Milliseconds.of(
            tallies.stream().map(KillTally::recoveryMax).max(naturalOrder()).orElse(Duration.ZERO)),
        struck(tallies));
  }

  private long sum(ToLongFunction<KillTally> number) {
    return tallies.stream().mapToLong(number).sum();
  }

  /// The histogram: what kills struck, and by what they were.
  private static String struck(List<KillTally> tallies) {
    Stream<String> strikes =
        Stream.of(Strike.values())
            .map(strike -> told(strike, tallies.stream().mapToInt(tally -> tally.kills(strike))));
    Stream<String> endings =
        Stream.of(Ending.values())
            .filter(ending -> ending != Ending.KILL)
            .map(
                ending ->
                    told("by " + ending, tallies.stream().mapToInt(tally -> tally.kills(ending))));
    return Stream.concat(strikes, endings)
        .filter(told -> !told.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private static String told(Object what, IntStream kills) {
    int sum = kills.sum();
    return sum == 0 ? "" : what + " " + sum;
  }
}
