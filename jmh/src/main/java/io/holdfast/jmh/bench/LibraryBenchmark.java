package io.holdfast.jmh.bench;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.holdfast.Holdfast;
import io.holdfast.jmh.process.Checkout;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.Target;
import io.holdfast.jmh.report.ThroughputTable;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Suite;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;

/// Two threads use a library, in a process without the agent and in one where everything is woven,
/// in turns; a time is their processor time for an operation, so that it means something on a busy
/// machine, too. Beside a busy store, a third thread, whose time does not count, stores all the
/// while under a lock of its own.
@Experiment(
    question = "what do libraries cost that are woven and store nothing?",
    floor = "the same without the agent",
    variables =
        "the library: a bounded cache of Caffeine's and one of Guava's, asked for skewed keys,"
            + " and Commons Pool, of which an object is taken and given back; whether a store is"
            + " open, in which another thread stores")
public final class LibraryBenchmark implements Suite.Trial {
  static final List<String> LIBRARIES = List.of("caffeine", "guava", "pool2");
  private static final int THREADS = 2;
  private static final int OPERATIONS = 1_000_000;

  /// The first ones are compiled meanwhile.
  private static final int ROUNDS = 6, WARM_UP = 3;

  private static final int RUNS = 5;

  /// Of one process.
  private record Process(String library, boolean beside, boolean woven) {
    String name() {
      return "LibraryBenchmark.%s(store=%s, agent=%s)"
          .formatted(library, beside ? "busy" : "none", woven ? "Holdfast" : "none");
    }
  }

  private interface Operation {
    void run(int key) throws Exception;
  }

  public static String name(String library, boolean beside, boolean woven) {
    return new Process(library, beside, woven).name();
  }

  /// At most a tenth more where nothing is stored, and three tenths beside a busy store.
  public static Stream<Target> targets() {
    return LIBRARIES.stream()
        .flatMap(
            library ->
                Stream.of(
                    new Target(name(library, false, true), name(library, false, false), 1.1),
                    new Target(name(library, true, true), name(library, true, false), 1.3)));
  }

  @Override
  public void run(Suite.Extent extent, Results results) throws IOException {
    Optional<Path> agent = Checkout.agent();
    if (agent.isEmpty()) {
      System.out.println("left out: the benchmarks were not started by ./holdfast");
      return;
    }
    try (Scratch scratch = new Scratch()) {
      for (String library : LIBRARIES) {
        for (boolean beside : new boolean[] {false, true}) {
          List<Double> plain = new ArrayList<>();
          List<Double> woven = new ArrayList<>();
          for (int i = 0; i < (extent.quick() ? 1 : RUNS); i++) {
            plain.add(nanos(scratch, new Process(library, beside, false), List.of()));
            woven.add(
                nanos(
                    scratch,
                    new Process(library, beside, true),
                    List.of("-javaagent:" + agent.get() + "=include=**")));
          }
          results.add(name(library, beside, false), "ns", plain);
          results.add(name(library, beside, true), "ns", woven);
        }
      }
    }
  }

