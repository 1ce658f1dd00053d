package io.holdfast.stress.workload;

import io.holdfast.stress.kill.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;

/// What the threads of the workers have acknowledged: of each thread the last number.
///
/// Confined to a thread.
final class Acknowledgements {
  private final List<Long> last = new ArrayList<>();

  void set(int thread, long number) {
    while (last.size() <= thread) {
      last.add(0L);
    }
    last.set(thread, number);
  }

  /// How many threads have acknowledged something.
  int threads() {
    return last.size();
  }

  /// Of a thread.
  long of(int thread) {
    return last.get(thread);
  }

  /// Checks that all transfers are there that were acknowledged.
  ///
  /// @param count how many of a thread's are there
  void checkTransfers(IntToLongFunction count) {
    for (int thread = 0; thread < threads(); thread++) {
      long found = count.applyAsLong(thread);
      Violation.unless(
          found >= of(thread),
          "P6 acknowledged: transfers are gone: thread=%d, found=%d, acknowledged=%d",
          thread,
          found,
          of(thread));
    }
  }
}
