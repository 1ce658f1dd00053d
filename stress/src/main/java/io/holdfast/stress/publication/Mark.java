package io.holdfast.stress.publication;

/// A volatile flag that the agent does not weave, so that it hands nothing on from section to
/// section.
public final class Mark {
  private volatile int set;

  public void set() {
    set = 1;
  }

  /// 1 if it is set.
  public int get() {
    return set;
  }
}
