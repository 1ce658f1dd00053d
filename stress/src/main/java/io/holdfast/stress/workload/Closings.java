package io.holdfast.stress.workload;

import io.holdfast.core.StoreClosedException;
import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Worker;

/// {@link AtomicTransfer} in a store that one of the threads closes after some transfers, while the
/// others are in the middle of theirs; then it is opened again. Killed late: while it is closed.
///
/// A section that closing has cut off is undone by the next opening, as after a crash; so nothing
/// else is checked than there.
public final class Closings extends AtomicTransfer {
  private static final int CLOSER = 0;

  private volatile boolean closes;

  public Closings() {
    super(new Shape(100, 4, 0));
  }

  @Override
  String style() {
    return "closings";
  }

  @Override
  public void setUp(Worker worker) {
    closes = false;
    super.setUp(worker);
  }

  @Override
  public void work(Worker worker, int thread) {
    if (thread == CLOSER) {
      transfer(worker, thread, 10);
      closes = true;
      worker.close();
      return;
    }
    try {
      super.work(worker, thread);
    } catch (StoreClosedException e) {
      if (!closes) {
        throw e;
      }
    }
  }

  @Override
  public boolean reopens() {
    return true;
  }

  @Override
  public KillTiming timing() {
    return KillTiming.LATE;
  }
}
