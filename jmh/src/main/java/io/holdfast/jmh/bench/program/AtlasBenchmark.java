package io.holdfast.jmh.bench.program;

import io.holdfast.jmh.atlas.AlarmClock;
import io.holdfast.jmh.atlas.ArrayStores;
import io.holdfast.jmh.atlas.CowArrayList;
import io.holdfast.jmh.atlas.CowBTree;
import io.holdfast.jmh.atlas.Dedup;
import io.holdfast.jmh.atlas.LruCache;
import io.holdfast.jmh.atlas.Program;
import io.holdfast.jmh.atlas.ProgramMemory;
import io.holdfast.jmh.atlas.ProgramMode;
import io.holdfast.jmh.atlas.SinglyLinkedList;
import io.holdfast.jmh.atlas.TwoLockQueue;
import io.holdfast.jmh.process.TimedBenchmark;
import io.holdfast.jmh.suite.Experiment;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;

/// An invocation is a whole run of the program, with all its threads, two but for the array, the
/// cache and the tree; its length is such that starting them counts for little. What an operation
/// is, the program's class says. It has to be right as well: a program checks what it sees, and its
/// invariant is looked at when the last run has ended. Modes: {@link ProgramMode}.
@Experiment(
    question =
        "how many times as long does a program of locks take when what it does under"
            + " them survives a crash? The Atlas paper's Table 1, with its own data structures"
            + " (6.2 to 6.4.5)",
    floor =
        "the same program, with the same locks and the same layout, in a mapped file"
            + " without sections (`NONE`)",
    variables = "the program; the mode, which says what is survived and when lines are flushed")
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class AtlasBenchmark extends TimedBenchmark {
  /// As in the paper: elements that go through its queue.
  private static final int ELEMENTS = 100_000;

  /// An alarm is dearer: half of those that are pending are passed when one is set.
  private static final int ALARMS = 20_000;

  /// An array is dearer still: a thousand words are copied. A chunk takes as long to hash.
  private static final int MUTATIONS = 3_000;

  /// In the paper, 99 % of what `cow_al` stores is not logged, and it has 1,200 sections for two
  /// million stores. Some 8 KiB, as much as a slab holds eight of.
  private static final int COPIED_ELEMENTS = 1_000;

  /// A program in its memory.
  public abstract static class Running extends RunningProgram {
    @Param public ProgramMode mode;

    abstract Program program(ProgramMemory memory);

    @Override
    protected final Program program(Path file) {
      return program(mode.open(file));
    }
  }

  /// {@link ArrayStores}.
  public static class RunningArray extends Running {
    @Override
    Program program(ProgramMemory memory) {
      return new ArrayStores(memory, ELEMENTS);
    }
  }

  /// {@link SinglyLinkedList}.
  public static class RunningList extends Running {
    @Override
    Program program(ProgramMemory memory) {
      return new SinglyLinkedList(memory);
    }

    @TearDown(Level.Invocation)
    public void startWithNone() {
      running.clear();
    }
  }

  /// {@link TwoLockQueue}.
  public static class RunningQueue extends Running {
    @Override
    Program program(ProgramMemory memory) {
      return new TwoLockQueue(memory);
    }
  }

  /// {@link CowArrayList}.
  public static class RunningCopies extends Running {
    @Override
    Program program(ProgramMemory memory) {
      return new CowArrayList(memory, COPIED_ELEMENTS);
    }
  }

  /// {@link Dedup}.
  public static class RunningChunks extends Running {
    @Override
    Program program(ProgramMemory memory) {
      return new Dedup(memory, 2);
    }

    @TearDown(Level.Invocation)
    public void startWithNone() {
      running.clear();
    }
  }

  /// {@link LruCache}, 5 % of the operations sets.
  public static class RunningCache5 extends Running {
    @Override
    Program program(ProgramMemory memory) {
      return new LruCache(memory, 5);
    }
  }

  /// {@link LruCache}, 50 % of the operations sets.
  public static class RunningCache50 extends Running {
    @Override
    Program program(ProgramMemory memory) {
      return new LruCache(memory, 50);
    }
  }

  /// {@link LruCache}, 95 % of the operations sets.
  public static class RunningCache95 extends Running {
    @Override
    Program program(ProgramMemory memory) {
      return new LruCache(memory, 95);
    }
  }

  /// {@link CowBTree}.
  public static class RunningTree extends Running {
    @Override
    Program program(ProgramMemory memory) {
      return new CowBTree(memory);
    }
  }

  /// {@link AlarmClock}.
  public static class RunningClock extends Running {
    @Override
    Program program(ProgramMemory memory) {
      return new AlarmClock(memory);
    }
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void arrayStores(RunningArray array) {
    array.run(ELEMENTS);
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void linkedList(RunningList list) {
    list.run(ELEMENTS);
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void queue(RunningQueue queue) {
    queue.run(ELEMENTS);
  }

  @Benchmark
  @OperationsPerInvocation(MUTATIONS)
  public void cowArrayList(RunningCopies list) {
    list.run(MUTATIONS);
  }

  @Benchmark
  @OperationsPerInvocation(MUTATIONS)
  public void dedup(RunningChunks chunks) {
    chunks.run(MUTATIONS);
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void memcached5(RunningCache5 cache) {
    cache.run(ELEMENTS);
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void memcached50(RunningCache50 cache) {
    cache.run(ELEMENTS);
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void memcached95(RunningCache95 cache) {
    cache.run(ELEMENTS);
  }

  @Benchmark
  @OperationsPerInvocation(MUTATIONS)
  public void mdb(RunningTree tree) {
    tree.run(MUTATIONS);
  }

  @Benchmark
  @OperationsPerInvocation(ALARMS)
  public void alarmClock(RunningClock clock) {
    clock.run(ALARMS);
  }
}
