package com.acme.deep;

import io.holdfast.core.section.hooks.SectionHooks;

/// Run in a JVM of its own: takes its first lock where the stack ends.
public class Deep {
  private static final Object LOCK = new Object();
  private static int taken;

  public static void main(String[] arguments) throws InterruptedException {
    Thread thread = new Thread(Deep::fall, "deep");
    thread.start();
    thread.join();
    synchronized (LOCK) {
      System.out.println("section " + SectionHooks.inSection() + " " + (taken > 0));
    }
    System.out.println("after " + SectionHooks.inSection());
  }

  /// On the way back each caller tries, with a little more room than the one that it called, until
  /// it works.
  private static void fall() {
    try {
      fall();
    } catch (StackOverflowError e) {
      take();
    }
  }

  private static void take() {
    synchronized (LOCK) {
      taken++;
    }
  }
}
