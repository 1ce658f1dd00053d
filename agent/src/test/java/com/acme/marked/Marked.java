package com.acme.marked;

import io.holdfast.FailureAtomic;
import io.holdfast.NotFailureAtomic;
import io.holdfast.core.section.hooks.SectionHooks;

/// Run in a JVM of its own: which of its methods are sections, by their annotations.
public class Marked {
  public static void main(String[] arguments) {
    new Marked().atomic();
    loop();
    Whole.method();
  }

  @FailureAtomic
  void atomic() {
    say("atomic");
  }

  @NotFailureAtomic
  static synchronized void loop() {
    say("loop");
    method();
  }

  static synchronized void method() {
    say("method");
  }

  private static void say(String where) {
    System.out.println(where + " " + SectionHooks.inSection());
  }

  /// All of it is left out.
  @NotFailureAtomic
  static class Whole {
    static synchronized void method() {
      say("class");
    }
  }
}
