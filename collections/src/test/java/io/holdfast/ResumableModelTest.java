package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.holdfast.core.CallFailedException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.testkit.RecordingMemory;
import io.holdfast.testkit.TestForm;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Random calls, and the same on a set of ids: with ids and without, by `run`, by `submit` and in
/// sections that stay or are rolled back; some fail; the process dies in the middle of some, before
/// the function or behind it, and the next one too; the device is full now and then; and ids are
/// forgotten. After each step the effects, the outcomes and what is unfinished are the model's.
///
/// `-Dholdfast.seed` repeats a failure.
@ExtendWith(QuietRecoveries.class)
class ResumableModelTest {
  private static final Long ONLY = Long.getLong("holdfast.seed");
  private static final int RUNS = TestForm.count(20, 200);
  private static final int STEPS = 80;
  private static final int IDS = 25;
  private static final int KEPT = 10;
  private static final int FAILS = 7;
  private static final Logger LOG = Logger.getLogger("io.holdfast");

  @BeforeAll
  static void logNoFailuresOfCalls() {
    LOG.setFilter(logged -> !logged.getMessage().contains("resumable"));
  }

  @AfterAll
  static void logAll() {
    LOG.setFilter(null);
  }

  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void everyCallIsMadeOnce() {
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
    private final Map<Integer, Integer> effects = new HashMap<>();
    private final Map<String, Object> outcomes = new HashMap<>();
    private final Deque<String> order = new ArrayDeque<>();

    private RecordingMemory memory = new RecordingMemory();
    private Holdfast store;
    private Map<Integer, Integer> sums;
    private Resumable<Integer, Integer> call;

    /// The memory as it was when a function was at some place of its body; `null` if none is to be
    /// kept.
    private RecordingMemory killed;

    private boolean killsBefore;
    private boolean killsBehind;

    Run(long seed) {
      reproduce = "-Dtest=ResumableModelTest -Dholdfast.seed=" + seed;
      random = new Random(seed);
      open();
    }

    private void open() {
      store = Holdfast.over(memory);
      sums = store.hashMap("sums", Integer.class, Integer.class);
      call =
          store.resumable(
              "call",
              Integer.class,
              Integer.class,
              Resumable.Options.<Integer>defaults().keep(KEPT, Duration.ofDays(1)),
              this::add);
    }

    private int add(int argument) {
      if (killsBefore) {
        killed = memory.copy();
      }
      int sum = sums.merge(argument, 1, Integer::sum);
      if (argument % FAILS == 0) {
        throw new Refused();
      }
      if (killsBehind) {
        killed = memory.copy();
      }
      return sum;
    }

    /// What a call does in the model.
    ///
    /// @param id `null` for none
    /// @return its result; `null` if it fails
    private Integer model(String id, int argument) {
      Object known = id == null ? null : outcomes.get(id);
      if (known != null) {
        return known instanceof Integer result ? result : null;
      }
      Integer result = argument % FAILS == 0 ? null : effects.merge(argument, 1, Integer::sum);
      if (id != null) {
        outcomes.put(id, result == null ? "failed" : result);
      }
      if (id != null || result == null) { // a failure without an id is kept, too
        order.add(id == null ? "" : id);
      }
      return result;
    }

    private void forget() {
      while (order.size() > KEPT) {
        outcomes.remove(order.remove());
      }
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        String id = random.nextInt(3) == 0 ? null : "id " + random.nextInt(IDS);
        int argument = 1 + random.nextInt(30);
        switch (random.nextInt(12)) {
          case 0, 1 -> submit(id, argument);
          case 2 -> inASection(id, argument, random.nextBoolean());
          case 3, 4 -> dieInACall(id, argument);
          case 5 -> onAFullDevice(id, argument);
          case 6 -> reopen();
          default -> call(id, argument);
        }
        check(i);
      }
      store.close();
    }

