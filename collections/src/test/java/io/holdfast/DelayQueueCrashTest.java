package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.Due;
import io.holdfast.collections.PersistentDelayQueue;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import io.holdfast.testkit.HoldfastOpener;
import io.holdfast.testkit.TestForm;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Crashes while elements come and go, and in the recovery after it.
class DelayQueueCrashTest {
  private static final Instant PAST = Instant.ofEpochMilli(1_000_000);
  private static final Instant FUTURE = Instant.ofEpochMilli(4_000_000_000_000L);

  private static PersistentDelayQueue<String> queue(Holdfast store) {
    return store.delayQueue("later", String.class);
  }

  private static List<String> done(Holdfast store) {
    return List.copyOf(store.queue("done", String.class));
  }

  private static Object state(Holdfast store) {
    return List.of(List.copyOf(queue(store)), done(store));
  }

  private static void move(Holdfast store) {
    Due<String> due = queue(store).poll();
    store.queue("done", String.class).add(due.element());
  }

  private static CrashExplorer<Holdfast> prepared(CrashExplorer<Holdfast> explorer) {
    return explorer
        .bounds(Bounds.SPARSE)
        .crashesOfRecovery(TestForm.count(0, 1))
        .given(
            store -> {
              queue(store).add("tomorrow", FUTURE);
              queue(store).add("b", PAST.plusMillis(1));
              queue(store).add("a", PAST);
              store.queue("done", String.class);
            })
        .state(DelayQueueCrashTest::state)
        .check(
            (store, _) -> {
              queue(store).add("last", PAST.plusMillis(2));
              List<Due<String>> rest = new ArrayList<>();
              queue(store).drainTo(rest);
              assertThat(rest.getLast().element()).isEqualTo("last");
              assertThat(queue(store)).extracting(Due::element).contains("tomorrow");
              queue(store).validate();
            });
  }

  @CrashTest(opener = HoldfastOpener.class)
  void anElementIsThereOrNot(CrashExplorer<Holdfast> explorer) {
    prepared(explorer)
        .step("add", store -> queue(store).add("c", PAST))
        .step("poll", store -> queue(store).poll())
        .step("remove", store -> queue(store).remove(new Due<>(FUTURE.plusMillis(1), "no")))
        .step("drain one", store -> queue(store).drainTo(new ArrayList<>(), 1));
  }

  @CrashTest(opener = HoldfastOpener.class)
  void delay1AnElementIsTakenOnce(CrashExplorer<Holdfast> explorer) {
    prepared(explorer)
        .step("in a transaction", store -> store.transaction(() -> move(store)))
        .step(
            "in a section, and one to come",
            store ->
                store.atomically(
                    () -> {
                      move(store);
                      queue(store).add("again", FUTURE.plusMillis(9));
                    }));
  }
}
