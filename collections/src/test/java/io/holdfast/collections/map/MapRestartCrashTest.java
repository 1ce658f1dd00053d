package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.fixture.CachedMemory;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.RecordingMemory;
import io.holdfast.testkit.TestForm;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A process is killed in an operation; the next one forces the file, completes or drops what was
/// under way, and goes on; and then the power fails: what the second process has seen, and done, is
/// there. The crash explorer knows only one of these failures at a time.
@ExtendWith(QuietRecoveries.class)
class MapRestartCrashTest {
  private static final int SEEDS = Integer.getInteger("holdfast.map.restarts", 1_000);

  /// More than any operation here makes.
  private static final int CALLS = 90;

  private static final long BOOT = 1, NEXT_BOOT = 2;

  private static final List<String> KEYS = List.of("keyOne..", "keyTwo..", "keyThree", "keyFour.");

  private static final int FEW_SEEDS = 2;

  /// With fewer, none leaves what a fence would have kept from being left (BATCH-1).
  private static final int SEEDS_THEN = 6;

  /// Leaves free slots side by side, which hold what was removed last.
  private static final List<Operation> GIVEN =
      List.of(
          Operation.put("keyOne..", "1"),
          Operation.put("keyTwo..", text("1", 150)),
          Operation.put("keyThree", "3"),
          Operation.put("keyFour.", "3"),
          Operation.put("keyFive.", "3"),
          Operation.remove("keyThree"),
          Operation.remove("keyFour."),
          Operation.remove("keyFive."));

  private static final List<Operation> KILLED =
      List.of(
          Operation.put("keyOne..", "2"),
          Operation.put("keyTwo..", text("2", 150)),
          Operation.remove("keyOne.."),
          Operation.putAll(new TreeMap<>(Map.of("keyOne..", "b1", "keyTwo..", "b2"))));

