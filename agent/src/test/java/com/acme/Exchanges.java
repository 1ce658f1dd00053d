package com.acme;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.Collection;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Vector;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Phaser;
import java.util.concurrent.TransferQueue;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.function.BiFunction;

/// Calls by which threads hand something over, each in a method. Woven by the tests.
public class Exchanges {
  public int arrive(Phaser phaser) {
    return phaser.arrive();
  }

  public void terminate(Phaser phaser) {
    phaser.forceTermination();
  }

  public int register(Phaser phaser) {
    return phaser.register();
  }

  public int phase(Phaser phaser) {
    return phaser.getPhase();
  }

  public boolean isTerminated(Phaser phaser) {
    return phaser.isTerminated();
  }

  public boolean put(BlockingQueue<String> queue) throws InterruptedException {
    queue.put("element");
    return true;
  }

  public String take(BlockingQueue<String> queue) throws InterruptedException {
    return queue.take();
  }

  public String poll(BlockingQueue<String> queue) {
    return queue.poll();
  }

  public int room(BlockingQueue<String> queue) {
    return queue.remainingCapacity();
  }

  public boolean hasWaiting(TransferQueue<String> queue) {
    return queue.hasWaitingConsumer();
  }

  public boolean add(ConcurrentHashMap.KeySetView<String, Boolean> set) {
    return set.add("key");
  }

  public boolean contains(ConcurrentHashMap.KeySetView<String, Boolean> set) {
    return set.contains("key");
  }

  public void run(FutureTask<String> task) {
    task.run();
  }

  public String get(Future<String> future) throws InterruptedException, ExecutionException {
    return future.get();
  }

  public boolean fail(CompletableFuture<String> future) {
    return future.completeExceptionally(new IllegalStateException());
  }

  public void breaks(CyclicBarrier barrier) throws BrokenBarrierException {
    Thread.currentThread().interrupt();
    try {
      barrier.await();
    } catch (InterruptedException e) {
      // as meant
    }
  }

  public String failureOfGet(Future<String> future) {
    try {
      future.get();
      return "none";
    } catch (Exception e) {
      return "failed";
    }
  }

  public String failureOfJoin(CompletableFuture<?> future) {
    try {
      future.join();
      return "none";
    } catch (CompletionException e) {
      return "failed";
    }
  }

  public String failureOfGetInABlock(Future<String> future) {
    synchronized (this) {
      try {
        return future.get();
      } catch (ExecutionException e) {
        return "failed";
      } catch (InterruptedException e) {
        return "interrupted";
      } finally {
        Thread.interrupted();
      }
    }
  }

  public String failureOfAwait(CyclicBarrier barrier) {
    try {
      barrier.await();
      return "none";
    } catch (Exception e) {
      return "failed";
    }
  }

  public Future.State state(Future<String> future) {
    return future.state();
  }

  public boolean complete(CompletableFuture<String> future) {
    return future.complete("result");
  }

  public Object join(CompletableFuture<?> future) {
    return future.join();
  }

  public void addElement(Vector<String> vector) {
    vector.addElement("element");
  }

  public String firstElement(Vector<String> vector) {
    return vector.firstElement();
  }

  public String put(Hashtable<String, String> table) {
    return table.put("key", "value");
  }

  public String get(Hashtable<String, String> table) {
    return table.get("key");
  }

  public boolean addTo(Collection<String> collection) {
    return collection.add("element");
  }

  public String firstOf(List<String> list) {
    return list.get(0);
  }

  public boolean isEmpty(Collection<String> collection) {
    return collection.isEmpty();
  }

  public String putInto(Map<String, String> map) {
    return map.put("key", "value");
  }

  public String getFrom(Map<String, String> map) {
    return map.get("key");
  }

  public String pollFrom(Queue<String> queue) {
    return queue.poll();
  }

  public void putByReference(Map<String, String> map) {
    BiFunction<String, String, String> put = map::put;
    put.apply("key", "value");
  }

  public String getLocked(Map<String, String> map) {
    synchronized (map) {
      return map.get("key");
    }
  }

  public StringBuffer append(StringBuffer buffer) {
    return buffer.append('a').append("b");
  }

  public String toString(StringBuffer buffer) {
    return buffer.toString();
  }

  public void write(PipedOutputStream out) throws IOException {
    out.write(1);
  }

  public int read(PipedInputStream in) throws IOException {
    return in.read();
  }

  /// A thread that others tell something by a field of its own.
  public static class Worker extends Thread {
    private volatile boolean asked;
  }

  public Worker worker() {
    return new Worker();
  }

  public void ask(Worker worker) {
    worker.asked = true;
  }

  public boolean isAsked(Worker worker) {
    return worker.asked;
  }

  public int reduced(ConcurrentHashMap<String, String> map) {
    return map.reduceValuesToInt(1, String::length, 0, Integer::sum);
  }

  public String described(ConcurrentHashMap<String, String> map) {
    return map.toString();
  }

  public boolean equalsIt(ConcurrentHashMap<String, String> map) {
    return map.equals(Map.of("key", "value"));
  }

  public String firstKeyOfAView(ConcurrentSkipListMap<String, String> map) {
    return map.headMap("z").firstKey();
  }

  public int lastIndexOf(CopyOnWriteArrayList<String> list) {
    return list.lastIndexOf("element");
  }

  public void completes(ForkJoinTask<String> task) {
    task.complete("result");
  }

  public String rawResult(ForkJoinTask<String> task) {
    return task.isCompletedNormally() ? task.getRawResult() : null;
  }

  /// A state of 64 bits.
  @SuppressWarnings("serial") // it is not serialized
  public static class Flag extends AbstractQueuedLongSynchronizer {
    private void set() {
      setState(1);
    }

    private long get() {
      return getState();
    }
  }

  public Flag flag() {
    return new Flag();
  }

  public void set(Flag flag) {
    flag.set();
  }

  public long get(Flag flag) {
    return flag.get();
  }

  /// What another object's constructor may assign.
  public static class Board {
    private volatile String note;
  }

  /// One that assigns another object's field before it calls another constructor.
  private static final class Writer extends Exchanges {
    private Writer(Board board) {
      board.note = "written";
      super();
    }
  }

  public Board board() {
    return new Board();
  }

  public void construct(Board board) {
    new Writer(board);
  }

  public String noted(Board board) {
    return board.note;
  }
}
