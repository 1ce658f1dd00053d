package io.holdfast.stress.workload;

import java.util.ArrayList;
import java.util.List;

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
}