  private static double nanos(Scratch scratch, Process process, List<String> flags)
      throws IOException {
    Path result = scratch.file("result");
    List<String> command = Checkout.java(flags.toArray(String[]::new));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(LibraryBenchmark.class.getName(), process.library()));
    command.addAll(List.of(process.beside() ? "busy" : "none", result.toString()));
    Checkout.millis(scratch.file("output"), command);
    return Double.parseDouble(Files.readString(result));
  }

  /// @param arguments the library; whether a store is busy; a file for the median of what an
  ///   operation takes
  public static void main(String[] arguments) throws Exception {
    Operation operation = operation(arguments[0]);
    AtomicBoolean stopped = new AtomicBoolean();
    FutureTask<Void> storing = null;
    if (arguments[1].equals("busy")) {
      storing = started(() -> store(Path.of(arguments[2] + ".hf"), stopped));
    }
    double[] rounds = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      rounds[round] = round(operation);
    }
    stopped.set(true);
    if (storing != null) {
      storing.get();
    }
    double[] warm = Arrays.copyOfRange(rounds, WARM_UP, ROUNDS);
    Arrays.sort(warm);
    Files.writeString(Path.of(arguments[2]), String.valueOf(warm[warm.length / 2]));
  }

  private interface Work {
    void run() throws Exception;
  }

  private static FutureTask<Void> started(Work work) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              work.run();
              return null;
            });
    Thread.ofPlatform().daemon().start(task);
    return task;
  }

  private static void store(Path file, AtomicBoolean stopped) throws IOException {
    Object lock = new Object();
    try (Holdfast store = Holdfast.open(file)) {
      Map<Long, Long> map = store.hashMap("map", Long.class, Long.class);
      for (long i = 0; !stopped.get(); i++) {
        synchronized (lock) {
          map.put(i % 1_000, i);
          map.put(-1 - i % 1_000, i);
        }
      }
    }
    Files.delete(file);
  }

  /// @return processor time for an operation, in nanoseconds
  private static double round(Operation operation) throws Exception {
    ThreadMXBean times = ManagementFactory.getThreadMXBean();
    long[] nanos = new long[THREADS];
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int number = thread;
      tasks.add(
          started(
              () -> {
                long start = times.getCurrentThreadCpuTime();
                SplittableRandom random = new SplittableRandom(number);
                for (int i = 0; i < OPERATIONS; i++) {
                  operation.run(random.nextInt(4_096) * random.nextInt(4_096) >>> 12);
                }
                nanos[number] = times.getCurrentThreadCpuTime() - start;
              }));
    }
    for (FutureTask<Void> task : tasks) {
      task.get();
    }
    return (double) Arrays.stream(nanos).sum() / OPERATIONS / THREADS;
  }

  private static Operation operation(String library) {
    return switch (library) {
      case "caffeine" -> {
        com.github.benmanes.caffeine.cache.Cache<Integer, Integer> cache =
            Caffeine.newBuilder().maximumSize(1_000).executor(Runnable::run).recordStats().build();
        yield key -> {
          if (cache.getIfPresent(key) == null) {
            cache.put(key, key);
          }
        };
      }
      case "guava" -> {
        Cache<Integer, Integer> cache =
            CacheBuilder.newBuilder().maximumSize(1_000).recordStats().build();
        yield key -> {
          if (cache.getIfPresent(key) == null) {
            cache.put(key, key);
          }
        };
      }
      case "pool2" -> {
        GenericObjectPool<StringBuilder> pool = new GenericObjectPool<>(new Builders());
        yield key -> {
          StringBuilder taken = pool.borrowObject();
          taken.setLength(key & 7);
          pool.returnObject(taken);
        };
      }
      default -> throw new IllegalArgumentException("library=" + library);
    };
  }

  private static final class Builders extends BasePooledObjectFactory<StringBuilder> {
    @Override
    public StringBuilder create() {
      return new StringBuilder();
    }

    @Override
    public PooledObject<StringBuilder> wrap(StringBuilder object) {
      return new DefaultPooledObject<>(object);
    }
  }

  public static void print(Results results, Page page) {
    ThroughputTable.heading(
        page.out(), "processor time, ns an operation", List.of("as it is", "woven", "ratio"));
    for (String library : LIBRARIES) {
      for (boolean beside : new boolean[] {false, true}) {
        Optional<Double> plain = results.median(name(library, beside, false));
        Optional<Double> woven = results.median(name(library, beside, true));
        if (plain.isPresent() && woven.isPresent()) {
          page.out()
              .printf(
                  "| %s, %s | %.0f | %.0f | %.2f |%n",
                  library,
                  beside ? "beside a busy store" : "no store open",
                  plain.get(),
                  woven.get(),
                  woven.get() / plain.get());
        }
      }
    }
    page.out().println();
  }
}
