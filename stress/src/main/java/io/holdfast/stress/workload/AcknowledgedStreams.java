package io.holdfast.stress.workload;

/// {@link Stream} of small items, most of which are taken again: blocks come and go.
public final class AcknowledgedStreams extends Stream {
  public AcknowledgedStreams() {
    super(60, 9);
  }

  @Override
  public String name() {
    return "streams";
  }
}
