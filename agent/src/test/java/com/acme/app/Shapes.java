package com.acme.app;

import io.holdfast.core.section.hooks.SectionHooks;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;

/// Run in a JVM of its own: prints of each kind of code whether its blocks are sections.
public class Shapes {
  private static final Object LOCK = new Object();

  record Money(long cents) {
    synchronized void say() {
      Shapes.say("record");
    }
  }

  enum Coin {
    CENT {
      @Override
      synchronized void say() {
        Shapes.say("enum");
      }
    };

    abstract void say();
  }

  interface Account {
    default void say() {
      synchronized (LOCK) {
        Shapes.say("interface");
      }
    }
  }

  /// Defined once more, as a hidden class.
  public static class Hidden implements Runnable {
    @Override
    public synchronized void run() {
      Shapes.say("hidden");
    }
  }

  public static void main(String[] arguments) throws Exception {
    new Money(1).say();
    Coin.CENT.say();
    new Account() {}.say();
    Runnable lambda =
        () -> {
          synchronized (LOCK) {
            say("lambda");
          }
        };
    lambda.run();
    Runnable reference = new Money(2)::say;
    reference.run();
    Thread.ofVirtual().start(lambda).join();
    hidden().run();
    say("end");
  }

  private static Runnable hidden()
      throws IOException, IllegalAccessException, ReflectiveOperationException {
    try (InputStream in = Shapes.class.getResourceAsStream("Shapes$Hidden.class")) {
      Class<?> hidden =
          MethodHandles.lookup().defineHiddenClass(in.readAllBytes(), true).lookupClass();
      return (Runnable) hidden.getConstructor().newInstance();
    }
  }

  /// Public for the hidden class, which is no nest mate.
  public static void say(String where) {
    System.out.println(where + " " + SectionHooks.inSection());
  }
}
