package com.acme.plugin;

import java.util.function.BooleanSupplier;

/// Runs in a class loader that knows the JDK alone.
public class Plugin implements Runnable {
  private final BooleanSupplier inSection;

  public Plugin(BooleanSupplier inSection) {
    this.inSection = inSection;
  }

  @Override
  public synchronized void run() {
    System.out.println(
        "plugin of " + getClass().getClassLoader().getName() + " " + inSection.getAsBoolean());
  }
}
