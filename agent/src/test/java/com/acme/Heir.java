package com.acme;

/// Has volatile fields of its own, and others that it inherits.
public class Heir extends HandOvers {
  private final Runnable outer;
  private volatile String name = "heir";

  public Heir(Runnable outer) {
    this.outer = outer;
  }

  public int inherited() {
    return number;
  }

  public void setInherited(Object value) {
    reference = value;
  }

  public static int inheritedStatic() {
    return shared;
  }

  public String name() {
    outer.run();
    return name;
  }

  /// Assigns a volatile field before its constructor calls another.
  public final class Inner {
    private volatile int early;

    public Inner(int early) {
      this.early = early;
      super();
    }

    public int early() {
      return early;
    }
  }
}
