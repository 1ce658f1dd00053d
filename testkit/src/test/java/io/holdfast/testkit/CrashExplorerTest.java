package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/// What a user's crash test says.
class CrashExplorerTest {
  private static Queue<String> orders(Holdfast store) {
    return store.queue("orders", String.class);
  }

  private static Queue<String> bills(Holdfast store) {
    return store.queue("bills", String.class);
  }

  private static CrashExplorer<Holdfast> explorer() {
    return CrashExplorer.<Holdfast>of(
            "a shop", memory -> new HoldfastOpener().open(memory, Durability.PROCESS_CRASH))
        .given(store -> orders(store).add("one"));
  }

  @CrashTest
  void anOrderIsMovedOrNot(CrashExplorer<Holdfast> explorer) {
    explorer
        .given(store -> orders(store).add("one"))
        .step("move", store -> store.atomically(() -> bills(store).add(orders(store).remove())))
        .state(store -> List.of(List.copyOf(orders(store)), List.copyOf(bills(store))));
  }

  @Test
  void aMoveInTwoStepsIsNotSurvived() {
    assertThatThrownBy(
            () ->
                explorer()
                    .step("move", store -> bills(store).add(orders(store).remove()))
                    .state(store -> List.of(List.copyOf(orders(store)), List.copyOf(bills(store))))
                    .explore())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(
            "a shop: a crash is not survived: 0 steps acknowledged, in flight: move")
        .hasMessageContaining("found=[[], []], allowed=[[one], []], or [[], [one]]")
        .hasMessageContaining("-Dholdfast.explorer.seed")
        .hasMessageNotContaining("without any crash");
  }

  @Test
  void aCheckThatFailsWithoutAnyCrash() {
    assertThatThrownBy(
            () ->
                explorer()
                    .step("move", store -> store.atomically(() -> orders(store).remove()))
                    .check((store, point) -> assertThat(orders(store)).hasSize(2))
                    .explore())
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("a shop: this fails without any crash: 0 steps acknowledged");
  }

  @Test
  void anOpeningThatFailsWithoutAnyCrash() {
    CrashExplorer.Opener<Holdfast> opener =
        memory -> {
          if (memory.length() > 0) {
            throw new IllegalStateException("no second opening");
          }
          return new HoldfastOpener().open(memory, Durability.PROCESS_CRASH);
        };
    assertThatThrownBy(
            () ->
                CrashExplorer.of("a shop", opener)
                    .step("add", store -> orders(store).add("one"))
                    .explore())
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("a shop: this fails without any crash: 0 steps acknowledged")
        .hasMessageContaining("no second opening");
  }

  @Test
  void aStepThatFailsWithoutAnyCrash() {
    assertThatThrownBy(
            () ->
                explorer()
                    .step("move", store -> bills(store).remove())
                    .state(store -> List.copyOf(orders(store)))
                    .explore())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(
            "the step \"move\" fails without any crash: java.util.NoSuchElementException");
  }

  @Test
  void aBodyThatIsNotDeterministic() {
    int[] runs = {0};
    assertThatThrownBy(
            () ->
                explorer()
                    .step("add", store -> orders(store).add("run " + runs[0]++))
                    .state(store -> List.copyOf(orders(store)))
                    .explore())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("this fails without any crash: ")
        .hasMessageContaining("so the body is not deterministic");
  }
}
