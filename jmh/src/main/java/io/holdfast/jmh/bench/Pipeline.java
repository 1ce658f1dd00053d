package io.holdfast.jmh.bench;

import io.holdfast.jmh.atlas.Crew;
import io.holdfast.jmh.atlas.Patience;
import io.holdfast.jmh.queue.BenchmarkQueue;

/// Threads that add elements to a queue, and as many that take them out.
///
/// A consumer takes as many as a producer adds: so it knows when it is through.
record Pipeline(BenchmarkQueue queue, int pairs) implements Crew.Work {
  @Override
  public int threads() {
    return 2 * pairs;
  }

  @Override
  public void run(int thread, int elements) {
    int own = elements / pairs;
    BenchmarkQueue.Access access = queue.access();
    if (thread < pairs) {
      Elements made = new Elements();
      for (int i = 0; i < own; i++) {
        access.offer(made.fresh());
      }
    } else {
      for (int i = 0; i < own; i++) {
        byte[] element = access.poll();
        for (Patience patience = new Patience(); element == null; element = access.poll()) {
          patience.wear();
        }
        if (element.length != Elements.BYTES) {
          throw new IllegalStateException("element=%d bytes".formatted(element.length));
        }
      }
    }
  }
}
