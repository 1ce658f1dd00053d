package com.acme;

/// Has nothing to weave.
public class Unlocked {
  public static int twice(int x) {
    return 2 * x;
  }
}
