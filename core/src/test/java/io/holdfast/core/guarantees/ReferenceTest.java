package io.holdfast.core.guarantees;

import static io.holdfast.core.guarantees.Steps.OF_A;
import static io.holdfast.core.guarantees.Steps.X;
import static io.holdfast.core.guarantees.Steps.Y;
import static io.holdfast.core.guarantees.Steps.enter;
import static io.holdfast.core.guarantees.Steps.exit;
import static io.holdfast.core.guarantees.Steps.lock;
import static io.holdfast.core.guarantees.Steps.observe;
import static io.holdfast.core.guarantees.Steps.store;
import static io.holdfast.core.guarantees.Steps.unlock;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Regions;
import io.holdfast.testkit.CrashPoint;
import io.holdfast.testkit.Interleaving;
import io.holdfast.testkit.Interleaving.Turn;
import io.holdfast.testkit.Interleavings.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What the reference allows, where that can be said by hand. A state is the words 0 to 2.
class ReferenceTest {
  private final List<Turn<Scene>> turns = new ArrayList<>();

  private void turn(String thread, Step<Scene> step) {
    turns.add(new Turn<>(thread, step));
  }

  private Reference reference() {
    return new Reference(new Interleaving<>(0, turns), Regions.OUTERMOST_CRITICAL_SECTION);
  }

  /// Which of the states are allowed when a turn is in flight.
  private List<String> inFlight(int turn, String... states) {
    return allowed(new CrashPoint(turn, "in flight"), states);
  }

  /// Which of the states are allowed when so many turns have returned, and none is in flight.
  private List<String> returned(int count, String... states) {
    return allowed(new CrashPoint(count, null), states);
  }

  private List<String> allowed(CrashPoint point, String... states) {
    Reference reference = reference();
    return Stream.of(states).filter(state -> allows(reference, state, point)).toList();
  }

  private static boolean allows(Reference reference, String state, CrashPoint point) {
    List<Long> found = new ArrayList<>();
    for (int word = 0; word < Scene.NUMBERS + Scene.POINTERS; word++) {
      found.add(word < state.length() ? state.charAt(word) - (long) '0' : 0L);
    }
    try {
      reference.check(found, point);
      return true;
    } catch (AssertionError e) {
      return false;
    }
  }

  @Test
  void p1AtomicAndP6Acknowledged() {
    turn("A", lock(X));
    turn("A", store(0, 1));
    turn("A", store(1, 1));
    turn("A", unlock(X));

    assertThat(returned(3, "000", "100", "110")).containsExactly("000");
    assertThat(inFlight(3, "000", "100", "110")).containsExactly("000", "110");
    assertThat(returned(4, "000", "100", "110")).containsExactly("110");
    assertThat(reference().waiting()).isEmpty();
  }

  /// B needs A, which has not ended; its next section needs it as well.
  @Test
  void p2OrderedAndP5NoEarlyTail() {
    turn("A", lock(OF_A));
    turn("A", lock(X));
    turn("A", store(0, 1));
    turn("A", unlock(X));
    turn("B", lock(X));
    turn("B", store(1, 1));
    turn("B", unlock(X));
    turn("B", enter());
    turn("B", store(2, 1));
    turn("B", exit());
    turn("A", unlock(OF_A));

    assertThat(returned(10, "000", "010", "011", "100", "111")).containsExactly("000");
    assertThat(inFlight(10, "000", "001", "010", "100", "110", "101", "111"))
        .containsExactly("000", "100", "110", "111");
    assertThat(returned(11, "000", "100", "110", "111")).containsExactly("111");
    assertThat(reference().waiting()).containsExactlyInAnyOrder("B1", "B2");
    assertThat(reference().largestCycle()).isZero();
  }

  @Test
  void whoeverReleasedLaterIsNotNeeded() {
    turn("A", lock(OF_A));
    turn("B", lock(X));
    turn("B", store(1, 1));
    turn("B", unlock(X));
    turn("A", lock(X));
    turn("A", store(0, 1));
    turn("A", unlock(X));
    turn("A", unlock(OF_A));

    assertThat(returned(4, "000", "010")).containsExactly("010");
    assertThat(returned(7, "010", "110")).containsExactly("010");
  }

  @Test
  void p2OrderedInACycle() {
    turn("A", lock(OF_A));
    turn("A", lock(X));
    turn("A", store(0, 1));
    turn("A", unlock(X));
    turn("B", enter());
    turn("B", lock(X));
    turn("B", unlock(X));
    turn("B", lock(Y));
    turn("B", store(1, 1));
    turn("B", unlock(Y));
    turn("A", lock(Y));
    turn("A", unlock(Y));
    turn("A", unlock(OF_A));
    turn("B", exit());

    assertThat(returned(13, "000", "100", "010", "110")).containsExactly("000");
    assertThat(inFlight(13, "000", "100", "010", "110")).containsExactly("000", "110");
    assertThat(returned(14, "000", "100", "010", "110")).containsExactly("110");
    assertThat(reference().largestCycle()).isEqualTo(2);
  }

  /// B1 stores nothing, and C acquires outside of its section.
  @Test
  void p2OrderedThroughTransientDataAndAcquiresOutside() {
    turn("A", enter());
    turn("A", store(0, 1));
    turn("A", lock(X));
    turn("A", unlock(X));
    turn("B", lock(X));
    turn("B", unlock(X));
    turn("B", lock(Y));
    turn("B", unlock(Y));
    turn("C", observe(Y));
    turn("C", enter());
    turn("C", store(2, 1));
    turn("C", exit());
    turn("A", exit());

    assertThat(returned(12, "000", "001", "101")).containsExactly("000");
    assertThat(returned(13, "000", "001", "101")).containsExactly("101");
    assertThat(reference().waiting()).containsExactlyInAnyOrder("B1", "B2", "C1");
  }

  /// Knows nothing of locks: it is what the words are when A, or B, or both had stopped.
  @Test
  void p4StoppedBetween() {
    turn("A", enter());
    turn("A", store(0, 1));
    turn("A", exit());
    turn("B", enter());
    turn("B", Steps.copy(0, 1));
    turn("B", exit());
    List<Long> both = List.of(1L, 1L, 0L, 0L, 0L, 0L, 0L, 0L);
    List<Long> torn = List.of(0L, 1L, 0L, 0L, 0L, 0L, 0L, 0L);

    reference().checkStopped(both, new CrashPoint(6, null));
    assertThat(allowsStopped(torn)).isFalse();
  }

  private boolean allowsStopped(List<Long> found) {
    try {
      reference().checkStopped(found, new CrashPoint(6, null));
      return true;
    } catch (AssertionError e) {
      return false;
    }
  }
}
