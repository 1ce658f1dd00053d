package io.holdfast.stress.power;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import io.holdfast.core.HoldfastException;
import io.holdfast.stress.kill.Survived;
import io.holdfast.stress.kill.Violation;
import io.holdfast.testkit.PowerCuts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Has processes change stores on a disk, cuts the power in what they had the disk do, and opens
/// what that leaves.
public final class PowerLoop {
  private static final int BEGUN = 1_000;

  private final Path directory;
  private final int threads;
  private final Random random;
  private final Map<String, Integer> struck = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();
  private long told;

  /// @param threads of each process
  public PowerLoop(Path directory, int threads, long seed) {
    this.directory = directory;
    this.threads = threads;
    this.random = new Random(seed);
  }

  /// The channel by which a thread tells what it begins.
  static int begun(int thread) {
    return BEGUN + thread;
  }

  /// How many cuts there were at each kind of call.
  public Map<String, Integer> struck() {
    return struck;
  }

  /// Steps that were told to be safe before a cut, over all cuts.
  public long told() {
    return told;
  }

  /// What was wrong, and where.
  public List<String> violations() {
    return violations;
  }

  /// Runs a process, and cuts its power so many times, at other calls.
  ///
  /// @param steps of each thread
  /// @param acknowledged what its operations wait for
  public void run(int cuts, int steps, Durability acknowledged)
      throws IOException, InterruptedException {
    Path store = directory.resolve("s.hf");
    Path trace = directory.resolve("trace");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx192m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            PowerWorker.class.getName(),
            store.toString(),
            trace.toString(),
            "" + threads,
            "" + steps,
            acknowledged.name());
    Path err = directory.resolve("worker.err");
    Process process = new ProcessBuilder(command).redirectError(err.toFile()).start();
    int exitCode = process.waitFor();
    if (exitCode != 0) {
      throw new IllegalStateException(
          "the worker failed: exit code=%d: %s".formatted(exitCode, Files.readString(err)));
    }
    Path images = Files.createDirectory(directory.resolve("images"));
    PowerCuts.of(trace)
        .cut(cuts, images, random, this::check)
        .forEach((call, count) -> struck.merge(call, count, Integer::sum));
    Files.delete(images);
    Files.delete(trace);
    Files.delete(store);
  }

  private void check(Path image, Map<Integer, Long> numbers) throws IOException {
    Map<Integer, Long> safe = new HashMap<>();
    Map<Integer, Long> begun = new HashMap<>();
    numbers.forEach(
        (channel, number) -> {
          if (channel >= BEGUN) {
            begun.put(channel - BEGUN, number);
          } else {
            safe.put(channel, number);
            told += number;
          }
        });
    String wrong;
    Survived survives =
        random.nextInt(4) == 0 ? Survived.PROCESS_CRASH : Survived.POWER_FAILURE_ON_DISK;
    try (Holdfast store = Holdfast.open(image.resolve("s.hf"), survives.options())) {
      survives.checkQuiet(store);
      Steps steps = new Steps(store, threads);
      wrong = steps.check(safe, begun);
      if (wrong.isEmpty()) { // it is used on
        long next = begun.getOrDefault(0, 0L) + 1;
        store.transaction(() -> store.queue("used", Long.class).add(next));
        survives.checkQuiet(store);
      }
    } catch (HoldfastException | Violation e) {
      wrong = e.toString();
    }
    if (!wrong.isEmpty()) {
      Path kept = directory.resolve("violation-" + violations.size());
      violations.add("%s: %s".formatted(kept, wrong));
      copy(image, kept);
    }
  }

  private static void copy(Path image, Path to) throws IOException {
    Files.createDirectory(to);
    try (var files = Files.list(image)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }
}
