package io.holdfast.jmh.bench;

import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.jmh.map.HoldfastMap;
import io.holdfast.jmh.process.TimedBenchmark;
import io.holdfast.jmh.suite.Experiment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/// C2 merges neighbouring `synchronized` blocks on one monitor when it unrolls a loop of them, and
/// then the monitor costs less than half. Nothing is merged between two calls of a benchmark, so
/// {@link #synchronizedIncrement} is the baseline that the targets use, and sections are measured
/// in the same shape, one a call; {@link #synchronizedIncrementMerged} shows what merging would
/// give. The calls that the agent weaves in, which are made here by hand, prevent it.
///
/// In {@link #nestedSection} the inner lock's release is open, and whoever acquired it would depend
/// on the section; nobody does. Two threads ({@link #oneThread}, {@link #twoThreads}) are under
/// different locks and store to other lines of the same region: the time of a section should stay
/// what it is. That needs a machine with two cores to spare; {@link #twoThreadsIncrement}, two
/// threads that have nothing in common at all, tells whether it had.
///
/// The section of one store does all that the baseline does, it counts in a field, and then stores
/// the count. The region is a real file; but for {@link #twoThreads}, no other thread exists.
@Experiment(
    question = "what does a failure-atomic section cost, on top of the lock that it comes with?",
    floor =
        "an increment under an uncontended lock, not merged with its neighbours"
            + " (`synchronizedIncrement`)",
    variables =
        "persistent stores in the section: none, one, two to different lines; whether"
            + " it passes through an inner lock; whether another thread is in sections of its"
            + " own")
@Fork(1)
public class SectionBenchmark extends TimedBenchmark {
  /// Iterations of an inner loop: enough for C2 to unroll it.
  private static final int LOOP = 100;

  /// What is counted, and the locks that guard it.
  @State(Scope.Thread)
  public static class Counter {
    final Object monitor = new Object();
    final Object inner = new Object();
    long count;
  }

  /// A region, which all threads share.
  @State(Scope.Benchmark)
  public static class Shared extends OpenRegion {
    @Setup
    public void open() {
      open(HoldfastMap.PROCESS_CRASH);
    }
  }

  /// A block of it that one thread stores to.
  @State(Scope.Thread)
  public static class Persistent {
    private Region region;
    long word;
    long otherLine;

    /// The block is four lines long, because neighbouring lines may travel between cores in pairs.
    @Setup
    public void allocate(Shared shared) {
      region = shared.region;
      SectionHooks.enter();
      try {
        word = region.heap().allocate(256);
      } finally {
        SectionHooks.exit();
      }
      otherLine = word + 64;
    }

    void store(long offset, long value) {
      region.sections().current().write(offset, value);
    }
  }

  @Benchmark
  public void synchronizedIncrement(Counter counter) {
    synchronized (counter.monitor) {
      counter.count++;
    }
  }

  @Benchmark
  @OperationsPerInvocation(LOOP)
  public void synchronizedIncrementMerged(Counter counter) {
    Object monitor = counter.monitor; // one that C2 sees to be the same each time
    for (int i = 0; i < LOOP; i++) {
      synchronized (monitor) {
        counter.count++;
      }
    }
  }

  @Benchmark
  public void sectionWithoutStore(Counter counter) {
    synchronized (counter.monitor) {
      SectionHooks.acquired(counter.monitor);
      try {
        counter.count++;
      } finally {
        SectionHooks.releasing(counter.monitor);
      }
    }
  }

  @Benchmark
  public void sectionOfOneStore(Counter counter, Persistent persistent) {
    synchronized (counter.monitor) {
      SectionHooks.acquired(counter.monitor);
      try {
        persistent.store(persistent.word, ++counter.count);
      } finally {
        SectionHooks.releasing(counter.monitor);
      }
    }
  }

  @Benchmark
  public void sectionOfTwoStores(Counter counter, Persistent persistent) {
    synchronized (counter.monitor) {
      SectionHooks.acquired(counter.monitor);
      try {
        persistent.store(persistent.word, ++counter.count);
        persistent.store(persistent.otherLine, counter.count);
      } finally {
        SectionHooks.releasing(counter.monitor);
      }
    }
  }

  @Benchmark
  public void nestedSection(Counter counter, Persistent persistent) {
    synchronized (counter.monitor) {
      SectionHooks.acquired(counter.monitor);
      try {
        persistent.store(persistent.word, ++counter.count);
        passThrough(counter.inner);
        persistent.store(persistent.otherLine, counter.count);
      } finally {
        SectionHooks.releasing(counter.monitor);
      }
    }
  }

  private static void passThrough(Object lock) {
    synchronized (lock) {
      SectionHooks.acquired(lock);
      SectionHooks.releasing(lock);
    }
  }

  @Benchmark
  @Threads(2)
  public void twoThreadsIncrement(Counter counter) {
    synchronizedIncrement(counter);
  }

  @Benchmark
  @Threads(1)
  public void oneThread(Counter counter, Persistent persistent) {
    sectionOfOneStore(counter, persistent);
  }

  @Benchmark
  @Threads(2)
  public void twoThreads(Counter counter, Persistent persistent) {
    sectionOfOneStore(counter, persistent);
  }
}
