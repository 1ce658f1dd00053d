package io.holdfast.stress.failures;

import io.holdfast.DurableLock;
import io.holdfast.DurableReadWriteLock;
import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.section.hooks.LockHooks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/// A store under trial with its collections, and how far the operation has come.
final class Stage {
  private static final int LATER_KEYS = 40;
  private static final long FOLLOWED = 100;

  /// What hooks call of their thread's sections before a release.
  private static final Set<String> LEAVING = Set.of("leave", "exit");

  private final Path file;
  private final Survival survival;
  private final Runnable listener;

  Holdfast store;
  PersistentHashMap<Long, String> map;
  PersistentTreeMap<Long, String> tree;
  PersistentQueue<String> queue;
  final DurableLock outer = new DurableLock();
  final DurableLock inner = new DurableLock();
  final DurableReadWriteLock readWrite = new DurableReadWriteLock();

  /// Of the JDK, for calls that are woven.
  final ReentrantLock plainOuter = new ReentrantLock();

  final ReentrantLock plainInner = new ReentrantLock();

  private int passed;
  private int acknowledged;

  /// The steps that sections began with which are not acknowledged.
  private final List<Integer> begun = new ArrayList<>();

  private boolean isUntold;
  private Throwable thrown;

  /// @param listener told of each step that is done
  Stage(Path file, Survival survival, Runnable listener) {
    this.survival = survival;
    this.file = file;
    this.listener = listener;
  }

  Path file() {
    return file;
  }

