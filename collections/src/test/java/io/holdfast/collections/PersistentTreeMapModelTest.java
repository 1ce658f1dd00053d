package io.holdfast.collections;

import static io.holdfast.collections.RawCodec.RAW;
import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.collections.overlay.Transactions;
import io.holdfast.core.Durability;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.testkit.RecordingMemory;
import io.holdfast.testkit.TestForm;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A sorted map against a `TreeMap`, by random operations in rounds, each of which ends in one of
/// the ways of {@link End}. Then the map is validated and compared as a whole.
///
/// `-Dholdfast.tree.operations=N` does so many for each kind of key and failure,
/// `-Dholdfast.tree.seed=N` chooses others. A failure names its seed.
class PersistentTreeMapModelTest {
  private static final int OPERATIONS =
      Integer.getInteger("holdfast.tree.operations", TestForm.count(4_000, 12_000));
  private static final long SEED = Long.getLong("holdfast.tree.seed", 1);
  private static final int ROUND = 150;
  private static final long INITIAL_BYTES = 1 << 18;

  /// How a round ends.
  private enum End {
    GOES_ON,
    CLOSED,
    /// A crash between two operations.
    KILLED,
    /// A crash in a section of several operations.
    KILLED_IN_A_SECTION,
    /// A crash before one of the stores of an operation on one entry.
    KILLED_AT_A_STORE,
    /// A section that finds no room.
    ROLLED_BACK,
    CLEARED
  }

