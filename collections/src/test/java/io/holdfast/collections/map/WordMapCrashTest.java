package io.holdfast.collections.map;

import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.keyed.KeyedCrashContract;
import io.holdfast.collections.map.slot.KeyedHash;
import io.holdfast.collections.map.word.WordLayout;
import io.holdfast.core.Durability;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Crashes at every store of what a map of words does, in and outside of sections, and of the
/// opening after it, which counts anew (WORDS-3).
@ParameterizedClass
@EnumSource(Durability.class)
class WordMapCrashTest extends KeyedCrashContract<MapRegion> {
  private static final String ZERO = "\0".repeat(8);

  @Parameter Durability durability;

  @Override
  protected CrashExplorer<MapRegion> explorer(String name) {
    return MapCrashes.explorer(name, durability, MapRegion.Form.WORDS)
        .bounds(SHORT)
        .crashesOfRecovery(1);
  }

  @Test
  void words1Updates() {
    given(
            "updates",
            store -> {
              store.put("keyOne..", "1.......");
              store.put("keyTwo..", "1.......");
            })
        .bounds(Bounds.DEFAULT)
        .step("update", store -> store.put("keyOne..", "2......."))
        .step("again", store -> store.put("keyOne..", "3......."))
        .step("the same", store -> store.put("keyOne..", "3......."))
        .step("another", store -> store.put("keyTwo..", "2......."))
        .step(
            "in a section",
            store ->
                atomically(
                    () -> {
                      store.put("keyOne..", "4.......");
                      store.put("keyTwo..", "3.......");
                      store.put("keyOne..", "5.......");
                    }))
        .explore();
  }

  @Test
  void words1InsertionsAndRemovals() {
    given("insertions and removals", store -> store.put("keyOne..", "1......."))
        .bounds(Bounds.DEFAULT)
        .step("insert", store -> store.put("keyTwo..", "1......."))
        .step("remove", store -> store.remove("keyOne.."))
        .step("none", store -> assertThat(store.remove("keyOne..")).isNull())
        .step("where it was", store -> store.put("keyOne..", "2......."))
        .step("the key 0", store -> store.put(ZERO, "3......."))
        .step("updated", store -> assertThat(store.put(ZERO, ZERO)).isEqualTo("3......."))
        .step("removed", store -> assertThat(store.remove(ZERO)).isEqualTo(ZERO))
        .step("a value of zeros", store -> store.put("keyThree", ZERO))
        .step(
            "in a section",
            store ->
                atomically(
                    () -> {
                      store.remove("keyOne..");
                      store.put("keyFour.", "4.......");
                      store.put(ZERO, "5.......");
                      store.remove("keyTwo..");
                      store.put("keyTwo..", "6.......");
                    }))
        .step("remove", store -> store.remove(ZERO))
        .explore();
  }

  /// Within a step a value could be stored before its pair's former key is gone.
  @Test
  void words1APairUsedAgain() {
    List<String> keys = keysOfALine(2);
    Map<String, String> before = Map.of(keys.get(0), "1.......");
    Map<String, String> after = Map.of(keys.get(1), "2.......");
    given("a pair", store -> store.put(keys.get(0), "1......."))
        .withoutModel()
        .check((store, point) -> assertThat(store.state()).isIn(before, Map.of(), after))
        .step(
            "both",
            store -> {
              store.remove(keys.get(0));
              store.put(keys.get(1), "2.......");
            })
        .explore();
  }

  /// More keys of a line than it has pairs: they go to the next ones, and come back when segments
  /// are split.
  @Test
  void words2DisplacedKeys() {
    List<String> keys = keysOfALine(7);
    given(
            "a full line",
            store -> {
              for (int i = 0; i < 4; i++) {
                store.put(keys.get(i), "1.......");
              }
            })
        .step("the first elsewhere", store -> store.put(keys.get(4), "2......."))
        .step("the next", store -> store.put(keys.get(5), "2......."))
        .step("update of that", store -> store.put(keys.get(4), "3......."))
        .step("room in the line", store -> store.remove(keys.get(0)))
        .step("the others are found", store -> assertThat(store.get(keys.get(5))).isNotNull())
        .step("taken", store -> store.put(keys.get(6), "4......."))
        .step("remove", store -> store.remove(keys.get(4)))
        .step(
            "in a section",
            store ->
                atomically(
                    () -> {
                      store.put(keys.get(4), "5.......");
                      store.remove(keys.get(5));
                      store.put(keys.get(0), "6.......");
                    }))
        .explore();
  }

