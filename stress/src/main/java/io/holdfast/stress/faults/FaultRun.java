package io.holdfast.stress.faults;

import io.holdfast.stress.kill.AgentJar;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/// Tries faults in several JVMs at once.
public final class FaultRun {
  private final CodeUnderTrial code = CodeUnderTrial.find();
  private final Path directory;
  private final Path agentJar;
  private final int jvms;

  /// @param directory for what is left behind
  /// @param jvms at a time
  public FaultRun(Path directory, int jvms) throws IOException {
    this.directory = directory;
    this.jvms = jvms;
    this.agentJar = AgentJar.write(directory.resolve("faults.jar"), FaultAgent.class.getName());
  }

  /// All sites of core and collections.
  public List<Site> sites() {
    return Sites.in(code.classes());
  }

  /// Runs all tests once, without a fault.
  ///
  /// @return those that pass
  public List<TestMethod> reach() throws IOException, InterruptedException, ExecutionException {
    List<TestMethod> tests = new ArrayList<>();
    List<Collection<TestMethod>> found = inParallel(code.tests(), this::reach);
    found.forEach(tests::addAll);
    return tests;
  }

  private Collection<TestMethod> reach(Path tests) throws IOException, InterruptedException {
    Process process =
        TrialJvm.process(code, agentJar, directory, null, List.of("reach", tests.toString()));
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      List<TestMethod> reached =
          in.lines().flatMap(each -> TestMethod.read(each).stream()).toList();
      if (process.waitFor() != 0) {
        throw new IllegalStateException("the tests did not come to an end: see " + directory);
      }
      return reached;
    } finally {
      process.destroyForcibly();
    }
  }

  /// Tries faults.
  ///
  /// @param sites where they are
  /// @param tests that may notice them
  /// @param budgetMillis tests that take so long together are run for each fault
  /// @param listener told of each by one thread at a time
  public void run(
      Collection<Site> sites, List<TestMethod> tests, long budgetMillis, Consumer<Outcome> listener)
      throws IOException, InterruptedException, ExecutionException {
    Map<Site, List<TestMethod>> reaching = new HashMap<>();
    for (TestMethod test : tests) {
      test.reached()
          .forEach(site -> reaching.computeIfAbsent(site, _ -> new ArrayList<>()).add(test));
    }
    Map<String, Set<String>> noticers = new ConcurrentHashMap<>();
    for (TestMethod test : Known.noticers()) {
      test.reached().forEach(site -> FaultTrial.note(noticers, site, test.id()));
    }
    Queue<Site> left = new ConcurrentLinkedQueue<>(sites);
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < jvms; i++) {
      numbers.add(i);
    }
    inParallel(
        numbers,
        _ -> {
          try (FaultTrial trial =
              new FaultTrial(code, agentJar, directory, budgetMillis, noticers)) {
            for (Site site = left.poll(); site != null; site = left.poll()) {
              Outcome outcome = trial.of(site, reaching.getOrDefault(site, List.of()));
              synchronized (listener) {
                listener.accept(outcome);
              }
            }
          }
          return null;
        });
  }

  private interface Work<A, B> {
    B on(A what) throws IOException, InterruptedException;
  }

  private <A, B> List<B> inParallel(List<A> inputs, Work<A, B> work)
      throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newFixedThreadPool(jvms)) {
      List<Future<B>> futures = new ArrayList<>();
      for (A input : inputs) {
        futures.add(threads.submit(() -> work.on(input)));
      }
      List<B> results = new ArrayList<>();
      for (Future<B> future : futures) {
        results.add(future.get());
      }
      return results;
    }
  }
}
