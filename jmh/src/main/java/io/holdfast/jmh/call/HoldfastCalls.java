package io.holdfast.jmh.call;

import io.holdfast.Holdfast;
import io.holdfast.Resumable;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;

/// By {@link Resumable#submit}.
final class HoldfastCalls implements Calls {
  private final LongAdder made = new LongAdder();
  private final Holdfast store;
  private final Resumable<Long, Void> count;

  HoldfastCalls(Path directory) {
    store = Holdfast.open(directory.resolve("calls.hf"));
    count = store.resumable("count", Long.class, _ -> made.increment());
  }

  @Override
  public void submit(long number) {
    count.submit(number);
  }

  @Override
  public long made() {
    return made.sum();
  }

  @Override
  public void close() {
    store.close();
  }
}
