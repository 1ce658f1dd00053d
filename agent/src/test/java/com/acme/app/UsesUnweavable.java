package com.acme.app;

/// Uses a class that does not run.
public class UsesUnweavable {
  public static void main(String[] arguments) {
    try {
      System.out.println(Unweavable.greet());
    } catch (LinkageError e) {
      System.out.println("refused: " + e.getMessage());
    }
  }
}
