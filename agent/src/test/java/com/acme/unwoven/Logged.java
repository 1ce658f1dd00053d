package com.acme.unwoven;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// Counts what is logged, after it was printed.
public class Logged extends Handler {
  private int warnings;
  private boolean isToldWhatIsWoven;

  /// Is told of each record, after those who print it.
  public static Logged fromNowOn() {
    Logger root = Logger.getLogger("");
    if (root.getHandlers().length == 0) {
      throw new IllegalStateException("nobody prints what is logged");
    }
    Logged logged = new Logged();
    root.addHandler(logged);
    return logged;
  }

  @Override
  public synchronized void publish(LogRecord each) {
    warnings += each.getLevel() == Level.WARNING ? 1 : 0;
    isToldWhatIsWoven |= each.getMessage().startsWith("woven so far: ");
    notifyAll();
  }

  /// Waits for so many warnings, and for what the agent has woven if that is wanted.
  public synchronized void await(int warningsMin, boolean woven) throws InterruptedException {
    while (warnings < warningsMin || woven && !isToldWhatIsWoven) {
      wait();
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
