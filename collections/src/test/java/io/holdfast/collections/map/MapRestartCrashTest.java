package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static io.holdfast.core.explorer.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.explorer.CachedMemory;
import io.holdfast.core.explorer.RecordingMemory;
import io.holdfast.core.memory.OrderedMemory;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// A process is killed in an operation; the next one forces the file, completes or drops what was
/// under way, and goes on; and then the power fails: what the second process has seen, and done, is
/// there. The crash explorer knows only one of these failures at a time.
class MapRestartCrashTest {
  private static final Logger LOG = Logger.getLogger("io.holdfast");

  private static final int SEEDS = Integer.getInteger("holdfast.map.restarts", 1_000);

  /// More than any operation here makes.
  private static final int CALLS = 90;

  private static final long BOOT = 1, NEXT_BOOT = 2;

  private static final List<String> KEYS = List.of("keyOne..", "keyTwo..", "keyThree", "keyFour.");

  @BeforeAll
  static void tellNothingOfRecoveries() {
    LOG.setLevel(Level.WARNING);
  }

  @AfterAll
  static void tellOfRecoveries() {
    LOG.setLevel(null);
  }

  @Test
  void whatTheNextProcessShowsIsDurable() throws InterruptedException {
    int dropped = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      dropped += restart(seed) ? 1 : 0;
    }
    assertThat(dropped).as("operations that were dropped").isBetween(SEEDS / 10, SEEDS * 9 / 10);
  }

  /// @return whether the operation that was killed is not there
  private static boolean restart(int seed) throws InterruptedException {
    Random random = new Random(seed);
    CachedMemory media = new CachedMemory(seed).writingBackOneOf(1 + random.nextInt(12));
    Map<String, String> before = new TreeMap<>();
    Operation killed = Operation.any(random);
    Thread first =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (MapRegion store = MapRegion.open(new OrderedMemory(media), BOOT)) {
                    store.create(1);
                    for (int i = random.nextInt(12); i > 0; i--) {
                      Operation.any(random).run(store, before);
                    }
                    media.killAfter(random.nextInt(CALLS));
                    killed.store.accept(store);
                    media.killAfter(0);
                  } catch (CachedMemory.Killed | HoldfastException e) {
                    // It was killed, or tells of it; what follows is done by who comes next.
                  }
                });
    first.join();
    CachedMemory restarted = media.restartedAndForced();
    Map<String, String> expected;
    boolean dropped;
    RecordingMemory left;
    try (MapRegion next = MapRegion.open(new OrderedMemory(restarted), BOOT)) {
      expected = next.all();
      Map<String, String> after = new TreeMap<>(before);
      killed.model.accept(after);
      assertThat(expected).as("seed=%d", seed).isIn(before, after);
      dropped = !expected.equals(after);
      for (int i = random.nextInt(4); i > 0; i--) {
        Operation.any(random).run(next, expected);
      }
      left = restarted.afterPowerFailure();
    }
    try (MapRegion last = MapRegion.open(new OrderedMemory(left), NEXT_BOOT)) {
      assertThat(last.all()).as("seed=%d", seed).isEqualTo(expected);
      last.check();
    }
    return dropped;
  }

  /// What is done to the map, and to its twin.
  private record Operation(Consumer<MapRegion> store, Consumer<Map<String, String>> model) {
    static Operation any(Random random) {
      String key = KEYS.get(random.nextInt(KEYS.size()));
      Map<String, String> entries = entries(random);
      return switch (random.nextInt(4)) {
        case 0 -> new Operation(store -> store.remove(key), model -> model.remove(key));
        case 1 -> new Operation(store -> store.putAll(entries), model -> model.putAll(entries));
        case 2 ->
            new Operation(
                store -> atomically(() -> entries.forEach(store::put)),
                model -> model.putAll(entries));
        default -> {
          String value = value(random);
          yield new Operation(store -> store.put(key, value), model -> model.put(key, value));
        }
      };
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
