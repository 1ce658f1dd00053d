package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import io.holdfast.collections.Due;
import io.holdfast.stress.workload.Delays;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

/// A fault: what is put off is taken out of the queue for good, and put back after others have
/// been, with no section around both.
public final class BareDelays extends Delays {
  private static final int KEPT = 8;

  private final ThreadLocal<Deque<Due<Long>>> kept = ThreadLocal.withInitial(ArrayDeque::new);

  @Override
  protected void putOff(Holdfast store, RandomGenerator random) {
    Due<Long> due = queue.poll();
    if (due != null) {
      kept.get().add(due);
    }
    if (kept.get().size() > KEPT) {
      kept.get().forEach(each -> addAgain(each, random));
      kept.get().clear();
    }
  }
}
