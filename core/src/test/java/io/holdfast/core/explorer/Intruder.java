package io.holdfast.core.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.memory.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// A thread that does something in the middle of what another one does: in the first run before the
/// other's first access to a memory, in the next before its second, and so on. It goes on until it
/// has ended or waits for a lock, and only then does the other. So what a lock keeps apart meets
/// wherever it can, each time, on any machine.
///
/// @param open opens a store, and makes in it what there is before
/// @param state of a store after both: checks that it is sound, and tells what is in it
@SuppressWarnings("try") // a store that could be interrupted in its closing: none is
public record Intruder<S extends AutoCloseable>(Function<Memory, S> open, Function<S, ?> state) {
  /// More looks than any thread takes to end or to wait. Not a time, since all processes may be
  /// stopped for a while.
  private static final int LOOKS_MAX = 10_000_000;

  /// No store grows beyond this, so that its bytes stay where they are while two threads use them.
  private static final int BYTES = 1 << 21;

  /// What each thread has returned, and the state after both.
  private record Outcome(Object first, Object second, Object state) {}

  /// What must hold after both, besides what the state checks.
  public interface Check<S> {
    /// @param first what the first thread has returned
    /// @param second what the intruder has
    void of(S store, Object first, Object second);
  }

  /// Has them meet, and compares with what is there if one comes after the other.
  ///
  /// @return at how many accesses they have met
  public int inAnyOrder(Function<S, ?> first, Function<S, ?> second) throws Exception {
    List<Outcome> allowed = new ArrayList<>();
    try (S store = open.apply(bytes())) {
      Object before = first.apply(store);
      allowed.add(new Outcome(before, second.apply(store), state.apply(store)));
    }
    try (S store = open.apply(bytes())) {
      Object before = second.apply(store);
      allowed.add(new Outcome(first.apply(store), before, state.apply(store)));
    }
    return meet(
        first,
        second,
        (store, one, other) ->
            assertThat(new Outcome(one, other, state.apply(store))).isIn(allowed));
  }

  /// Has them meet.
  ///
  /// @return at how many accesses they have met
  public int meet(Function<S, ?> first, Function<S, ?> second, Check<S> check) throws Exception {
    int access = 0;
    while (meetsAt(access, first, second, check)) {
      access++;
    }
    return access;
  }

  private static RecordingMemory bytes() {
    RecordingMemory bytes = new RecordingMemory();
    bytes.setLength(BYTES);
    bytes.setLength(0);
    return bytes;
  }

  private boolean meetsAt(int access, Function<S, ?> first, Function<S, ?> second, Check<S> check)
      throws Exception {
    HookedMemory memory = new HookedMemory(bytes());
    try (S store = open.apply(memory)) {
      FutureTask<Object> task = new FutureTask<>(() -> second.apply(store));
      Thread intruder = Thread.ofPlatform().daemon().unstarted(task);
      Thread own = Thread.currentThread();
      int[] left = {access};
      Runnable hook =
          () -> {
            if (Thread.currentThread().equals(own) && left[0]-- == 0) {
              intruder.start();
              awaitEndOrWait(intruder);
            }
          };
      memory.beforeEachStore(hook);
      memory.beforeEachRead(hook);
      Object one = first.apply(store);
      memory.beforeEachStore(() -> {});
      memory.beforeEachRead(() -> {});
      if (left[0] >= 0) {
        return false;
      }
      check.of(store, one, task.get(60, TimeUnit.SECONDS));
      return true;
    } catch (Exception | Error e) {
      throw new AssertionError("the intruder came before access %d: %s".formatted(access, e), e);
    }
  }

  /// Does something in a thread of its own: in no section, whatever the caller is in the middle of.
  public static void outside(Runnable action) {
    CompletableFuture.runAsync(action, task -> Thread.ofPlatform().daemon().start(task)).join();
  }

  /// Waits until a thread has ended or waits for another one.
  public static void awaitEndOrWait(Thread thread) {
    List<Thread.State> stopped =
        Arrays.asList(
            Thread.State.TERMINATED,
            Thread.State.WAITING,
            Thread.State.TIMED_WAITING,
            Thread.State.BLOCKED);
    for (int looks = 0; !stopped.contains(thread.getState()); looks++) {
      if (looks == LOOKS_MAX) {
        throw new AssertionError("the intruder neither ends nor waits");
      }
      Thread.yield();
    }
  }
}
