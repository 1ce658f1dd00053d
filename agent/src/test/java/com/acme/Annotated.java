package com.acme;

import java.util.concurrent.locks.Lock;

/// Its methods get annotations from the tests: `atomic…` is `@FailureAtomic`, `kept…`
/// `@NotFailureAtomic`.
public class Annotated {
  public void atomic(Runnable body) {
    body.run();
  }

  public static long atomicStatic(Runnable body, long value) {
    body.run();
    return value;
  }

  public synchronized void atomicSynchronized(Runnable body) {
    body.run();
  }

  public synchronized void keptOut(Object monitor, Lock lock, Runnable body)
      throws InterruptedException {
    synchronized (monitor) {
      lock.lock();
      body.run();
      lock.unlock();
      monitor.wait(1);
    }
  }

  public synchronized void woven(Runnable body) {
    body.run();
  }
}
