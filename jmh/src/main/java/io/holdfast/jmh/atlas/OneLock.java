package io.holdfast.jmh.atlas;

import io.holdfast.jmh.map.Draws;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.CompilerControl.Mode;

/// A program of one thread whose every operation is a section under one lock: the micro-benchmarks
/// of the thesis (Table 4.2) and its transactions (Table 5.4), which say what a section stores.
///
/// The draws are not part of the data: a program that is opened again draws the same again.
public abstract class OneLock extends Program {
  /// Size of an entry, a node or a row's page: the thesis's small data set.
  static final int ENTRY_BYTES = 512;

  /// The function that every program has.
  static final String CHANGE = "change";

  static final int ENTRY_WORDS = ENTRY_BYTES / Long.BYTES;

  private final Object lock = new Object();
  private final Draws draws = new Draws(1);

  OneLock(ProgramMemory memory) {
    super(memory);
  }

  /// The operation that a drawn number stands for; the lock is held.
  abstract void change(long draw);

  @Override
  public final int threads() {
    return 1;
  }

  @Override
  public final void run(int thread, int operations) {
    for (int i = 0; i < operations; i++) {
      operate(draws.next());
    }
  }

  /// The operation that a number stands for, as a section.
  @CompilerControl(Mode.DONT_INLINE)
  public final void operate(long draw) {
    section(CHANGE, draw);
  }

  /// Executes again the operation that a crash has interrupted, if sections are not undone.
  public final void resume() {
    memory.resume(this::section);
  }

  /// Calls a function by its name; the lock is held.
  void call(String function, long argument) {
    if (!function.equals(CHANGE)) {
      throw new IllegalStateException(
          "%s has no function \"%s\" that could be executed again: open the file with the version of the program that has one"
              .formatted(getClass().getSimpleName(), function));
    }
    change(argument);
  }

  /// Runs a function as a section.
  final void section(String function, long argument) {
    synchronized (lock) {
      memory.acquired(lock);
      try {
        memory.starting(function, argument);
        call(function, argument);
      } finally {
        memory.releasing(lock);
      }
    }
  }

  /// A number from 0 on that a draw stands for.
  static int below(long draw, int bound) {
    return (int) Math.unsignedMultiplyHigh(draw * 0x9E3779B97F4A7C15L, bound);
  }
}
