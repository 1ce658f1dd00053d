package io.holdfast.jmh.atlas;

import io.holdfast.jmh.map.Draws;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.CompilerControl.Mode;

/// A program with a lock for each of its places, of which an operation holds some: those of Gogte
/// and others ("Persistency for Synchronization-Free Regions", PLDI 2018, Table 1). Locks are taken
/// by rising place, so that threads never wait for each other in a circle.
///
/// The draws are not part of the data, as those of {@link OneLock}.
abstract class FineLocked extends Program {
  private final ReentrantLock[] locks;
  private final Draws[] draws;

  FineLocked(ProgramMemory memory, int threads, int places) {
    super(memory);
    locks = new ReentrantLock[places];
    Arrays.setAll(locks, _ -> new ReentrantLock());
    draws = new Draws[threads];
    Arrays.setAll(draws, thread -> new Draws(1 + thread));
  }

  /// The operation that a drawn number stands for.
  abstract void change(long draw);

  final void lock(int place) {
    locks[place].lock();
    memory.acquired(locks[place]);
  }

  final void unlock(int place) {
    try {
      memory.releasing(locks[place]);
    } finally {
      locks[place].unlock();
    }
  }

  @Override
  public final int threads() {
    return draws.length;
  }

  @Override
  public final void run(int thread, int operations) {
    for (int i = thread; i < operations; i += draws.length) {
      operate(draws[thread].next());
    }
  }

  /// The operation that a number stands for.
  @CompilerControl(Mode.DONT_INLINE)
  public final void operate(long draw) {
    change(draw);
  }

  @Override
  public int blocks() {
    return 1; // the root
  }
}