  /// The store's own thread of a name.
  Thread thread(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().equals(prefix + file.getFileName()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no thread " + prefix));
  }

  /// Does something in a virtual thread, which never leads (ACK-3).
  void virtually(Scene.Action action) throws Exception {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              action.on(this);
              return null;
            });
    Thread.ofVirtual().start(task);
    try {
      task.get();
    } catch (ExecutionException e) {
      thrown = e.getCause();
      throwLater();
    }
  }

  /// Waits until a thread of the store has nothing to do, or has ended; 5 s at most.
  void awaitIdle(String prefix) throws InterruptedException {
    Thread thread = thread(prefix);
    for (int i = 0; i < 500 && thread.getState() != Thread.State.WAITING && thread.isAlive(); i++) {
      Thread.sleep(10);
    }
  }

  /// Does something while other threads make all durable again and again; they come to an end, by
  /// an exception or not.
  void beside(Scene.Action action) throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    List<FutureTask<Void>> others = new ArrayList<>();
    Trap.outside(
        () -> {
          for (int i = 0; i < 4; i++) {
            FutureTask<Void> other =
                new FutureTask<>(
                    () -> {
                      while (!isOver.get()) {
                        store.sync();
                      }
                      return null;
                    });
            others.add(other);
            if (i % 2 == 0) {
              Thread.ofVirtual().start(other);
            } else {
              Thread.ofPlatform().daemon().start(other);
            }
          }
        });
    try {
      action.on(this);
    } finally {
      isOver.set(true);
      Trap.outside(() -> others.forEach(Stage::checkEnd));
    }
  }

  private static void checkEnd(FutureTask<Void> other) {
    try {
      other.get(20, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof HoldfastException)) {
        throw new Violation("another thread is thrown " + e.getCause(), e);
      }
    } catch (InterruptedException | TimeoutException e) {
      throw new Violation("another thread does not come to an end", e);
    }
  }

  /// What a program's second try does: where the stack has no room for the call, a lock is held as
  /// before.
  void giveUpLocks() {
    for (Lock each : List.of(inner, readWrite.readLock(), readWrite.writeLock(), outer)) {
      try {
        each.unlock();
      } catch (IllegalMonitorStateException _) {
        // it was given up
      }
    }
    for (ReentrantLock each : List.of(plainInner, plainOuter)) {
      if (each.isHeldByCurrentThread()) {
        LockHooks.unlock(each);
      }
    }
  }

  /// Calls a hook before a release, as woven code does: javac's handler of a monitor covers itself,
  /// so a hook that throws is called once more. A hook throws where the stack has no room for its
  /// first frames, which look for the thread, and then has done nothing. If it has none at the
  /// second call either, the monitor is released, and nobody can be told (HOOKS-2 in the design).
  void release(Runnable hook) {
    try {
      hook.run();
    } catch (StackOverflowError | OutOfMemoryError e) {
      if (hasBegun(e)) {
        throw new Violation("a hook before a release throws", e);
      }
      isUntold = true;
      hook.run();
      isUntold = false;
      throw e;
    }
  }

  /// Whether a hook had found its thread, and entered what leaves the lock.
  private static boolean hasBegun(Throwable thrown) {
    return Stream.of(thrown.getStackTrace())
        .filter(frame -> !frame.getClassName().startsWith("io.holdfast.stress."))
        .skip(1) // what could not be entered
        .anyMatch(frame -> LEAVING.contains(frame.getMethodName()));
  }

  /// Whether the thread stays in a section for want of {@link #release}'s second call.
  boolean isUntold() {
    return isUntold;
  }

  void open() {
    store = Holdfast.open(file, survival.options());
    Trap.outside(this::openCollections);
  }

  private void openCollections() {
    map = store.hashMap("map", Long.class, String.class);
    tree = store.treeMap("tree", Long.class, String.class);
    queue = store.queue("queue", String.class);
  }

  /// After each step of the operation; a step is done whole or not at all.
  void did() {
    Trap.outside(
        () -> {
          passed++;
          if (begun.isEmpty()) {
            acknowledged = passed;
          }
          listener.run();
        });
  }

  /// From here on to {@link #sectionEnds} the steps are of one section.
  void sectionBegins() {
    begun.clear();
    begun.add(passed);
  }

  /// One section ends and the next begins, at a wait on a condition or a cut of a job. On a disk
  /// both are acknowledged at {@link #sectionEnds} (ACK-2).
  void sectionGoesOn() {
    if (!survival.hasLog()) {
      sectionEnds();
    }
    begun.add(passed);
  }

  void sectionEnds() {
    begun.clear();
    acknowledged = passed;
  }

  /// A section of several steps.
  void atomically(Runnable steps) {
    sectionBegins();
    store.atomically(steps);
    sectionEnds();
  }

  Path backup() {
    return file.resolveSibling(file.getFileName() + "-backup");
  }

  /// Keeps the file as a kill would leave it now, in the place of what closing leaves.
  void keepAsKilled() {
    FileCopy.makeOfStore(file, asKilled());
  }

  private Path asKilled() {
    return file.resolveSibling(file.getFileName() + "-as-killed");
  }

  /// Closes what was given, and puts what {@link #keepAsKilled} has kept in its place.
  void closeAsGiven() throws IOException {
    store.close();
    if (Files.exists(asKilled())) {
      FileCopy.makeOfStore(asKilled(), file);
      clear(asKilled());
    }
  }

  /// Unlocks; what that throws is thrown later.
  void unlockInner() {
    try {
      inner.unlock();
    } catch (Throwable e) {
      thrown = e;
    }
  }

  /// Another thread acts upon what it finds under the inner lock; then a kill must not leave what
  /// it did without what it has found.
  void follow() {
    Trap.outside(
        () -> {
          FutureTask<Boolean> follower =
              new FutureTask<>(
                  () -> {
                    boolean isFree = inner.tryLock(2, TimeUnit.SECONDS);
                    if (isFree) {
                      try {
                        String found = map.get(FOLLOWED);
                        if (found != null) {
                          tree.put(FOLLOWED, found);
                        }
                      } finally {
                        inner.unlock();
                      }
                    }
                    return isFree;
                  });
          Thread.ofPlatform().daemon().start(follower);
          boolean isDone = false;
          try {
            isDone = follower.get(20, TimeUnit.SECONDS);
          } catch (ExecutionException e) {
            if (!(e.getCause() instanceof HoldfastException)) {
              throw new Violation("the next holder of a lock is thrown " + e.getCause(), e);
            }
          } catch (InterruptedException | TimeoutException e) {
            throw new Violation("the next holder of a lock does not come to an end", e);
          }
          if (isDone) {
            did();
          }
          checkFollowed();
        });
  }

  private void checkFollowed() {
    keepAsKilled();
    try (Holdfast killed = Holdfast.open(asKilled(), survival.options())) {
      String acted = killed.treeMap("tree", Long.class, String.class).get(FOLLOWED);
      String found = killed.hashMap("map", Long.class, String.class).get(FOLLOWED);
      if (acted != null && found == null) {
        throw new Violation("P2: a section is there that depends on one that is not");
      }
    } finally {
      clear(asKilled());
    }
  }

  /// Throws what {@link #unlockInner} has kept.
  void throwLater() throws Exception {
    switch (thrown) {
      case null -> {}
      case Error e -> throw e;
      case Exception e -> throw e;
      default -> throw new IllegalStateException(thrown);
    }
  }

  /// Deletes the files.
  void clear() {
    clear(file);
    clear(backup());
    clear(FileCopy.beside(backup(), ".part"));
  }

  static void clear(Path file) {
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(FileCopy.beside(file, ".lock"));
      for (String suffix : FileCopy.BESIDE) {
        Files.deleteIfExists(FileCopy.beside(file, suffix));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int passed() {
    return passed;
  }

  int acknowledged() {
    return acknowledged;
  }

  /// The steps that a store which has failed may be back at, beside the last.
  List<Integer> begun() {
    return begun;
  }

  /// Uses all collections, as the next thread would: keys of all stripes, and neighbours in leaves.
  void useOn() {
    for (long key = Snapshot.LATER; key < Snapshot.LATER + LATER_KEYS; key++) {
      map.put(key, Snapshot.LATER_ELEMENT);
      tree.put(key, Snapshot.LATER_ELEMENT);
    }
    tree.remove(Snapshot.LATER);
    map.remove(Snapshot.LATER);
    queue.offer(Snapshot.LATER_ELEMENT);
    store.sync();
  }

  /// Whether what {@link #useOn} did is there.
  boolean isUsedOn() {
    long last = Snapshot.LATER + LATER_KEYS - 1;
    boolean isQueued = false;
    for (String each : queue) {
      isQueued |= each.equals(Snapshot.LATER_ELEMENT);
    }
    return isQueued && map.containsKey(last) && tree.containsKey(last);
  }
}
