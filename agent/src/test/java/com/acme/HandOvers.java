package com.acme;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/// What threads hand to each other without locks. Woven by the tests; knows nothing of sections.
public class HandOvers {
  private static final VarHandle NUMBER = handle("number", false);
  private static final VarHandle SHARED = handle("shared", true);
  private static final AtomicLongFieldUpdater<HandOvers> LARGE =
      AtomicLongFieldUpdater.newUpdater(HandOvers.class, "large");

  public static volatile int shared;

  public volatile int number;
  public volatile long large;
  public volatile Object reference;
  public int plain;

  private static VarHandle handle(String field, boolean isStatic) {
    try {
      return isStatic
          ? MethodHandles.lookup().findStaticVarHandle(HandOvers.class, field, int.class)
          : MethodHandles.lookup().findVarHandle(HandOvers.class, field, int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  public void setNumber(int value) {
    number = value;
  }

  public int getNumber() {
    return number;
  }

  public void setLarge(long value) {
    large = value;
  }

  public long getLarge() {
    return large;
  }

  public static void setShared(int value) {
    shared = value;
  }

  public static int getShared() {
    return shared;
  }

  public int count() {
    return number++;
  }

  public int getPlain() {
    return plain;
  }

  public int increment(AtomicInteger counter) {
    return counter.incrementAndGet();
  }

  public boolean compareAndSet(AtomicReference<Object> held, Object before, Object after) {
    return held.compareAndSet(before, after);
  }

  public void lazily(AtomicLong value, long after) {
    value.lazySet(after);
  }

  public int inArray(AtomicIntegerArray array, int index) {
    return array.getAndAdd(index, 2);
  }

  public long updated(long more) {
    return LARGE.addAndGet(this, more);
  }

  public void setRelease(int value) {
    NUMBER.setRelease(this, value);
  }

  public int getAcquire() {
    return (int) NUMBER.getAcquire(this);
  }

  public boolean compareAndSetNumber(int before, int after) {
    return NUMBER.compareAndSet(this, before, after);
  }

  public void setSharedByHandle(int value) {
    SHARED.setVolatile(value);
  }

  public int getSharedByHandle() {
    return (int) SHARED.getVolatile();
  }

  public int opaque() {
    return (int) NUMBER.getOpaque(this);
  }

  public <E> void put(BlockingQueue<E> queue, E element) throws InterruptedException {
    queue.put(element);
  }

  public <E> E take(BlockingQueue<E> queue) throws InterruptedException {
    return queue.take();
  }

  public <K, V> V put(ConcurrentMap<K, V> map, K key, V value) {
    return map.put(key, value);
  }

  public void countDown(CountDownLatch latch) {
    latch.countDown();
  }

  public void await(CountDownLatch latch) throws InterruptedException {
    latch.await();
  }

  public void release(Semaphore semaphore) {
    semaphore.release(2);
  }

  public int byReference(AtomicInteger counter) {
    IntSupplier next = counter::incrementAndGet;
    return next.getAsInt();
  }

  public <E> E polled(BlockingQueue<E> queue) {
    Supplier<E> poll = queue::poll;
    return poll.get();
  }

  public void start(Thread thread) {
    thread.start();
  }

  public void join(Thread thread) throws InterruptedException {
    thread.join();
  }
}