    private Integer result(Integer expected, Supplier<Integer> action) {
      try {
        Integer result = action.get();
        if (expected == null) {
          fail(reproduce + ": it should have failed");
        }
        return result;
      } catch (Refused | CallFailedException e) {
        if (expected != null) {
          throw e;
        }
        return null;
      }
    }

    private Integer made(String id, int argument) {
      return id == null ? call.run(argument) : call.run(id, argument);
    }

    private void call(String id, int argument) {
      boolean isNew = id != null && !outcomes.containsKey(id);
      Integer expected = model(id, argument);
      assertThat(result(expected, () -> made(id, argument))).as(reproduce).isEqualTo(expected);
      if (isNew) {
        forget();
      }
    }

    private void submit(String id, int argument) {
      boolean isNew = id != null && !outcomes.containsKey(id);
      Integer expected = model(id, argument);
      CompletableFuture<Integer> future =
          id == null ? call.submit(argument) : call.submit(id, argument);
      assertThat(
              result(
                  expected,
                  () -> {
                    try {
                      return future.join();
                    } catch (CompletionException e) {
                      throw (RuntimeException) e.getCause();
                    }
                  }))
          .as(reproduce)
          .isEqualTo(expected);
      if (isNew) {
        forget();
      }
    }

    /// Where a call fails, that is no outcome of its id; the section goes on.
    private void inASection(String id, int argument, boolean stays) {
      boolean fails = !outcomes.containsKey(String.valueOf(id)) && argument % FAILS == 0;
      Integer expected = stays && !fails ? model(id, argument) : null;
      try {
        store.transaction(
            () -> {
              Integer result = made(id, argument);
              if (!stays) {
                throw new Refused();
              }
              assertThat(result).as(reproduce).isEqualTo(expected);
            });
      } catch (Refused | CallFailedException e) {
        assertThat(expected).as(reproduce).isNull();
      }
    }

    /// The call was accepted by then, if it is a new one.
    private void dieInACall(String id, int argument) {
      boolean isOfTheNextToo = random.nextBoolean();
      killsBefore = random.nextBoolean();
      killsBehind = !killsBefore;
      call(id, argument);
      if (killed != null) {
        memory = killed;
        killed = null;
        store.close();
        if (!isOfTheNextToo) {
          killsBefore = false;
          killsBehind = false;
        }
        open(); // which makes the call
        if (killed != null) {
          memory = killed;
          store.close();
          killsBefore = false;
          killsBehind = false;
          open();
        }
        forget(); // at registration
      }
      killsBefore = false;
      killsBehind = false;
      killed = null;
    }

    /// Where it found no room, it is made when there is some: by itself, if it was accepted.
    private void onAFullDevice(String id, int argument) {
      boolean isNew = id != null && !outcomes.containsKey(id);
      Integer expected = model(id, argument);
      memory.limitTo(memory.length());
      try {
        assertThat(result(expected, () -> made(id, argument))).as(reproduce).isEqualTo(expected);
      } catch (RegionFullException e) {
        memory.limitTo(Long.MAX_VALUE);
        if (store.unfinished().isEmpty()) {
          result(expected, () -> made(id, argument));
        } else {
          call.resume();
        }
      } finally {
        memory.limitTo(Long.MAX_VALUE);
      }
      if (isNew) {
        forget();
      }
    }

    private void reopen() {
      store.close();
      open();
      forget(); // at registration
    }

    private void check(int step) {
      String where = reproduce + ", step " + step;
      assertThat(new HashMap<>(sums)).as(where).isEqualTo(effects);
      Map<String, Object> found = new HashMap<>();
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < IDS; i++) {
        ids.add("id " + i);
      }
      for (String id : ids) {
        call.outcome(id)
            .ifPresent(
                outcome -> found.put(id, outcome.failure() == null ? outcome.result() : "failed"));
      }
      assertThat(found).as(where).isEqualTo(outcomes);
      assertThat(store.unfinished()).as(where).isEmpty();
    }
  }
}
