package com.acme;

import java.util.function.Supplier;

/// What `synchronized` code looks like. Woven by the tests; knows nothing of sections.
public class Monitors {
  private final String name;
  private int depth;

  public Monitors(String name) {
    this.name = name;
  }

  public Monitors(Object lock, Runnable body) {
    synchronized (lock) {
      name = "constructed";
      body.run();
    }
  }

  public void block(Object lock, Runnable body) {
    synchronized (lock) {
      body.run();
    }
  }

  public void nested(Object outer, Object inner, Runnable body) {
    synchronized (outer) {
      synchronized (inner) {
        body.run();
      }
      body.run();
    }
  }

  public void reentered(Object lock, Runnable body) {
    synchronized (lock) {
      synchronized (lock) {
        body.run();
      }
    }
  }

  public int loop(Object lock, int times, Runnable body) {
    int sum = 0;
    for (int i = 0; ; i++) {
      synchronized (lock) {
        if (i == times) {
          break;
        }
        if (i == 1) {
          continue;
        }
        body.run();
        sum += i;
      }
    }
    return sum;
  }

  public String switched(Object lock, int key, Runnable body) {
    synchronized (lock) {
      switch (key) {
        case 1:
          body.run();
          return "one";
        case 2:
          return "two";
        default:
          body.run();
      }
    }
    return "other";
  }

  public long withFinally(Object lock, Runnable body, Runnable last) {
    synchronized (lock) {
      try {
        body.run();
        return 1L;
      } finally {
        last.run();
      }
    }
  }

  public String caught(Object lock, Runnable body, Runnable handler) {
    synchronized (lock) {
      try {
        body.run();
        return "ran";
      } catch (IllegalStateException e) {
        handler.run();
        return e.getMessage();
      }
    }
  }

  public String caughtOutside(Object lock, Runnable body) {
    try {
      synchronized (lock) {
        body.run();
      }
    } catch (RuntimeException e) {
      return e.getMessage();
    } finally {
      depth++;
    }
    return "ran";
  }

  public void inLambda(Object lock, Runnable body) {
    Runnable lambda =
        () -> {
          synchronized (lock) {
            body.run();
          }
        };
    lambda.run();
  }

  public void overflow(Object lock) {
    synchronized (lock) {
      overflow(lock);
    }
  }

  public synchronized void overflowMethod() {
    overflowMethod();
  }

  public synchronized void method(Runnable body) {
    body.run();
  }

  public synchronized int recursive(int levels) {
    return levels == 0 ? 0 : 1 + recursive(levels - 1);
  }

  public synchronized void methodWithBlock(Object lock, Runnable body) {
    synchronized (lock) {
      body.run();
    }
  }

  public synchronized String methodWithCatch(Runnable body) {
    try {
      body.run();
    } catch (IllegalStateException e) {
      return e.getMessage();
    }
    return "ran";
  }

  public synchronized void forever(Runnable body) {
    while (true) {
      body.run();
    }
  }

  public static synchronized void ofClass(Runnable body) {
    body.run();
  }

  public synchronized boolean aBoolean() {
    return true;
  }

  public synchronized char aChar() {
    return 'c';
  }

  public synchronized int anInt() {
    return 7;
  }

  public synchronized long aLong() {
    return 1L << 40;
  }

  public synchronized float aFloat() {
    return 1.5f;
  }

  public synchronized double aDouble(double x) {
    return x < 0 ? -x : 2.5;
  }

  public static synchronized Object anObject(Supplier<?> from) {
    return from.get();
  }

  public long fromBlock(Object lock, double x) {
    synchronized (lock) {
      return (long) (x * 2);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
