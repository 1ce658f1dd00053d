package com.acme.start;

/// A program that does nothing.
public class Idle {
  public static void main(String[] arguments) {}
}
