package com.acme.app;

/// Can't be woven: the JVM takes this lock, and there is no body to put hooks into.
public class Unweavable {
  public static final String CONSTANT = String.valueOf("initialized");

  public static String greet() {
    return "running";
  }

  public static synchronized native void lockedByTheJvm();
}
