package io.holdfast.linearizability;

import io.holdfast.testkit.RecordingMemory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Threads of which one runs at a time, and which change places in the middle of what they do:
/// behind given numbers of stores, and whenever one has to wait for a lock that another holds. So
/// what real code of several threads does to a memory is the same at each run.
///
/// A thread that is out of turn is stopped at its next access to the memory; until then it may run,
/// but does nothing that is recorded.
final class Turns {
  /// More than any run takes: it hangs. Not a time, since all processes may be stopped for a while.
  private static final int LOOKS_MAX = 100_000;

  /// Of two looks between which a thread has not moved, so that it is taken to be stuck.
  private static final long LOOK_MILLIS = 1;

  private final RecordingMemory memory;

  /// After how many stores of both threads together the turn changes, ascending.
  private final List<Integer> changes;

  /// By thread, its number.
  private final Map<Thread, Integer> numbers = new ConcurrentHashMap<>();

  private boolean[] ended;
  private boolean[] waitsForItsTurn;
  private int turn;
  private int last = -1;
  private int stores;
  private int changed;
  private Throwable failure;

  Turns(RecordingMemory memory, List<Integer> changes) {
    this.memory = memory;
    this.changes = List.copyOf(changes);
  }

  /// Runs programs, one in each thread, to their ends.
  void run(List<Runnable> programs) {
    ended = new boolean[programs.size()];
    waitsForItsTurn = new boolean[programs.size()];
    for (int i = 0; i < programs.size(); i++) {
      int number = i;
      Runnable program = programs.get(i);
      Thread thread = Thread.ofPlatform().name("thread-" + i).unstarted(() -> run(number, program));
      numbers.put(thread, i);
    }
    numbers.keySet().forEach(Thread::start);
    supervise();
    if (failure != null) {
      throw new AssertionError(failure);
    }
  }

  private void run(int number, Runnable program) {
    try {
      program.run();
    } catch (RuntimeException | Error e) {
      synchronized (this) {
        failure = e;
      }
    }
    synchronized (this) {
      ended[number] = true;
      pass();
    }
  }

  /// Before an access to the memory, and before a program notes something: waits for the turn.
  synchronized void await() {
    Integer number = numbers.get(Thread.currentThread());
    if (number == null) {
      return; // of the test itself
    }
    waitsForItsTurn[number] = true;
    while (turn != number) {
      try {
        wait();
      } catch (InterruptedException e) {
        throw new IllegalStateException("nobody interrupts these threads", e);
      }
    }
    waitsForItsTurn[number] = false;
    if (last != number) {
      last = number;
      memory.note("thread " + number + " goes on"); // as by a lock: nothing moves across
    }
  }

  /// Before a store.
  synchronized void beforeStore() {
    if (!numbers.containsKey(Thread.currentThread())) {
      return;
    }
    await();
    if (changed < changes.size() && stores == changes.get(changed)) {
      changed++;
      pass();
      await();
    }
    stores++;
  }

  /// How many stores there were.
  synchronized int stores() {
    return stores;
  }

  /// Gives the turn to the next thread that has not ended.
  private void pass() {
    for (int i = 1; i <= ended.length; i++) {
      int next = (turn + i) % ended.length;
      if (!ended[next]) {
        turn = next;
        notifyAll();
        return;
      }
    }
    notifyAll();
  }

  /// Looks after threads that have the turn and can't go on, until all have ended.
  private synchronized void supervise() {
    int looks = 0;
    boolean stuck = false;
    while (!allEnded()) {
      try {
        wait(LOOK_MILLIS);
      } catch (InterruptedException e) {
        throw new IllegalStateException("nobody interrupts this thread", e);
      }
      boolean wasStuck = stuck;
      stuck = isStuck();
      if (stuck && wasStuck) {
        pass();
        stuck = false;
      }
      if (++looks > LOOKS_MAX) {
        throw new AssertionError("threads do not come to an end: turn=" + turn);
      }
    }
  }

  private boolean allEnded() {
    for (boolean each : ended) {
      if (!each) {
        return false;
      }
    }
    return true;
  }

  /// Whether who has the turn waits for something else.
  private boolean isStuck() {
    for (Map.Entry<Thread, Integer> each : numbers.entrySet()) {
      if (each.getValue() == turn && !ended[turn] && !waitsForItsTurn[turn]) {
        Thread.State state = each.getKey().getState();
        return state != Thread.State.NEW && state != Thread.State.RUNNABLE;
      }
    }
    return false;
  }
}
