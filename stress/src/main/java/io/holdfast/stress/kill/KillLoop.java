package io.holdfast.stress.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// Runs one workload: starts a worker, kills it, opens what it left, compares, again and again.
///
/// Each time the parent verifies what the kill left, which changes nothing. Two times of three it
/// then opens the store and compares it with the model. The third time the next worker gets it as
/// it is: so that recovery also runs where it can be killed, and a store goes through several kills
/// without a clean close between them.
public final class KillLoop {
  private final Supplier<? extends Workload> workloads;
  private final Path directory;
  private final int threads;
  private final long seed;
  private final Map<String, String> parameters;
  private final Survived survives;
  private final RandomGenerator random;
  private final KillTally tally = new KillTally();

  private Workload model;
  private Path region;
  private boolean crashed;
  private int life;
  private int killsOfStore;
  private int livesUnchecked;

  /// @param workloads makes a workload for each store
  /// @param directory for the stores; a store with a violation stays there
  /// @param threads of each worker
  /// @param parameters for each worker
  public KillLoop(
      Supplier<? extends Workload> workloads,
      Path directory,
      int threads,
      long seed,
      Map<String, String> parameters) {
    this(workloads, directory, threads, seed, parameters, Survived.PROCESS_CRASH);
  }

  /// @param survives what the workers open their stores for
  /// @see #KillLoop(Supplier, Path, int, long, Map)
  public KillLoop(
      Supplier<? extends Workload> workloads,
      Path directory,
      int threads,
      long seed,
      Map<String, String> parameters,
      Survived survives) {
    this.workloads = workloads;
    this.directory = directory;
    this.threads = threads;
    this.seed = seed;
    this.parameters = Map.copyOf(parameters);
    this.survives = survives;
    this.random = new SplittableRandom(seed);
    begin();
  }

  private void begin() {
    model = workloads.get();
    region = directory.resolve("%s-%d.hf".formatted(model.name(), life));
    crashed = false;
    killsOfStore = 0;
    livesUnchecked = 0;
  }

  /// The store in use.
  public Path region() {
    return region;
  }

  /// What the kills struck.
  public KillTally tally() {
    return tally;
  }

  /// One life, one kill, and as a rule one check.
  ///
  /// @return what it struck
  /// @throws Violation if the store is not as it must be
  /// @throws WorkerFailedException if the worker ended or hung by itself
  public Kill cycle() throws InterruptedException {
    boolean existed = Files.exists(region);
    WorkerJvm jvm = new WorkerJvm(directory, survives, model.woven());
    Map<String, String> told = new HashMap<>(model.parameters());
    told.putAll(parameters);
    Kill kill;
    try (WorkerProcess worker =
        jvm.start(model.getClass(), region, threads, life, seed, told, this::acknowledged)) {
      Ending ending = Ending.draw(random);
      worker.endAt(model.timing().draw(random), ending);
      Strike strike = Strike.of(worker, Board.take(region), existed, crashed);
      kill = new Kill(life, strike, ending, worker.acknowledgements());
      tally.struck(kill);
      crashed |= strike != Strike.STARTING;
    }
    if (Files.exists(region)) {
      Reopening.verify(region);
    }
    life++;
    livesUnchecked++;
    killsOfStore++;
    if (killsOfStore == model.killsPerStore()) {
      check();
      delete();
      begin();
    } else if (random.nextInt(3) != 0) {
      check();
    }
    return kill;
  }

  private void acknowledged(int channel, long number) {
    model.acknowledged(channel, number);
  }

  /// Opens the store and compares it with the model; once more at the end of a loop.
  ///
  /// @throws Violation if the store is not as it must be
  public void check() {
    if (livesUnchecked > 0 && Files.exists(region)) {
      // The other half of the times it closes the log.
      boolean asWorkers = survives.hasLog() && random.nextBoolean();
      Survived opened = asWorkers ? survives : Survived.PROCESS_CRASH;
      tally.reopened(Reopening.of(region, opened, store -> model.check(store, livesUnchecked)));
      crashed = false;
      livesUnchecked = 0;
    }
  }

  private void delete() {
    try {
      Files.deleteIfExists(region);
      Files.deleteIfExists(region.resolveSibling(region.getFileName() + ".lock"));
    } catch (IOException e) {
      throw new UncheckedIOException("a store that is no longer needed can't be deleted", e);
    }
  }
}
