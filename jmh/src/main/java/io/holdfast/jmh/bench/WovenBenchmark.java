package io.holdfast.jmh.bench;

import io.holdfast.core.section.hooks.EdgeHooks;
import io.holdfast.core.section.hooks.LockHooks;
import io.holdfast.core.section.hooks.MonitorHooks;
import io.holdfast.jmh.process.TimedBenchmark;
import io.holdfast.jmh.suite.Experiment;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// The calls that the agent weaves in are made here by hand, in the places and in the order that
/// `woven-listings.txt` of the agent's tests shows.
@Experiment(
    question = "what does code cost that is woven, and stores nothing persistent?",
    floor = "the same code as it was",
    variables =
        "a monitor, a `ReentrantLock`, a volatile read and a volatile write outside of"
            + " sections; nothing is open in any thread")
@Fork(1)
@State(Scope.Thread)
public class WovenBenchmark extends TimedBenchmark {
  private final Object monitor = new Object();
  private final ReentrantLock lock = new ReentrantLock();
  private long count;
  private volatile long published;

  @Benchmark
  public void monitorPlain() {
    synchronized (monitor) {
      count++;
    }
  }

  @Benchmark
  public void monitorWoven() {
    synchronized (monitor) {
      MonitorHooks.acquired(monitor);
      try {
        count++;
      } finally {
        MonitorHooks.releasing(monitor);
      }
    }
  }

  @Benchmark
  public void lockPlain() {
    lock.lock();
    try {
      count++;
    } finally {
      lock.unlock();
    }
  }

  @Benchmark
  public void lockWoven() {
    LockHooks.lock(lock);
    try {
      count++;
    } finally {
      LockHooks.unlock(lock);
    }
  }

  @Benchmark
  public long readPlain() {
    return published;
  }

  @Benchmark
  public long readWoven() {
    long read = published;
    EdgeHooks.read(this);
    return read;
  }

  @Benchmark
  public void writePlain() {
    published = count++;
  }

  @Benchmark
  public void writeWoven() {
    EdgeHooks.writing(this);
    published = count++;
  }
}
