package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.stress.kill.Activity;
import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import java.util.Arrays;

/// {@link Stream} beside a thread that makes the file grow and gives its end back, again and again.
///
/// Checked besides: what the file grew for is whole, and is not there twice.
public final class Breathing extends Stream {
  private static final int BREATHER = 0;
  private static final int BREATH = 2;

  /// More than a file has room for that has just been trimmed.
  private static final int BYTES = 3 << 20;

  public Breathing() {
    super(60, 9);
  }

  @Override
  public String name() {
    return "breathing";
  }

  private static PersistentQueue<byte[]> breaths(Holdfast store) {
    return store.queue("breaths", byte[].class);
  }

  @Override
  public void work(Worker worker, int thread) {
    if (thread != BREATHER) {
      super.work(worker, thread);
      return;
    }
    PersistentQueue<byte[]> breaths = breaths(worker.store());
    while (true) {
      byte[] next = new byte[BYTES];
      Arrays.fill(next, (byte) (breaths.size() + 1));
      worker.marking(thread, Activity.GROWING, () -> breaths.add(next));
      if (breaths.size() == BREATH) {
        worker.atomically(thread, breaths::clear);
        worker.marking(thread, Activity.TRIMMING, worker.store()::trim);
      }
    }
  }

  @Override
  public KillTiming timing() {
    return KillTiming.ACKNOWLEDGED_WORK;
  }

  @Override
  public void check(Holdfast store, int lives) {
    super.check(store, lives);
    int expected = 1;
    for (byte[] found : breaths(store)) {
      for (byte each : found) {
        Violation.unless(
            each == expected,
            "P6 acknowledged: what the file grew for: expected=%d, found=%d",
            expected,
            each);
      }
      expected++;
    }
  }
}
