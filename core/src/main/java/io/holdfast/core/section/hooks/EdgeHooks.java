package io.holdfast.core.section.hooks;

import io.holdfast.core.section.SelfReporting;
import io.holdfast.core.section.ThreadSections;
import io.holdfast.core.section.commit.UncommittedReleases;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.util.Hashtable;
import java.util.Vector;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.Future;

/// What the agent weaves around accesses by which threads hand something to each other without a
/// lock: volatile fields, atomics, `VarHandle`s, concurrent collections and synchronizers, threads.
/// They are edges between sections (P2) and change no depth.
///
/// A channel is known by an object: the one that has the volatile field, the atomic itself, the
/// queue. All volatile fields of an object are one channel; a dependency too many only delays
/// durability.
///
/// A thread that is started observes what its starter had open, and one that joins it what it has
/// left open itself. Who learns that a thread was interrupted ({@link ThreadHooks}) observes what
/// its interrupter had open.
///
/// A read costs one read as long as no thread has anything open, and a write costs one as long as
/// no store is open: there is nothing to depend on then. (A section that is in progress while the
/// process's first store is opened has no edges by what it wrote before.) A write outside of
/// sections costs finding the thread.
///
/// Thread-safe; each call concerns the calling thread.
public final class EdgeHooks {
  /// Stands for all static fields when one is accessed by a `VarHandle`, which does not say which.
  private static final Object ANY_STATIC = new Object();

  /// The same, as what such an access writes.
  private static final Object BY_HANDLE = new Object();

  /// Stands for all futures: what completes one may complete another, made of it, and a task does
  /// not know by which one its result is got. What ends a task publishes only what it waits for.
  static final Object FUTURES = new Object();

  /// Stands for all pipes, whose two ends are two objects.
  private static final Object PIPES = new Object();

  /// After a read of what another thread may have written.
  public static void read(Object channel) {
    if (!UncommittedReleases.isEmpty()) {
      observe(channel);
    }
  }

  private static void observe(Object channel) {
    if (!(channel instanceof SelfReporting)) {
      ThreadSections current = ThreadSections.current();
      if (channel instanceof Thread thread) {
        current.join(thread);
      }
      current.observe(channel); // of a thread too: it may have volatile fields
      Object common = commonOf(channel);
      if (common != null) {
        current.observe(common);
      }
    }
  }

  /// What else an object is known by, if what goes into it may come out of another one.
  private static Object commonOf(Object channel) {
    if (channel instanceof Future) {
      return FUTURES;
    }
    return channel instanceof PipedOutputStream
            || channel instanceof PipedInputStream
            || channel instanceof PipedWriter
            || channel instanceof PipedReader
        ? PIPES
        : null;
  }

  /// Before a write that others may read.
  public static void writing(Object channel) {
    if (!ThreadSections.isAnyStoreOpen()) {
      return;
    }
    ThreadSections thread = ThreadSections.current();
    if (thread.mayPublish() && !(channel instanceof SelfReporting)) {
      thread.publish(channel);
      Object common = commonOf(channel);
      if (common != null) {
        thread.publish(common);
      }
      if (channel instanceof Thread started) {
        UncommittedReleases.started(started);
      }
    }
  }

  /// After a read of a collection whose declared type does not say whether threads meet at it.
  ///
  /// @param collection `null` does nothing
  public static void readShared(Object collection) {
    if (!UncommittedReleases.isEmpty()) {
      ThreadSections thread = ThreadSections.current();
      boolean isShared;
      try {
        isShared = isShared(collection);
      } catch (StackOverflowError | OutOfMemoryError e) {
        isShared = true; // HOOKS-2: the program may have what was read, in an argument of the call
      }
      if (isShared) {
        thread.observe(collection);
      }
    }
  }

  /// Before a write to such a collection, which its reader sees.
  ///
  /// @param collection `null` does nothing: the call that follows throws
  public static void writingShared(Object collection) {
    if (ThreadSections.isAnyStoreOpen()
        && ThreadSections.current().mayPublish()
        && isShared(collection)) {
      writing(collection);
    }
  }

  /// Whether it is one of those that the JDK promises an order for, or that lock a monitor of their
  /// own: with these, what a thread did before it put an element comes before what another does
  /// that finds it.
  private static boolean isShared(Object collection) {
    if (collection == null || collection instanceof SelfReporting) {
      return false;
    }
    String name = collection.getClass().getName();
    return name.startsWith("java.util.Collections$Synchronized")
        || name.startsWith("java.util.concurrent.")
        || collection instanceof ConcurrentMap
        || collection instanceof BlockingQueue
        || collection instanceof Vector
        || collection instanceof Hashtable
        || collection instanceof ConcurrentLinkedQueue
        || collection instanceof ConcurrentLinkedDeque
        || collection instanceof ConcurrentSkipListSet
        || collection instanceof CopyOnWriteArrayList
        || collection instanceof CopyOnWriteArraySet;
  }

  /// After a read of a static volatile field.
  ///
  /// @param field its class and name, a constant of the reading class
  public static void readStatic(String field) {
    if (!UncommittedReleases.isEmpty()) {
      ThreadSections thread = ThreadSections.current();
      thread.observe(field);
      thread.observe(BY_HANDLE);
    }
  }

  /// Before a write of a static volatile field.
  public static void writingStatic(String field) {
    if (!ThreadSections.isAnyStoreOpen()) {
      return;
    }
    ThreadSections thread = ThreadSections.current();
    if (thread.mayPublish()) {
      thread.publish(field);
      thread.publish(ANY_STATIC);
    }
  }

  /// After a read of a static field by a `VarHandle`.
  public static void readStaticByHandle() {
    if (!UncommittedReleases.isEmpty()) {
      ThreadSections thread = ThreadSections.current();
      thread.observe(ANY_STATIC);
      thread.observe(BY_HANDLE);
    }
  }

  /// Before a write of a static field by a `VarHandle`.
  public static void writingStaticByHandle() {
    if (!ThreadSections.isAnyStoreOpen()) {
      return;
    }
    ThreadSections thread = ThreadSections.current();
    if (thread.mayPublish()) {
      thread.publish(BY_HANDLE);
    }
  }

  private EdgeHooks() {}
}
