package io.holdfast.stress.failures;

import java.util.stream.Stream;

/// What woven code calls at each place where it could fail. It fails at the N-th place that the
/// armed thread comes to, and at those after it that {@link Injection} says.
///
/// One thread is armed at a time. Others pass by: they read one field.
public final class Trap {
  static final String INJECTED = "injected";

  private static final StackWalker STACK = StackWalker.getInstance();

  /// Whose places are counted; all other threads compare it to themselves.
  private static volatile Thread armed;

  private static Injection injection;
  private static long left;
  private static boolean paused;
  private static volatile Throwable first;
  private static long depth;

  /// Counts a thread's places from now on.
  ///
  /// @param n the place that fails, from 1
  static void arm(Thread victim, Injection what, long n) {
    injection = what;
    left = n;
    first = null;
    paused = false;
    armed = victim;
  }

  static void disarm() {
    armed = null;
  }

  /// Runs what is no part of the operation that is tried.
  static void outside(Runnable action) {
    if (Thread.currentThread() != armed) {
      action.run();
      return;
    }
    boolean before = paused;
    paused = true;
    try {
      action.run();
    } finally {
      paused = before;
    }
  }

  /// The failure that was injected first; `null` if the operation has fewer places.
  static Throwable first() {
    return first;
  }

  /// An allocation, or a call that may make one.
  public static void allocation() {
    if (Thread.currentThread() == armed && injection.place() == Injection.Place.ALLOCATION) {
      count();
    }
  }

  /// What is linked at its first use.
  public static void link() {
    if (Thread.currentThread() == armed && injection.place() == Injection.Place.LINK) {
      count();
    }
  }

  /// The entry of a method.
  public static void frame() {
    if (Thread.currentThread() == armed && injection.place() == Injection.Place.FRAME) {
      countFrame(0);
    }
  }

  /// A call to the JDK, whose frame would be one deeper.
  public static void call() {
    if (Thread.currentThread() == armed && injection.place() == Injection.Place.FRAME) {
      countFrame(1);
    }
  }

  /// A call that throws an IOException.
  public static void file() {
    if (Thread.currentThread() == armed && injection.place() == Injection.Place.FILE) {
      count();
    }
  }

  /// A call that throws it wrapped: {@link java.lang.foreign.MemorySegment#force}.
  public static void force() {
    if (Thread.currentThread() == armed && injection.place() == Injection.Place.FILE) {
      try {
        count();
      } catch (Throwable e) {
        throw new java.io.UncheckedIOException((java.io.IOException) e);
      }
    }
  }

  private static void count() {
    if (!paused && (--left == 0 || left < 0 && injection.lasts())) {
      fail();
    }
  }

  private static void countFrame(int deeper) {
    if (paused) {
      return;
    }
    if (--left == 0) {
      depth = depth() + deeper;
      fail();
    } else if (left < 0 && injection.lasts() && depth() + deeper >= depth) {
      fail();
    }
  }

  private static long depth() {
    return STACK.walk(Stream::count);
  }

  private static void fail() {
    Throwable failure = injection.failure();
    if (first == null) {
      first = failure;
    }
    throw Trap.<RuntimeException>unchecked(failure);
  }

  @SuppressWarnings("unchecked") // the cast is none at run time
  private static <E extends Throwable> E unchecked(Throwable failure) throws E {
    throw (E) failure;
  }

  private Trap() {}
}