  /// The bit of a line is set in a section.
  @Test
  void words2DisplacedInASection() {
    List<String> keys = keysOfALine(6);
    given(
            "a section that fills a line",
            store -> {
              for (int i = 0; i < 3; i++) {
                store.put(keys.get(i), "1.......");
              }
            })
        .step(
            "a section",
            store -> atomically(() -> keys.forEach(each -> store.put(each, "2......."))))
        .step("update", store -> store.put(keys.get(5), "3......."))
        .explore();
  }

  /// The first keys of the same line of the first segment.
  private static List<String> keysOfALine(int count) {
    KeyedHash hash = new KeyedHash(7, 11);
    int line = WordLayout.LINES - 2; // what comes after it begins anew
    List<String> keys = new ArrayList<>();
    for (long key = 1; keys.size() < count; key++) {
      if (WordLayout.line(hash.hash(key)) == line) {
        keys.add(MapRegion.text(Encoded.of(key)));
      }
    }
    return keys;
  }

  @Test
  void growthOfTheIndex() {
    int full = entriesUntilSplit();
    assertThat(full).isGreaterThan(3 * 4 * WordLayout.LINES / 5); // as WordLayout.REACH says
    given(
            "a split, the directory doubled",
            store -> {
              for (int i = 0; i < full; i++) {
                store.put(key(i), "v.......");
              }
              store.put(ZERO, "v.......");
            })
        .bounds(new Bounds(4, 4, 4, 30))
        .step("split", store -> store.put(key(full), "v......."))
        .step("and behind", store -> store.put("keyOne..", "1......."))
        .step("update", store -> store.put(key(0), "w......."))
        .step("remove", store -> store.remove(key(1)))
        .explore();
  }

  private static String key(int number) {
    return "key%05d".formatted(number);
  }

  /// How many entries there are when one more splits the first segment.
  private static int entriesUntilSplit() {
    try (MapRegion store = MapRegion.open(new RecordingMemory(), 1, MapRegion.Form.WORDS)) {
      store.create();
      for (int i = 0; ; i++) {
        store.put(key(i), "v.......");
        int[] segments = new int[1];
        store.map().forEachSegment((first, segment, depth) -> segments[0]++);
        if (segments[0] > 1) {
          return i;
        }
      }
    }
  }

  /// Clearing and deleting leave no block.
  @Test
  void root4NothingLeaks() {
    given("clear and delete", store -> fill(store, 600))
        .bounds(new Bounds(2, 2, 2, 20))
        .step("clear", store -> store.map().clear())
        .step("use", store -> fill(store, 1))
        .step("delete", MapRegion::delete)
        .step("create", MapRegion::create)
        .step("use", store -> fill(store, 1))
        .explore();
  }

  private static void fill(MapRegion store, int count) {
    for (int i = 0; i < count; i++) {
      store.put(key(i), "a value!");
    }
  }

  /// The cache outlives the process, whatever it was to survive.
  @Test
  void aProcessThatDiesUnderPowerFailure() {
    CrashExplorer.of(
            "killed",
            memory ->
                MapRegion.open(FlushMode.POSTED.over(memory), /* boot= */ 1, MapRegion.Form.WORDS))
        .surviving(Durability.PROCESS_CRASH)
        .state(MapRegion::state)
        .check((opened, point) -> opened.check())
        .bounds(SHORT)
        .given(store -> store.create().put("keyOne..", "1......."))
        .step("update", store -> store.put("keyOne..", "2......."))
        .step("insert", store -> store.put("keyTwo..", "1......."))
        .step("remove", store -> store.remove("keyOne.."))
        .explore();
  }
}
