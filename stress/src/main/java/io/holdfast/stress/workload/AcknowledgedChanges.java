package io.holdfast.stress.workload;

/// {@link KeyedChanges} of few keys: slots of all sizes come and go.
public class AcknowledgedChanges extends HashMapChanges {
  public AcknowledgedChanges() {
    super(40, 1_500);
  }

  @Override
  public String name() {
    return "map";
  }
}
