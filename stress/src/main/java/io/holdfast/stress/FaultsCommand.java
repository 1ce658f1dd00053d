package io.holdfast.stress;

import io.holdfast.stress.faults.FaultRun;
import io.holdfast.stress.faults.Known;
import io.holdfast.stress.faults.Outcome;
import io.holdfast.stress.faults.Site;
import io.holdfast.stress.faults.TestMethod;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Deliberate faults on the command line. Exit code 0 if all were noticed.
@Command(
    name = "faults",
    mixinStandardHelpOptions = true,
    description = {
      "Leaves one flush, fence, release store, lock or check at a time out of the compiled code,"
          + " and runs the tests that reach it until one notices.",
      "Prints a line for each: the fault, the test that noticed it or '-', how many tests were run,"
          + " their milliseconds, and how the last one failed."
    })
final class FaultsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--budget",
      paramLabel = "SECONDS",
      defaultValue = "20",
      description = "of tests for each fault (default: ${DEFAULT-VALUE})")
  private int budget;

  @Option(
      names = "--jvms",
      paramLabel = "N",
      defaultValue = "3",
      description = "at a time (default: ${DEFAULT-VALUE})")
  private int jvms;

  @Option(
      names = "--reach",
      paramLabel = "FILE",
      description = "which test reaches what: read if it is there, else found out and written")
  private Path reach;

  @Option(
      names = "--known",
      description = "runs for each fault only the test that has noticed it before")
  private boolean known;

  @Option(
      names = "--one-of",
      paramLabel = "N",
      defaultValue = "1",
      description = "of so many faults one is tried, drawn (default: all)")
  private int oneOf;

  @Option(names = "--seed", paramLabel = "N", description = "draws the same ones again")
  private long seed;

  @Option(
      names = "--record",
      paramLabel = "FILE",
      description = "writes who noticed what, for --known")
  private Path record;

  @Option(names = "--list", description = "prints the faults and tries none")
  private boolean list;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description = "part of the name of a fault (default: all)")
  private List<String> names = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException, ExecutionException {
    Scratch scratch = new Scratch("holdfast-faults-");
    FaultRun run = new FaultRun(scratch.directory(), jvms);
    List<Site> chosen = run.sites().stream().filter(this::isChosen).toList();
    if (chosen.isEmpty() || oneOf < 1) {
      scratch.delete();
      throw new ParameterException(
          spec.commandLine(),
          "no fault has such a name: %s, or --one-of is less than 1: %d".formatted(names, oneOf));
    }
    Random random = new Random(seed);
    List<Site> sites = chosen.stream().filter(_ -> random.nextInt(oneOf) == 0).toList();
    if (list) {
      sites.forEach(out()::println);
      scratch.delete();
      return 0;
    }
    List<TestMethod> tests = known ? Known.noticers() : tests(run);
    List<Outcome> outcomes = new ArrayList<>();
    run.run(
        sites,
        tests,
        budget * 1_000L,
        outcome -> {
          outcomes.add(outcome);
          out().println(outcome.toLine());
          out().flush();
          if (record != null) {
            record(outcome, tests);
          }
        });
    List<Site> unnoticed =
        outcomes.stream().filter(each -> !each.isNoticed()).map(Outcome::site).toList();
    List<Site> failures = unnoticed.stream().filter(each -> !Known.isExcused(each)).toList();
    failures.forEach(
        site ->
            out()
                .printf("not noticed: %s; reproduce: ./holdfast stress faults '%s'%n", site, site));
    out()
        .printf(
            "%d of %d noticed, %d excused%s%n",
            sites.size() - unnoticed.size(),
            sites.size(),
            unnoticed.size() - failures.size(),
            failures.isEmpty() ? "" : ", not noticed: " + failures);
    scratch.delete();
    return failures.isEmpty() ? 0 : 1;
  }

  /// Writes down who has noticed a fault, in place of who had before; and still has, if it was not
  /// noticed now.
  private void record(Outcome outcome, List<TestMethod> tests) {
    Map<String, Long> millis = new TreeMap<>();
    Map<String, Set<Site>> noticed = new HashMap<>();
    try {
      for (TestMethod test : Files.exists(record) ? read(record) : List.<TestMethod>of()) {
        millis.put(test.id(), test.millis());
        noticed.put(test.id(), new HashSet<>(test.reached()));
      }
      if (outcome.isNoticed()) {
        noticed.values().forEach(sites -> sites.remove(outcome.site()));
        noticed.computeIfAbsent(outcome.test(), _ -> new HashSet<>()).add(outcome.site());
        tests.forEach(test -> millis.put(test.id(), test.millis()));
      }
      millis.keySet().removeIf(test -> noticed.getOrDefault(test, Set.of()).isEmpty());
      Files.write(
          record,
          millis.entrySet().stream()
              .map(
                  each ->
                      new TestMethod(each.getKey(), each.getValue(), noticed.get(each.getKey())))
              .map(TestMethod::toLine)
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException("can't be written: " + record, e);
    }
  }

  private static List<TestMethod> read(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .flatMap(line -> TestMethod.read(line).stream())
        .toList();
  }

  private boolean isChosen(Site site) {
    return names.isEmpty() || names.stream().anyMatch(site.toString()::contains);
  }

  private List<TestMethod> tests(FaultRun run)
      throws IOException, InterruptedException, ExecutionException {
    if (reach != null && Files.exists(reach)) {
      return read(reach);
    }
    List<TestMethod> tests = run.reach();
    if (reach != null) {
      Files.write(reach, tests.stream().map(TestMethod::toLine).toList());
    }
    return tests;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
