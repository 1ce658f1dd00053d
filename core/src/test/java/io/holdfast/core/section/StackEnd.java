package io.holdfast.core.section;

import java.util.concurrent.atomic.AtomicReference;

/// Runs something where a thread's stack is all but used up, so that a {@link StackOverflowError}
/// comes at one of its calls: a real one, with what the JVM does besides.
final class StackEnd {
  /// Small, so that the way down is short.
  private static final long STACK_BYTES = 256 << 10;

  private int deepest;

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
    deepest = 0;
    try {
      measure(0);
    } catch (StackOverflowError e) {
      // So deep it is.
    }
    try {
      descend(deepest - frames, action);
      return null;
    } catch (StackOverflowError e) {
      return e;
    }
  }

  private void measure(int depth) {
    deepest = depth;
    measure(depth + 1);
  }

  private void descend(int depth, Action action) {
    if (depth <= 0) {
      action.run();
    } else {
      descend(depth - 1, action);
    }
  }
}
