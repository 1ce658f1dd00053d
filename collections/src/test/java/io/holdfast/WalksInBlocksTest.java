package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// WALK-1: walks over maps by who changes them meanwhile, in each kind of block that holds changes
/// back.
class WalksInBlocksTest {
  /// More than a segment of the index has.
  private static final long KEYS = 3_000;

  @TempDir Path dir;
  private Holdfast store;
  private Map<Long, Long> words;
  private Map<String, String> texts;
  private Map<Long, Long> sorted;

  enum Block {
    NONE {
      @Override
      void run(Holdfast store, Runnable body) {
        body.run();
      }
    },
    TRANSACTION {
      @Override
      void run(Holdfast store, Runnable body) {
        store.transaction(body);
      }
    },
    SECTION {
      @Override
      void run(Holdfast store, Runnable body) {
        store.atomically(body);
      }
    },
    LOCK {
      @Override
      void run(Holdfast store, Runnable body) {
        Lock lock = new DurableLock();
        lock.lock();
        try {
          body.run();
        } finally {
          lock.unlock();
        }
      }
    },
    TRANSACTION_IN_SECTION {
      @Override
      void run(Holdfast store, Runnable body) {
        store.atomically(() -> store.transaction(body));
      }
    };

    abstract void run(Holdfast store, Runnable body);
  }

  @BeforeEach
  void open() {
    store = Holdfast.open(dir.resolve("w.hf"));
    words = store.hashMap("words", Long.class, Long.class);
    texts = store.hashMap("texts", String.class, String.class);
    sorted = store.treeMap("sorted", Long.class, Long.class);
    for (long key = 0; key < KEYS; key++) {
      words.put(key, key);
      texts.put("" + key, "v");
      sorted.put(key, key);
    }
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Stream<Map<Long, Long>> mapsOfLongs() {
    return Stream.of(words, sorted);
  }

  private static void assertGrownBy(long number, Map<Long, Long> map) {
    assertThat(map).hasSize((int) KEYS);
    assertThat(map.entrySet()).allMatch(entry -> entry.getValue() == entry.getKey() + number);
  }

  @ParameterizedTest
  @EnumSource
  void replaceAllCallsItsFunctionOnceForEachEntry(Block block) {
    block.run(
        store,
        () -> {
          texts.put("new", "v");
          texts.put("7", "w");
          texts.remove("8");
          texts.replaceAll((_, value) -> value + "'");
          mapsOfLongs().forEach(map -> map.replaceAll((_, value) -> value + 1));
        });

    assertThat(texts).hasSize((int) KEYS).containsEntry("new", "v'").containsEntry("7", "w'");
    assertThat(texts.values()).allMatch(value -> value.length() == 2);
    mapsOfLongs().forEach(map -> assertGrownBy(1, map));
  }

  @ParameterizedTest
  @EnumSource
  void whatIsSetInAnEntryIsNotMetAgain(Block block) {
    mapsOfLongs()
        .<Consumer<Consumer<Map.Entry<Long, Long>>>>flatMap(
            map ->
                Stream.of(
                    action -> map.entrySet().forEach(action),
                    action -> map.entrySet().stream().forEach(action),
                    action -> map.forEach((key, value) -> action.accept(Map.entry(key, value)))))
        .forEach(
            walk -> {
              List<Long> met = new ArrayList<>();
              block.run(
                  store,
                  () -> {
                    met.clear();
                    walk.accept(
                        entry -> {
                          met.add(entry.getKey());
                          words.put(entry.getKey(), entry.getValue() + 1);
                          sorted.put(entry.getKey(), entry.getValue() + 1);
                        });
                  });
              assertThat(met).hasSize((int) KEYS).doesNotHaveDuplicates();
            });
    mapsOfLongs().forEach(map -> assertGrownBy(6, map));
  }

  @ParameterizedTest
  @EnumSource
  void ofWhatIsGoneAtMostOneIsMet(Block block) {
    block.run(
        store,
        () ->
            mapsOfLongs()
                .forEach(
                    map -> {
                      Iterator<Long> keys = map.keySet().iterator();
                      long first = keys.next();
                      long second = keys.next();
                      Set<Long> kept = new HashSet<>(List.of(first, second, KEYS - 1));
                      map.keySet().retainAll(kept);
                      List<Long> gone = new ArrayList<>();
                      keys.forEachRemaining(key -> gone.add(kept.contains(key) ? null : key));
                      gone.removeIf(Objects::isNull);
                      assertThat(gone).hasSizeLessThanOrEqualTo(1); // what it had looked for
                      assertThat(map).hasSize(kept.size());
                    }));
  }

  /// An iterator may be made in a block and used after it, and the other way round.
  @ParameterizedTest
  @EnumSource
  void aWalkThatOutlastsItsBlock(Block block) {
    mapsOfLongs()
        .forEach(
            map -> {
              Map<Long, Long> expected = new TreeMap<>(map);
              List<Iterator<Map.Entry<Long, Long>>> begun = new ArrayList<>();
              block.run(
                  store,
                  () -> {
                    begun.clear();
                    map.put(7L, 70L);
                    map.put(KEYS, 71L);
                    map.remove(8L);
                    begun.add(map.entrySet().iterator());
                  });
              expected.put(7L, 70L);
              expected.put(KEYS, 71L);
              expected.remove(8L);
              List<Map.Entry<Long, Long>> met = new ArrayList<>();
              begun.getFirst().forEachRemaining(met::add);
              assertThat(met).containsExactlyInAnyOrderElementsOf(expected.entrySet());

              met.clear();
              Iterator<Map.Entry<Long, Long>> before = map.entrySet().iterator();
              met.add(before.next());
              block.run(
                  store,
                  () -> {
                    for (int i = 0; i < 100; i++) {
                      met.add(before.next());
                    }
                    met.forEach(entry -> map.put(entry.getKey(), -1L));
                    before.forEachRemaining(met::add);
                  });
              assertThat(met).containsExactlyInAnyOrderElementsOf(expected.entrySet());
            });
  }

  /// It has read them before, and others have changed all since.
  @Test
  void walk2AWalkThatATransactionGoesOnWith() {
    for (Map<Long, Long> map : List.of(words, sorted)) {
      Iterator<Map.Entry<Long, Long>> walk = map.entrySet().iterator();
      assertThat(walk).hasNext();
      map.replaceAll((_, value) -> value + KEYS);
      map.remove(KEYS / 2);
      int[] found = new int[1];
      store.transaction(
          () -> {
            while (walk.hasNext()) {
              Map.Entry<Long, Long> entry = walk.next();
              assertThat(entry.getValue()).isEqualTo(entry.getKey() + KEYS);
              found[0]++;
            }
          });
      assertThat(found[0]).isEqualTo(KEYS - 1);
    }
  }
}
