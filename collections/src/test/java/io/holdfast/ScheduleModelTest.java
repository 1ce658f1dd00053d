package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.testkit.RecordingMemory;
import io.holdfast.testkit.TestForm;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Random calls that are scheduled, once and again and again, with ids and without, taken back,
/// made before their time, and rolled back; and the same on a list. The process dies now and then,
/// and the next one makes what is due. After each step the schedule and the effects are the
/// model's.
///
/// Times are half a day from those that a repetition may come to, so that the test's own time does
/// not matter. `-Dholdfast.seed` repeats a failure.
@ExtendWith(QuietRecoveries.class)
class ScheduleModelTest {
  private static final Long ONLY = Long.getLong("holdfast.seed");
  private static final int RUNS = TestForm.count(20, 200);
  private static final int STEPS = 60;
  private static final int IDS = 8;
  private static final Duration DAY = Duration.ofDays(1);
  private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MILLIS);

  /// @param period `null` for once
  private record Planned(String id, Instant at, Duration period, String argument) {
    Planned next() {
      Instant next = at;
      while (!next.isAfter(NOW)) {
        next = next.plus(period);
      }
      return new Planned(id, next, period, argument);
    }
  }

  @Test
  void whatIsDueIsMadeOnceForEachOfItsTimes() {
    for (long seed = 1; seed <= RUNS; seed++) {
      if (ONLY == null || ONLY == seed) {
        new Run(seed).run();
      }
    }
  }

  private static final class Run {
    private final String reproduce;
    private final Random random;

    // The model.
    private final List<Planned> planned = new ArrayList<>();
    private final Map<String, Integer> effects = new HashMap<>();
    private final Set<String> made = new HashSet<>();

    private RecordingMemory memory = new RecordingMemory();
    private Holdfast store;
    private Map<String, Integer> counts;
    private Resumable<String, Void> call;

    Run(long seed) {
      reproduce = "-Dtest=ScheduleModelTest -Dholdfast.seed=" + seed;
      random = new Random(seed);
      open();
    }

    private void open() {
      store = Holdfast.over(memory);
      counts = store.hashMap("counts", String.class, Integer.class);
      call =
          store.resumable(
              "call",
              String.class,
              text -> {
                counts.merge(text, 1, Integer::sum);
              });
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        String id = "id " + random.nextInt(IDS);
        String argument = "argument " + random.nextInt(5);
        Instant at = NOW.plus(DAY.multipliedBy(random.nextInt(-4, 4))).plus(DAY.dividedBy(2));
        switch (random.nextInt(8)) {
          case 0 -> {
            call.at(at, argument);
            planned.add(new Planned(null, at, null, argument));
          }
          case 1 -> {
            call.at(id, at, argument);
            if (!made.contains(id) && find(id) == null) {
              planned.add(new Planned(id, at, null, argument));
            }
          }
          case 2 -> every(id, at, DAY.multipliedBy(1 + random.nextInt(2)), argument);
          case 3 -> {
            Planned there = find(id);
            assertThat(call.cancel(id)).as(reproduce).isEqualTo(there != null);
            planned.remove(there);
          }
          case 4 -> {
            call.run(id, argument);
            make(id, argument);
          }
          case 5 -> rollBack(id, at, argument);
          case 6 -> {
            store.close();
            nextProcess(memory);
          }
          default -> { // it was killed
            RecordingMemory left = memory.copy();
            store.close();
            nextProcess(left);
          }
        }
        check();
      }
      store.close();
    }

    private Planned find(String id) {
      return planned.stream().filter(each -> id.equals(each.id())).findFirst().orElse(null);
    }

    private void every(String id, Instant first, Duration period, String argument) {
      call.every(id, first, period, argument);
      Planned there = find(id);
      boolean isThere =
          there != null
              && period.equals(there.period())
              && argument.equals(there.argument())
              && !(there.at().isAfter(first)
                  && there.at().isAfter(NOW.plus(period.multipliedBy(2))));
      if (!isThere) {
        planned.remove(there);
        planned.add(new Planned(id, first, period, argument));
      }
    }

    private void rollBack(String id, Instant at, String argument) {
      store.transaction(
          () ->
              Transaction.orElse(
                  () -> {
                    call.cancel(id);
                    call.at(at, argument);
                    call.every(id, at, DAY, argument + " again");
                    return Transaction.retry();
                  },
                  () -> null));
    }

    private void make(String id, String argument) {
      if (id == null || made.add(id)) {
        effects.merge(argument, 1, Integer::sum);
      }
    }

    private void nextProcess(RecordingMemory left) {
      memory = left;
      open();
      for (Planned each : List.copyOf(planned)) {
        if (!each.at().isAfter(NOW)) {
          planned.remove(each);
          if (each.period() == null) {
            make(each.id(), each.argument());
          } else {
            make(null, each.argument());
            planned.add(each.next());
          }
        }
      }
    }

    private void check() {
      assertThat(call.scheduled())
          .as(reproduce)
          .isSortedAccordingTo((one, other) -> one.at().compareTo(other.at()))
          .extracting(due -> due.at() + " " + due.element())
          .containsExactlyInAnyOrderElementsOf(
              planned.stream().map(each -> each.at() + " " + each.argument()).toList());
      assertThat(counts).as(reproduce).containsExactlyInAnyOrderEntriesOf(effects);
      assertThat(store.unfinished()).as(reproduce).isEmpty();
    }
  }
}
