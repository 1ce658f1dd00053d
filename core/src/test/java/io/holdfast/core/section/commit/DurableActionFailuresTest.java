package io.holdfast.core.section.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.section.commit.DurableActions.Action;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DurableActionFailuresTest {
  @Test
  void aFailureOfTheJvmWhileItWaitsDropsNothing() {
    AtomicInteger waits = new AtomicInteger();
    DurableActions actions =
        new DurableActions(
            "r.hf",
            () -> {
              if (waits.incrementAndGet() <= 2) {
                throw new OutOfMemoryError("for the test");
              }
            });
    List<String> done = new ArrayList<>();
    actions.add(List.of(new Action(1, 1, () -> done.add("first"))));
    actions.finish();
    assertThat(done).containsExactly("first");
    assertThat(waits).hasValue(3);
  }

  @Test
  void theNextOneRunsWhateverTheFirstThrows() {
    DurableActions actions = new DurableActions("r.hf", () -> {});
    List<String> done = new ArrayList<>();
    RuntimeException thatCannotBeLogged =
        new RuntimeException() {
          @Override
          public String toString() {
            throw new StackOverflowError("for the test");
          }
        };
    actions.add(
        List.of(
            new Action(
                1,
                1,
                () -> {
                  throw thatCannotBeLogged;
                }),
            new Action(2, 1, () -> done.add("second"))));
    actions.finish();
    assertThat(done).containsExactly("second");
  }

  @Test
  void theNextOneIsNotInterruptedByTheFirst() {
    DurableActions actions = new DurableActions("r.hf", () -> {});
    AtomicBoolean wasInterrupted = new AtomicBoolean();
    actions.add(
        List.of(
            new Action(1, 1, () -> Thread.currentThread().interrupt()),
            new Action(2, 1, () -> wasInterrupted.set(Thread.interrupted()))));
    actions.finish();
    assertThat(wasInterrupted).isFalse();
  }

  @Test
  void nobodyWaitsForWhatIsAddedLater() throws InterruptedException {
    DurableActions actions = new DurableActions("r.hf", () -> {});
    AtomicBoolean isOver = new AtomicBoolean();
    Runnable again =
        new Runnable() {
          @Override
          public void run() {
            if (!isOver.get()) {
              actions.add(List.of(new Action(1, 1, this)));
            }
          }
        };
    actions.add(List.of(new Action(1, 1, again)));
    Thread finishing = Thread.ofPlatform().daemon().start(actions::finish);
    assertThat(finishing.join(Duration.ofSeconds(20))).isTrue();
    isOver.set(true);
  }
}
