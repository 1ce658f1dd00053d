package io.holdfast.stress.workload;

/// {@link KeyedChanges} of many keys: the index splits, and the file grows under the threads.
public final class GrowingChanges extends HashMapChanges {
  public GrowingChanges() {
    super(100_000, 100);
  }

  @Override
  public String name() {
    return "map-growing";
  }

  @Override
  public int killsPerStore() {
    return 8;
  }
}
