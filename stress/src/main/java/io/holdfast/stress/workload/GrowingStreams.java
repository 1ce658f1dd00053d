package io.holdfast.stress.workload;

/// {@link Stream} of larger items, few of which are taken: the file grows under the threads.
public final class GrowingStreams extends Stream {
  public GrowingStreams() {
    super(3_000, 1);
  }

  @Override
  public String name() {
    return "growing";
  }

  @Override
  public int killsPerStore() {
    return 8;
  }
}
