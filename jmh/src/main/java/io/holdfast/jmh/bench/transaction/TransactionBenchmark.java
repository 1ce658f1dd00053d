package io.holdfast.jmh.bench.transaction;

import io.holdfast.jmh.map.Accounts;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.Transfers;
import io.holdfast.jmh.process.ComparedProcess;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.suite.Experiment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/// A transfer reads two accounts and writes both. Each thread has one half of the accounts, also if
/// it is alone, and draws both of them uniformly: no two threads ever have one in common.
///
/// A time is that of a transfer of one thread: with two threads and two idle cores, what it is with
/// one if nobody is in the other's way.
///
/// It warms up for longer than other comparisons. A transfer is compiled in methods that take the
/// compiler up to 1.5 s each, some of them anew when a rare branch is met. On two cores the
/// compiler gets what two threads leave it: they took 13 s to their lasting time, beside other
/// load, one thread 4 s.
@Warmup(iterations = 20, time = 1)
@Experiment(
    question = "what does a transfer between two accounts of one hash map take?",
    floor =
        "the same in `atomically` under one lock (`HoldfastUnderLock`), where one thread is in"
            + " nobody's way",
    variables =
        "what makes it atomic and isolated: `transaction` (`Holdfast`), `atomically` under a"
            + " `ReentrantLock`, a `DurableLock`, a transaction of a peer; one thread, or two on"
            + " different accounts")
public class TransactionBenchmark extends ComparedProcess {
  @Param({"Holdfast", "HoldfastUnderLock", "HoldfastUnderDurableLock", "MVStore", "RocksDB"})
  public String map;

  @Param("100000")
  public int entries;

  private Scratch scratch;
  private Transfers accounts;

  @Setup
  public void open() {
    scratch = new Scratch();
    accounts = Accounts.create(map, scratch.directory(), entries);
  }

  /// @throws IllegalStateException if something was lost on the way
  @TearDown
  public void close() {
    long total = accounts.total();
    accounts.close();
    scratch.close();
    if (total != 0) {
      throw new IllegalStateException("total=%d, expected=0".formatted(total));
    }
  }

  /// A thread, and its half.
  @State(Scope.Thread)
  public static class Worker {
    private Draws draws;
    private long first;
    private long count;

    @Setup
    public void divide(TransactionBenchmark benchmark, ThreadParams thread) {
      draws = new Draws(thread.getThreadIndex());
      count = benchmark.entries / 2;
      first = thread.getThreadIndex() * count;
    }

    private long account() {
      return first + draws.item(count);
    }
  }

  @Benchmark
  @Threads(1)
  public void oneThread(Worker worker) {
    accounts.transfer(worker.account(), worker.account(), 1);
  }

  @Benchmark
  @Threads(2)
  public void twoThreads(Worker worker) {
    oneThread(worker);
  }
}
