package com.acme.host;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;

/// Run in a JVM of its own: two threads load plugins whose class loaders ask a third one, which is
/// locked while it is asked, as all are that don't say otherwise.
public class LockedHost {
  /// Knows nothing. A thread that brings hooks to another loader asks it when it is locked.
  private static final class Locked extends ClassLoader {
    final CountDownLatch isLocked = new CountDownLatch(1);
    final CountDownLatch isAsked = new CountDownLatch(1);
    Thread bringer;

    Locked() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (Thread.currentThread().equals(bringer) && bringsHooks()) {
        isAsked.countDown();
        try {
          isLocked.await();
        } catch (InterruptedException e) {
          throw new ClassNotFoundException(name, e);
        }
      }
      return super.loadClass(name, resolve);
    }

    private static boolean bringsHooks() {
      return StackWalker.getInstance()
          .walk(frames -> frames.anyMatch(each -> each.getClassName().endsWith(".HookBridge")));
    }
  }

  public static void main(String[] arguments) throws Exception {
    URL plugins = Path.of(arguments[0]).toUri().toURL();
    Locked locked = new Locked();
    FutureTask<Void> first = new FutureTask<>(() -> run(plugins, "first", locked), null);
    locked.bringer = Thread.ofPlatform().unstarted(first);
    locked.bringer.start();
    locked.isAsked.await();
    synchronized (locked) {
      locked.isLocked.countDown();
      while (locked.bringer.getState() != Thread.State.BLOCKED) { // by this
        Thread.onSpinWait();
      }
      run(plugins, "second", locked);
    }
    first.get();
  }

  private static void run(URL plugins, String name, ClassLoader parent) {
    try {
      Runnable plugin =
          (Runnable)
              new URLClassLoader(name, new URL[] {plugins}, parent)
                  .loadClass("com.acme.plugin.Plugin")
                  .getConstructor(BooleanSupplier.class)
                  .newInstance((BooleanSupplier) () -> false);
      plugin.run();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
