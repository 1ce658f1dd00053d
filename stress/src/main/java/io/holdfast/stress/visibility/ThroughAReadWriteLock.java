package io.holdfast.stress.visibility;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// A section under a monitor, which gives up a write lock and goes on, beside a reader, as the
/// agent weaves them.
@JCStressTest
@JCStressMeta(OpenSection.class)
@State
public class ThroughAReadWriteLock extends OpenSection {
  private final ReadWriteLock inner = new ReentrantReadWriteLock();
  private int shown;

  @Override
  void release() {
    inner.writeLock().lock();
    try {
      shown = 1;
    } finally {
      inner.writeLock().unlock();
    }
  }

  @Override
  int acquire() {
    inner.readLock().lock();
    try {
      return shown;
    } finally {
      inner.readLock().unlock();
    }
  }

  @Actor
  public void section() {
    inSection();
  }

  @Actor
  public void other(III_Result result) {
    look(result);
  }

  /// After both.
  @Arbiter
  public void giveBack() {
    forget();
  }
}
