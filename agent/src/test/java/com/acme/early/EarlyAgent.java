package com.acme.early;

/// Another agent, which loads a class of the program before Holdfast's agent starts.
public class EarlyAgent {
  public static void premain(String className) throws ClassNotFoundException {
    Class.forName(className);
  }
}
