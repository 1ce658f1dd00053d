package com.acme;

/// Calls {@link Object#wait()}.
public class Waiter {
  public synchronized void pause() throws InterruptedException {
    wait(1);
  }
}
