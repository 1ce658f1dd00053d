package com.acme.app;

import com.acme.app.out.Neighbour;
import io.holdfast.core.section.hooks.SectionHooks;

/// Run in a JVM of its own: prints whether its blocks are sections, one line for each.
public class Main {
  public static void main(String[] arguments) {
    Object lock = new Object();
    say("before");
    synchronized (lock) {
      say("block");
    }
    method();
    new Nested().method();
    Neighbour.method();
    say("after");
    for (int i = 0; i < 20_000; i++) {
      nested(lock, arguments);
    }
    say("end");
  }

  private static synchronized void method() {
    say("method");
  }

  /// Hot, so that the compilers look at its locking.
  private static int nested(Object outer, Object inner) {
    synchronized (outer) {
      synchronized (inner) {
        return outer.hashCode() + inner.hashCode();
      }
    }
  }

  private static void say(String where) {
    System.out.println(where + " " + SectionHooks.inSection());
  }

  static class Nested {
    synchronized void method() {
      say("nested class");
    }
  }
}
