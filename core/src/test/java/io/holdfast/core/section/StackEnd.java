package io.holdfast.core.section;

import java.util.concurrent.atomic.AtomicReference;

/// Runs something where a thread's stack is all but used up, so that a {@link StackOverflowError}
/// comes at one of its calls: a real one, with what the JVM does besides.
final class StackEnd {
  /// Small, so that the way down is short.
  private static final long STACK_BYTES = 256 << 10;

  /// How many frames were still to come when the last one was entered.
  private int left;

  interface Action {
    void run();
  }

  /// Runs an action in a thread of its own, as on a stack that has room for so many more frames.
  static void inThread(Action action) throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                action.run();
              } catch (Throwable e) {
                thrown.set(e);
              }
            },
            "stack-end",
            STACK_BYTES);
    thread.start();
    thread.join();
    if (thrown.get() != null) {
      throw new AssertionError(thrown.get());
    }
  }

  /// Runs an action where the stack has room for some more frames of this class.
  ///
  /// @return the error that left it; `null` if there was none
  StackOverflowError runAbove(int frames, Action action) {
    try {
      descend(Integer.MAX_VALUE, action);
    } catch (StackOverflowError e) {
      // So deep it is.
    }
    try {
      descend(Integer.MAX_VALUE - left - frames, action);
      return null;
    } catch (StackOverflowError e) {
      return e;
    }
  }

  private void descend(int depth, Action action) {
    left = depth;
    if (depth <= 0) {
      action.run();
    } else {
      descend(depth - 1, action);
    }
  }
}
