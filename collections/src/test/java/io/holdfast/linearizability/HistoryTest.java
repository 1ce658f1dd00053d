package io.holdfast.linearizability;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.linearizability.History.Operation;
import java.util.ArrayDeque;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What is durably linearizable and what is not, by histories made by hand.
class HistoryTest {
  private static final List<Operation> OPERATIONS =
      List.of(
          new Operation("offer(x)", content -> content.queue().offer("x")),
          new Operation("offer(y)", content -> content.queue().offer("y")),
          new Operation("poll", content -> content.queue().poll()));

  private static Content content(String... elements) {
    return new Content(new ArrayDeque<>(List.of(elements)), new TreeMap<>(), new TreeMap<>());
  }

  private static boolean fits(List<String> notes, String... found) {
    return History.of(OPERATIONS, notes).fits(content(), content(found).state());
  }

  @Test
  void whatHasReturnedIsThere() {
    List<String> notes = List.of("begins 0", "returns 0 true");
    assertThat(fits(notes, "x")).isTrue();
    assertThat(fits(notes)).isFalse();
  }

  @Test
  void whatIsInFlightMayBeThere() {
    List<String> notes = List.of("begins 0", "begins 1", "returns 1 true");
    assertThat(fits(notes, "y")).isTrue();
    assertThat(fits(notes, "x", "y")).isTrue();
    assertThat(fits(notes, "y", "x")).isTrue();
    assertThat(fits(notes, "x")).isFalse();
  }

  @Test
  void whatIsApartInTimeKeepsItsOrder() {
    List<String> notes = List.of("begins 0", "returns 0 true", "begins 1", "returns 1 true");
    assertThat(fits(notes, "x", "y")).isTrue();
    assertThat(fits(notes, "y", "x")).isFalse();
  }

  @Test
  void resultsCount() {
    List<String> taken =
        List.of(
            "begins 0", "begins 1", "returns 0 true", "returns 1 true", "begins 2", "returns 2 y");
    assertThat(fits(taken, "x")).isTrue();
    assertThat(fits(taken, "y")).isFalse();
  }
}
