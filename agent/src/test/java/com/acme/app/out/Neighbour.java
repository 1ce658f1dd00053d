package com.acme.app.out;

import io.holdfast.core.section.hooks.SectionHooks;

/// Stays out of the tests' scope.
public class Neighbour {
  public static synchronized void method() {
    System.out.println("neighbour " + SectionHooks.inSection());
  }
}
