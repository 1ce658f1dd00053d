package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// A worker as its workload sees it.
///
/// Thread-safe.
public final class Worker {
  private final FileOutputStream toParent = new FileOutputStream(FileDescriptor.out);
  private final int threads;
  private final int life;
  private final long seed;
  private final Map<String, String> parameters;
  private final Board board;
  private volatile Holdfast store;

  Worker(int threads, int life, long seed, Map<String, String> parameters, Board board) {
    this.threads = threads;
    this.life = life;
    this.seed = seed;
    this.parameters = Map.copyOf(parameters);
    this.board = board;
  }

  /// The open store.
  public Holdfast store() {
    return store;
  }

  void opened(Holdfast opened) {
    this.store = opened;
  }

  /// How many threads work.
  public int threads() {
    return threads;
  }

  /// Which worker of its loop this is, from 0.
  public int life() {
    return life;
  }

  /// A parameter that the parent gave.
  ///
  /// @throws IllegalArgumentException if it did not
  public String parameter(String name) {
    String value = parameters.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the worker lacks a parameter: name=" + name);
    }
    return value;
  }

  /// Random numbers for one thread; the same for the same seed, life and thread.
  public RandomGenerator random(int thread) {
    return new SplittableRandom(seed * 31 + life * 1_000_003L + thread);
  }

  /// Tells the parent that something is durable: if it is not there after the kill, that is a
  /// violation of P6.
  public void acknowledge(int channel, long number) {
    send(new Message(channel, number));
  }

  /// Runs a section without a lock, and marks its end: where a kill strikes that is otherwise taken
  /// for a strike at work.
  public void atomically(int thread, Runnable action) {
    store.atomically(
        () -> {
          action.run();
          board.enter(thread, Activity.COMMITTING);
        });
    board.leave(thread);
  }

  /// Runs something, and marks it.
  public void marking(int thread, Activity activity, Runnable action) {
    board.enter(thread, activity);
    action.run();
    board.leave(thread);
  }

  /// Closes the store while other threads work on it.
  public void close() {
    enter(Stage.CLOSING);
    store.close();
  }

  void enter(Stage stage) {
    send(new Message(Message.STAGE, stage.ordinal()));
  }

  private void send(Message message) {
    try {
      message.writeTo(toParent);
    } catch (IOException e) {
      throw new UncheckedIOException("the parent does not listen any more", e);
    }
  }
}
