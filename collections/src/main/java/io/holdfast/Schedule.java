package io.holdfast;

import io.holdfast.collections.Due;
import io.holdfast.collections.PersistentDelayQueue;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.RootDeletedException;
import io.holdfast.core.StoreClosedException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/// The calls of a resumable that are to be accepted later, and the thread that has them accepted.
///
/// - **SCHEDULE-1** A call leaves the schedule in the transaction that accepts it, and one that is
///   repeated comes back to it there: each is accepted once for each of its times. Test:
///   ScheduleCrashTest.schedule1TheNextProcessMayDieToo.
/// - **SCHEDULE-2** What has an id is scheduled if it is in the queue and under its id. One that is
///   taken back while a thread is about to accept it, and has claimed it, stays in the queue, and
///   is dropped by that thread. Tests: ScheduleCrashTest.schedule2AnIdHasOneCall,
///   ScheduleTest.schedule2WhatIsTakenBackWhileItIsAccepted.
///
/// Thread-safe.
final class Schedule<A> {
  /// After which the thread looks whether the store is still open.
  private static final Duration LOOK = Duration.ofMinutes(1);

  /// Between two attempts, while the device or the memory is full, or its calls are deleted.
  private static final long AGAIN_NANOS = 1_000_000_000;

  /// How often it looks whether the section that deleted its calls was rolled back.
  private static final int DELETED_MAX = 60;

  private final Holdfast store;
  private final String name;
  private final PersistentDelayQueue<Scheduled<A>> queue;
  private final PersistentHashMap<String, Scheduled<A>> ids;
  private final EncodedBy<Scheduled<A>> codec;

  Schedule(
      Holdfast store,
      String name,
      PersistentDelayQueue<Scheduled<A>> queue,
      PersistentHashMap<String, Scheduled<A>> ids,
      EncodedBy<Scheduled<A>> codec) {
    this.codec = codec;
    this.store = store;
    this.name = name;
    this.queue = queue;
    this.ids = ids;
  }

  /// Converts the arguments of all that is scheduled to what a version of the function is given,
  /// before the schedule's thread begins.
  ///
  /// @param upgraded from another version and its argument
  void upgrade(int version, BiFunction<Integer, A, A> upgraded) {
    store.transaction(
        () -> {
          Iterator<Due<Scheduled<A>>> each = queue.iterator();
          while (each.hasNext()) {
            Scheduled<A> call = each.next().element();
            if (call.version() != version && isScheduled(call)) {
              each.remove();
              put(call.upgraded(version, upgraded.apply(call.version(), call.argument())));
            }
          }
        });
  }

  /// @param accepting accepts a call, with an id or `null`, in the transaction that the thread is
  ///   in
  void start(BiConsumer<String, A> accepting) {
    Thread.ofVirtual().name("holdfast-schedule").start(() -> run(accepting));
  }

  /// Has all accepted that is due.
  void acceptDue(BiConsumer<String, A> accepting) {
    boolean isDone = false;
    while (!isDone) {
      isDone = !store.transaction(() -> acceptNext(accepting));
    }
  }

  /// SCHEDULE-1
  private boolean acceptNext(BiConsumer<String, A> accepting) {
    Due<Scheduled<A>> due = queue.poll();
    if (due == null) {
      return false;
    }
    Scheduled<A> call = due.element();
    if (!isScheduled(call)) {
      return true; // SCHEDULE-2
    }
    if (call.everyMillis() > 0) {
      put(call.next(System.currentTimeMillis()));
      accepting.accept(null, call.argument());
    } else {
      if (call.id() != null) {
        ids.remove(call.id());
      }
      accepting.accept(call.id(), call.argument());
    }
    return true;
  }

  /// SCHEDULE-2
  private void put(Scheduled<A> call) {
    queue.offer(call.due());
    if (call.id() != null) {
      ids.put(call.id(), call);
    }
  }

  /// Adds a call. One that is alone does not replace what its id has, one that is repeated replaces
  /// another.
  void add(Scheduled<A> call) {
    store.transaction(
        () -> {
          Scheduled<A> there = call.id() == null ? null : ids.get(call.id());
          if (there == null || call.everyMillis() > 0 && !goesOn(there, call)) {
            if (there != null) {
              queue.remove(there.due());
            }
            put(call);
          }
        });
  }

  private boolean goesOn(Scheduled<A> there, Scheduled<A> call) {
    return there.everyMillis() == call.everyMillis()
        && hasArgumentOf(there, call)
        && !there.isPutOff(call, System.currentTimeMillis());
  }

  /// By their bytes, too: an array equals itself alone.
  private boolean hasArgumentOf(Scheduled<A> there, Scheduled<A> call) {
    return there.argument().equals(call.argument())
        || Arrays.equals(codec.bytes(there), codec.bytes(there.withArgument(call.argument())));
  }

  /// Whether what is in the queue is not taken back; SCHEDULE-2.
  private boolean isScheduled(Scheduled<A> call) {
    Scheduled<A> there = call.id() == null ? call : ids.get(call.id());
    return call.equals(there) && hasArgumentOf(there, call);
  }

  List<Due<A>> all() {
    return queue.stream()
        .filter(due -> isScheduled(due.element()))
        .map(due -> new Due<>(due.at(), due.element().argument()))
        .toList();
  }

  /// @return whether there was one
  boolean cancel(String id) {
    return store.transaction(
        () -> {
          Scheduled<A> there = ids.remove(id);
          if (there != null) {
            queue.remove(there.due());
          }
          return there != null;
        });
  }

  private void run(BiConsumer<String, A> accepting) {
    int deleted = 0;
    try {
      while (true) {
        try {
          if (queue.awaitDue(LOOK)) {
            acceptDue(accepting);
          }
          deleted = 0;
        } catch (RootDeletedException e) {
          deleted++;
          if (!isOver() || deleted > DELETED_MAX) {
            throw e;
          }
          LockSupport.parkNanos(AGAIN_NANOS);
        } catch (RegionFullException e) {
          tell("has no room for calls that are due, and tries again", e);
          LockSupport.parkNanos(AGAIN_NANOS);
        } catch (Error e) {
          // Nobody else would look for what becomes due.
          tellIfPossible(e);
          LockSupport.parkNanos(AGAIN_NANOS);
        } catch (InterruptedException e) {
          // A key's function, or a codec, has interrupted its thread.
        }
      }
    } catch (RuntimeException e) {
      if (!isOver()) {
        tell("accepts no more calls that become due, until it is registered again", e);
      }
    }
  }

  /// Whether the store is closed, after which it goes on when that is open again, or its calls were
  /// deleted. A key's function may say the same of another store or collection.
  private boolean isOver() {
    try {
      boolean _ = queue.isEmpty();
      return false;
    } catch (StoreClosedException | RootDeletedException _) {
      return true;
    } catch (RuntimeException _) {
      return false;
    }
  }

  private void tellIfPossible(Error e) {
    try {
      tell("could not accept calls that are due, and tries again", e);
    } catch (Error _) {
      // As long as there is no memory, there is none to say so.
    }
  }

  private void tell(String what, Throwable e) {
    System.getLogger("io.holdfast")
        .log(Level.WARNING, "%s: resumable %s %s".formatted(store.path(), name, what), e);
  }
}