  static Stream<Arguments> kinds() {
    return SortedMapKeys.all().stream()
        .flatMap(keys -> Stream.of(Durability.values()).map(each -> Arguments.of(keys, each)));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void doesWhatATreeMapDoes(SortedMapKeys<?> keys, Durability durability) {
    new Run<>(keys, durability).run();
  }

  /// A store and its model.
  private static final class Run<K> {
    private final SortedMapKeys<K> keys;
    private final Durability durability;
    private final Random random;
    private final SortedMapOperations<K> operation;
    private final Map<End, Integer> ends = new EnumMap<>(End.class);
    private RecordingMemory bytes = new RecordingMemory();
    private HookedMemory hooked;
    private TreeMapRegion store;
    private PersistentTreeMap<K, String> map;
    private TreeMap<K, String> model;
    private int operations;
    private int entriesMax;

    Run(SortedMapKeys<K> keys, Durability durability) {
      this.keys = keys;
      this.durability = durability;
      this.random = new Random(31 * SEED + 7L * keys.name().hashCode() + durability.ordinal());
      this.operation = new SortedMapOperations<>(keys, random);
      this.model = new TreeMap<>(keys.comparator());
    }

    void run() {
      open(bytes);
      try {
        while (operations < OPERATIONS) {
          round();
        }
        checkSame();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("%s%n  %s".formatted(e.getMessage(), tell()), e);
      } finally {
        store.close();
      }
      System.out.println("compared a sorted map with a TreeMap: " + tell());
    }

    private String tell() {
      return "keys: %s, %s, -Dholdfast.tree.seed=%d -Dholdfast.tree.operations=%d: %d done, entries at most=%d, %s"
          .formatted(keys, durability, SEED, OPERATIONS, operations, entriesMax, ends);
    }

    private void open(RecordingMemory opened) {
      bytes = opened;
      hooked = new HookedMemory(opened);
      boolean isOrdered = durability == Durability.POWER_FAILURE;
      store = TreeMapRegion.open(isOrdered ? FlushMode.POSTED.over(hooked) : hooked, INITIAL_BYTES);
      map = store.map("map", keys.codec(), RAW, keys.comparator());
    }

    private void round() {
      if (random.nextInt(8) == 0) {
        operation.drift();
      }
      for (int i = random.nextInt(2 * ROUND); i > 0; i--) {
        if (random.nextInt(20) == 0) {
          block();
        } else {
          operate(1);
        }
      }
      End[] all = End.values();
      End end = all[random.nextInt(all.length)];
      if (end == End.CLEARED && random.nextInt(10) != 0) {
        end = End.GOES_ON;
      }
      ends.merge(end, 1, Integer::sum);
      end(end);
      checkSame();
    }

    /// What a section holds back has one key of those that are level, the first one: unlike a
    /// `TreeMap`, which takes another one after a removal.
    private int inASection(int times) {
      return keys.name().equals("ignoring case") ? Math.min(times, 1) : times;
    }

    /// Operations in a section, a transaction, one in a section, or one that is given up.
    private void block() {
      int times = inASection(random.nextInt(random.nextInt(4) == 0 ? 80 : 8));
      switch (random.nextInt(4)) {
        case 0 -> atomically(() -> operate(times));
        case 1 -> transaction(() -> operate(times));
        case 2 ->
            atomically(
                () -> {
                  operate(times);
                  if (times > 1) {
                    transaction(() -> operate(times));
                    giveUp(times);
                    operate(times);
                  }
                });
        default -> giveUp(times);
      }
    }

    private void transaction(Runnable body) {
      new Transactions("model", store.region().sections())
          .run(
              () -> {
                body.run();
                return null;
              },
              false,
              Long.MAX_VALUE);
    }

    private void giveUp(int times) {
      TreeMap<K, String> before = new TreeMap<>(model);
      assertThatExceptionOfType(ArithmeticException.class)
          .isThrownBy(
              () ->
                  transaction(
                      () -> {
                        operate(times);
                        throw new ArithmeticException();
                      }));
      model = before;
    }

    private void operate(int times) {
      for (int i = 0; i < times; i++) {
        operation.operate(map, model);
        operations++;
      }
      entriesMax = Math.max(entriesMax, model.size());
    }

    private void end(End end) {
      switch (end) {
        case GOES_ON -> {}
        case CLOSED -> {
          store.close();
          open(bytes);
        }
        case KILLED -> openCopy(bytes.copy());
        case KILLED_IN_A_SECTION -> killInASection();
        case KILLED_AT_A_STORE -> killAtAStore();
        case ROLLED_BACK -> rollBack();
        case CLEARED -> {
          map.clear();
          model.clear();
        }
      }
    }

    /// Goes on with the bytes as they were at a moment.
    private void openCopy(RecordingMemory copy) {
      store.close();
      open(copy);
    }

    private void killInASection() {
      TreeMap<K, String> before = new TreeMap<>(model);
      List<RecordingMemory> left = new ArrayList<>();
      atomically(
          () -> {
            operate(inASection(1 + random.nextInt(40)));
            left.add(bytes.copy());
          });
      model = before;
      openCopy(left.getFirst());
    }

    private void killAtAStore() {
      int[] storesLeft = {random.nextInt(random.nextInt(4) == 0 ? 400 : 12)};
      List<RecordingMemory> left = new ArrayList<>();
      hooked.beforeEachStore(
          () -> {
            if (storesLeft[0]-- == 0) {
              left.add(bytes.copy());
            }
          });
      TreeMap<K, String> before = new TreeMap<>(model);
      while (left.isEmpty()) {
        before = new TreeMap<>(model);
        operation.single(map, model);
        operations++;
      }
      openCopy(left.getFirst());
      if (before.equals(new TreeMap<>(map))) {
        model = before;
      }
    }

    private void rollBack() {
      TreeMap<K, String> before = new TreeMap<>(model);
      bytes.limitTo(bytes.length());
      atomically(
          () -> {
            try {
              operate(inASection(1 + random.nextInt(60)));
              store.region().heap().allocate(INITIAL_BYTES * 1_000);
              throw new AssertionError("there was room");
            } catch (RegionFullException _) {
              // the section is rolled back
            }
          });
      bytes.limitTo(Long.MAX_VALUE);
      model = before;
    }

    private void checkSame() {
      assertThat(map.validate()).as("validated").isEqualTo(model.size());
      assertThat(map.size()).as("size").isEqualTo(model.size());
      List<Map.Entry<K, String>> all = List.copyOf(model.entrySet());
      assertThat(new ArrayList<>(map.entrySet())).isEqualTo(all);
      assertThat(new ArrayList<>(map.descendingMap().entrySet())).isEqualTo(all.reversed());
    }
  }
}
