package com.acme;

import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/// Ways to start and to interrupt threads. Woven by the tests.
public class Starts {
  public Thread virtual(Runnable task) {
    return Thread.startVirtualThread(task);
  }

  public Thread ofVirtual(Runnable task) {
    return Thread.ofVirtual().name("virtual").start(task);
  }

  public Thread ofPlatform(Runnable task) {
    return Thread.ofPlatform().daemon().start(task);
  }

  public Thread byBuilder(Thread.Builder builder, Runnable task) {
    return builder.start(task);
  }

  public Thread unstarted(Runnable task) {
    Thread thread = Thread.ofVirtual().unstarted(task);
    thread.start();
    return thread;
  }

  public Thread byFactory(Runnable task) {
    ThreadFactory factory = Thread.ofPlatform().factory();
    Thread thread = factory.newThread(task);
    thread.start();
    return thread;
  }

  public Thread byReference(Runnable task) {
    Function<Runnable, Thread> start = Thread::startVirtualThread;
    return start.apply(task);
  }

  public Thread byReferenceToABuilder(Runnable task) {
    BiFunction<Thread.Builder.OfPlatform, Runnable, Thread> start = Thread.Builder::start;
    return start.apply(Thread.ofPlatform(), task);
  }

  public void interrupt(Thread thread) {
    thread.interrupt();
  }

  public boolean interrupted() {
    return Thread.interrupted();
  }

  public boolean interruptedByReference() {
    BooleanSupplier interrupted = Thread::interrupted;
    return interrupted.getAsBoolean();
  }

  public boolean isInterruptedInItsGet(Future<?> future) {
    try {
      future.get();
      return false;
    } catch (Exception e) {
      return true;
    }
  }

  public boolean isInterruptedInItsSleep() {
    try {
      Thread.sleep(1_000_000);
      return false;
    } catch (InterruptedException | IllegalStateException _) {
      return true;
    }
  }

  public boolean isInterrupted(Thread thread) {
    return thread.isInterrupted();
  }
}