  @Test
  void whatTheNextProcessShowsIsDurable() throws InterruptedException {
    int dropped = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      Processes processes = new Processes("seed=" + seed, seed, 1 + random.nextInt(12));
      processes.kill(1, some(random, 12), Operation.any(random), random.nextInt(CALLS));
      dropped += processes.restart(some(random, 4)) ? 1 : 0;
    }
    assertThat(dropped).as("operations that were dropped").isBetween(SEEDS / 10, SEEDS * 9 / 10);
  }

  private static List<Operation> some(Random random, int most) {
    return Stream.generate(() -> Operation.any(random)).limit(random.nextInt(most)).toList();
  }

  /// Operations that are killed at every call; and then what could let an entry revive that they
  /// had replaced, or that was dropped.
  @Test
  void atEveryCall() throws InterruptedException {
    List<List<Operation>> then =
        List.of(
            List.of(),
            List.of(Operation.remove("keyOne..")),
            List.of(Operation.put("keyFour.", "4")));
    for (Operation killed : KILLED) {
      for (int seed = 0; seed < SEEDS_THEN * then.size(); seed++) {
        boolean isKilled = true;
        for (int calls = 0; isKilled; calls++) {
          String what = "%s, seed=%d, calls=%d".formatted(killed, seed, calls);
          Processes processes = new Processes(what, seed, 2 + 5 * (seed % 2));
          isKilled = processes.kill(0, GIVEN, killed, calls);
          processes.restart(then.get(seed % then.size()));
        }
      }
    }
  }

  /// The power fails while the next process opens the map, at every call.
  @Test
  void thePowerFailsInTheOpening() throws InterruptedException {
    for (Operation killed : KILLED) {
      for (int seed = 0; seed < TestForm.count(1, FEW_SEEDS); seed++) {
        boolean isKilled = true;
        for (int calls = 0; isKilled; calls += TestForm.count(3, 1)) {
          boolean isOpening = true;
          for (int more = 0; isOpening; more++) {
            String what = "%s, seed=%d, calls=%d, more=%d".formatted(killed, seed, calls, more);
            Processes processes = new Processes(what, seed + 31 * more, 2);
            isKilled = processes.kill(0, GIVEN, killed, calls);
            isOpening = processes.killOpening(more);
          }
        }
      }
    }
  }

  /// A process that is killed, and who comes after it.
  private static final class Processes {
    private final String what;
    private final CachedMemory media;
    private final Map<String, String> before = new TreeMap<>();
    private Operation killed;

    /// @param what for messages
    /// @param odds of so many stores one is written back at once
    Processes(String what, long seed, int odds) {
      this.what = what;
      this.media = new CachedMemory(seed).writingBackOneOf(odds);
    }

    /// @param shape of the map
    /// @param calls of the operation that it lives for
    /// @return whether it was killed before the operation had returned
    boolean kill(int shape, List<Operation> first, Operation operation, int calls)
        throws InterruptedException {
      killed = operation;
      return !isDone(
          done -> {
            try (MapRegion store = MapRegion.open(FlushMode.POSTED.over(media), BOOT)) {
              store.create(shape);
              first.forEach(each -> each.run(store, before));
              media.killAfter(calls);
              operation.store.accept(store);
              done.run();
              media.killAfter(0);
            }
          });
    }

    /// The next process does something more, and then the power fails.
    ///
    /// @return whether the operation that was killed is not there
    boolean restart(List<Operation> then) {
      CachedMemory restarted = media.restartedAndForced();
      try (MapRegion next = MapRegion.open(FlushMode.POSTED.over(restarted), BOOT)) {
        Map<String, String> expected = next.all();
        assertThat(expected).as(what).isIn(before, after());
        boolean dropped = !expected.equals(after());
        then.forEach(each -> each.run(next, expected));
        open(
            restarted.afterPowerFailure(),
            last -> assertThat(last.all()).as(what).isEqualTo(expected));
        return dropped;
      }
    }

    /// The next process opens the map, and behind some calls of that the power fails.
    ///
    /// @return whether it had not opened it
    boolean killOpening(int calls) throws InterruptedException {
      CachedMemory restarted = media.restartedAndForced();
      boolean isOpen =
          isDone(
              done -> {
                try (Region region =
                    Region.open(FlushMode.POSTED.over(restarted), MapRegion.BYTES)) {
                  long root = region.roots().all().iterator().next().firstBlock();
                  restarted.killAfter(calls);
                  new EntryMap(region, root, BOOT, false);
                  done.run();
                  restarted.killAfter(0);
                }
              });
      open(
          restarted.afterPowerFailure(),
          last -> assertThat(last.all()).as(what).isIn(before, after()));
      return !isOpen;
    }

    private Map<String, String> after() {
      Map<String, String> after = new TreeMap<>(before);
      killed.model.accept(after);
      return after;
    }

    private void open(RecordingMemory left, Consumer<MapRegion> check) {
      try (MapRegion last = MapRegion.open(FlushMode.POSTED.over(left), NEXT_BOOT)) {
        check.accept(last);
        last.check();
      }
    }

    /// Runs a process in a thread of its own.
    private static boolean isDone(Consumer<Runnable> process) throws InterruptedException {
      boolean[] isDone = new boolean[1];
      Thread thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      process.accept(() -> isDone[0] = true);
                    } catch (CachedMemory.Killed | HoldfastException e) {
                      // It was killed, or tells of it; what follows is done by who comes next.
                    }
                  });
      thread.join();
      return isDone[0];
    }
  }

  /// What is done to the map, and to its twin.
  private record Operation(
      String name, Consumer<MapRegion> store, Consumer<Map<String, String>> model) {
    static Operation any(Random random) {
      String key = KEYS.get(random.nextInt(KEYS.size()));
      Map<String, String> entries = entries(random);
      return switch (random.nextInt(4)) {
        case 0 -> remove(key);
        case 1 -> putAll(entries);
        case 2 ->
            new Operation(
                "section",
                store -> atomically(() -> entries.forEach(store::put)),
                model -> model.putAll(entries));
        default -> put(key, value(random));
      };
    }

    static Operation put(String key, String value) {
      return new Operation("put", store -> store.put(key, value), model -> model.put(key, value));
    }

    static Operation putAll(Map<String, String> entries) {
      return new Operation("batch", store -> store.putAll(entries), model -> model.putAll(entries));
    }

    static Operation remove(String key) {
      return new Operation("removal", store -> store.remove(key), model -> model.remove(key));
    }

    @Override
    public String toString() {
      return name;
    }

    void run(MapRegion region, Map<String, String> twin) {
      store.accept(region);
      model.accept(twin);
    }

    private static Map<String, String> entries(Random random) {
      Map<String, String> entries = new TreeMap<>();
      for (int i = 0; i < 3; i++) {
        entries.put(KEYS.get(random.nextInt(KEYS.size())), value(random));
      }
      return entries;
    }

    /// In one line, or in several.
    private static String value(Random random) {
      return text("v" + random.nextInt(100), random.nextInt(3) == 0 ? 150 : 4);
    }
  }
}
