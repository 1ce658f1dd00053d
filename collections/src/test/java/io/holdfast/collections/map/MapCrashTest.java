package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.keyed.KeyedCrashContract;
import io.holdfast.core.Durability;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.RecordingMemory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Crashes at every store of a map's operations outside of sections, and of the opening after them:
/// after a loss of power with a rebuild.
@ParameterizedClass
@EnumSource(Durability.class)
class MapCrashTest extends KeyedCrashContract<MapRegion> {

  @Parameter Durability durability;

  /// After a loss of power opening rebuilds: {@link #map3RebuildIsRepeated} crashes in that.
  @Override
  protected CrashExplorer<MapRegion> explorer(String name) {
    return MapCrashes.explorer(name, durability)
        .bounds(SHORT)
        .crashesOfRecovery(durability == Durability.PROCESS_CRASH ? 1 : 0);
  }

  @Test
  void map1EntryOfOneLine() {
    given("insert, one line", store -> store.put("first...", "1......."))
        .bounds(Bounds.DEFAULT)
        .step("words", store -> store.put("keyOne..", "valueOne"))
        .step("empty", store -> store.put("", ""))
        .step("all of a line", store -> store.put("a key", text("v", 35)))
        .explore();
  }

  @Test
  void map2Reuse() {
    given(
            "reuse",
            store -> {
              for (int i = 0; i < 40; i++) { // all of the chunk's slots
                store.put("keyOne..", "former" + i);
                store.put("keyTwo..", "older." + i);
              }
            })
        .step("update", store -> store.put("keyOne..", "new....1"))
        .step("again", store -> store.put("keyOne..", "new....2"))
        .step("another", store -> store.put("keyTwo..", "new....3"))
        .step("insert", store -> store.put("keyThree", "new....4"))
        .step("update of that", store -> store.put("keyThree", "new....5"))
        .explore();
  }

  /// Free slots of one line and of two, which are taken for entries that the map has and has not.
  @Test
  void map14TheLinkOfATakenSlot() {
    given("free slots", MapRegion::makeFreeSlots)
        .step("insert", store -> store.put("keyOne..", text("1", 45)))
        .step("insert, two lines", store -> store.put("keyTwo..", text("2", 108)))
        .step("update to the other", store -> store.put("keyOne..", text("3", 46)))
        .step("update to the other", store -> store.put("keyTwo..", text("4", 45)))
        .step("remove", store -> store.remove("keyOne.."))
        .explore();
  }

  @Test
  void map4RemovalIsDurable() {
    given(
            "remove",
            store -> {
              store.put("keyOne..", "1");
              store.put("keyTwo..", "2");
              store.put("keyThree", text("3", 500));
            })
        .bounds(Bounds.DEFAULT)
        .step("the first", store -> assertThat(store.remove("keyOne..")).isEqualTo("1"))
        .step("of several lines", store -> assertThat(store.remove("keyThree")).isNotNull())
        .step("none", store -> assertThat(store.remove("keyOne..")).isNull())
        .step("again there", store -> store.put("keyOne..", "4"))
        .step("the last", store -> assertThat(store.remove("keyTwo..")).isEqualTo("2"))
        .explore();
  }

  @Test
  void map3RemovalBehindAnUpdate() {
    given(
            "update, remove",
            store -> {
              store.put("keyOne..", "1");
              store.put("keyTwo..", "1");
            })
        .bounds(Bounds.DEFAULT)
        .step("update", store -> store.put("keyOne..", "2"))
        .step("remove", store -> store.remove("keyOne.."))
        .step("update another", store -> store.put("keyTwo..", "2"))
        .step("to another class", store -> store.put("keyTwo..", text("3", 300)))
        .step("remove", store -> store.remove("keyTwo.."))
        .explore();
  }

  /// What an update made invalid is durable after the next operation, or a later removal would let
  /// it revive.
  @Test
  void map2VoidedByTheOperationBefore() {
    given(
            "update, another, remove",
            store -> {
              store.put("keyOne..", "1");
              store.put("keyTwo..", "1");
            })
        .step("update", store -> store.put("keyOne..", "2"))
        .step("another", store -> store.put("keyTwo..", "2"))
        .step("remove", store -> store.remove("keyOne.."))
        .step("and the other", store -> store.remove("keyTwo.."))
        .explore();
  }

  @Test
  void map2VoidedOfSeveralLines() {
    given(
            "update, remove another, remove; several lines",
            store -> {
              store.put("keyOne..", text("1", 150));
              store.put("keyTwo..", text("1", 150));
              store.put("keyThree", "1");
            })
        .step("update", store -> store.put("keyOne..", text("2", 150)))
        .step("remove another", store -> store.remove("keyThree"))
        .step("remove", store -> store.remove("keyOne.."))
        .step("update", store -> store.put("keyTwo..", text("2", 150)))
        .step("and remove it", store -> store.remove("keyTwo.."))
        .explore();
  }

  /// Slots of one line that are invalid, but not durably, while others are updated and one of their
  /// keys is removed.
  @Test
  void map12ASlotThatWaits() {
    given(
            "slots that wait",
            store -> {
              for (int i = 0; i < 12; i++) {
                store.put("key....%d".formatted(i), "1");
              }
              for (int i = 0; i < 12; i++) { // more free slots than wait
                store.remove("key....%d".formatted(i));
              }
              for (int i = 0; i < 3; i++) {
                store.put("key....%d".formatted(i), "2");
              }
            })
        .step("update", store -> store.put("key....0", "3"))
        .step("another", store -> store.put("key....1", "3"))
        .step("another", store -> store.put("key....2", "3"))
        .step("remove", store -> store.remove("key....0"))
        .step("update", store -> store.put("key....1", "4"))
        .step("several", store -> store.put("key....1", text("5", 100)))
        .step("remove", store -> store.remove("key....1"))
        .explore();
  }

  @Test
  void map1EntryOfSeveralLines() {
    given(
            "several lines",
            store -> {
              for (int i = 0; i < 12; i++) { // slots that were used, with either polarity
                store.put("keyOne..", text("former" + i, 200));
                store.put("keyTwo..", text("former" + i, 400));
              }
            })
        .step("update", store -> store.put("keyOne..", text("new", 200)))
        .step("again", store -> store.put("keyOne..", text("newer", 200)))
        .step("with a long key", store -> store.put(text("key", 150), text("v", 30)))
        .step("updated", store -> store.put(text("key", 150), text("w", 50)))
        .step("more lines", store -> store.put("keyTwo..", text("new", 400)))
        .step("fewer in its slot", store -> store.put("keyTwo..", text("neq", 500)))
        .step("one line", store -> store.put("keyOne..", "short"))
        .explore();
  }

  /// Values that fit where the former ones are: stored there if only the process dies.
  @Test
  void map13InPlace() {
    given(
            "in place",
            store -> {
              store.put("keyOne..", "1.......");
              store.put("keyTwo..", "in a line");
              store.put("keyThree", text("3", 200));
              store.put(text("k", 52), text("5", 30));
            })
        .bounds(Bounds.DEFAULT)
        .step(
            "a key that ends beside the lengths", store -> store.put(text("k", 52), text("6", 20)))
        .step("a word", store -> store.put("keyOne..", "2......."))
        .step("again", store -> store.put("keyOne..", "3......."))
        .step("shorter", store -> store.put("keyTwo..", "short"))
        .step("all of the line", store -> store.put("keyTwo..", text("l", 32)))
        .step("several lines", store -> store.put("keyThree", text("4", 215)))
        .step(
            "in a section",
            store ->
                atomically(
                    () -> {
                      store.put("keyOne..", "4.......");
                      store.put("keyThree", text("5", 200));
                      store.put("keyOne..", "5.......");
                      store.put("keyTwo..", "");
                    }))
        .step("more lines", store -> store.put("keyThree", text("6", 250)))
        .step("in the slot of others", store -> store.put("keyFour.", text("7", 200)))
        .step("remove", store -> store.remove("keyOne.."))
        .step("and again there", store -> store.put("keyOne..", "6......."))
        .explore();
  }

  /// Within a step stores of the second update may move above the end of the first.
  @Test
  void map15AnUpdateOfManyWords() {
    Map<String, String> before = states(text("1", 100), text("1", 40));
    Map<String, String> between = states(text("2", 90), text("1", 40));
    Map<String, String> after = states(text("2", 90), text("3", 45));
    given(
            "updates of many words",
            store -> {
              store.put("keyOne..", text("1", 100));
              store.put("keyTwo..", text("1", 40));
            })
        .withoutModel()
        .check((store, point) -> assertThat(store.state()).isIn(before, between, after))
        .step(
            "both",
            store -> {
              store.put("keyOne..", text("2", 90));
              store.put("keyTwo..", text("3", 45));
            })
        .explore();
  }

  private static Map<String, String> states(String one, String two) {
    return Map.of("keyOne..", MapRegion.shown(one), "keyTwo..", MapRegion.shown(two));
  }

  /// A process dies in an update, and the system goes down in good order: the index is made anew,
  /// from slots of which one is half of two values.
  @Test
  void map15BeforeARebuild() {
    if (durability == Durability.POWER_FAILURE) {
      return; // nothing is kept
    }
    AtomicLong boots = new AtomicLong();
    CrashExplorer.of("update, restart", memory -> MapRegion.open(memory, boots.incrementAndGet()))
        .surviving(durability)
        .state(MapRegion::state)
        .check((opened, point) -> opened.check())
        .bounds(SHORT)
        .crashesOfRecovery(1)
        .given(store -> store.create().put("keyOne..", text("1", 100)))
        .step("update", store -> store.put("keyOne..", text("2", 90)))
        .step("again", store -> store.put("keyOne..", text("3", 100)))
        .explore();
  }

  /// A process dies in an update, the next one opens its map to survive a loss of power, and the
  /// power fails: what was taken back is so on media, and is not once more when others are there.
  @Test
  void map15BehindALossOfPower() {
    if (durability == Durability.PROCESS_CRASH) {
      return; // nothing is flushed
    }
    List<Map<String, String>> states =
        List.of(
            states(text("1", 100), text("2", 100)),
            states(text("3", 100), text("2", 100)),
            states(text("3", 100), text("4", 100)),
            states(text("5", 100), text("4", 100)));
    given(
            "cut off, update",
            store -> {
              store.put("keyOne..", text("1", 100));
              store.put("keyTwo..", text("2", 100));
              for (int i = 0; i < 11; i++) { // leaves two slots of the chunk
                store.put("filler.." + i, text("f", 100));
              }
              store.cutOffAnUpdate();
            })
        .bounds(Bounds.DEFAULT)
        .withoutModel()
        .check(
            (store, point) -> {
              Map<String, String> state = store.state();
              state.keySet().removeIf(key -> key.startsWith("filler"));
              assertThat(state).isIn(states);
            })
        .step("open", MapRegion::openAgain)
        .step("update", store -> store.put("keyOne..", text("3", 100)))
        .step("into the former slot", store -> store.put("keyTwo..", text("4", 100)))
        .step("and again", store -> store.put("keyOne..", text("5", 100)))
        .explore();
  }

  /// An entry that was replaced and is still whole after a loss of power is invalid durably when
  /// the map is open again.
  @Test
  void map3RebuildIsDurable() {
    if (durability == Durability.PROCESS_CRASH) {
      return; // nothing is rebuilt
    }
    given(
            "rebuild, then remove",
            store -> {
              store.put("keyOne..", "1");
              store.over(() -> store.put("keyOne..", "2"));
            })
        .step("rebuild", MapRegion::openAgain)
        .step("remove", store -> store.remove("keyOne.."))
        .explore();
  }

  /// What a crash has left in further lines of an invalid slot must not make a later entry there
  /// whole before it is.
  @Test
  void map2FurtherLinesAreLeveled() {
    given(
            "level",
            store -> {
              for (int i = 0; i < 3; i++) {
                store.put("keyOne..", text("former" + i, 200));
              }
              store.unlevelVoidSlots();
            })
        .step("update", store -> store.put("keyOne..", text("new", 200)))
        .step("again", store -> store.put("keyOne..", text("newer", 200)))
        .explore();
  }

  @Test
  void map3RebuildIsRepeated() {
    given(
            "rebuild",
            store -> {
              store.put("keyOne..", "1");
              store.put("keyTwo..", text("2", 100));
            })
        .bounds(new Bounds(4, 4, 4, 30))
        .crashesOfRecovery(1)
        .step("update", store -> store.put("keyOne..", text("3", 100)))
        .step("update", store -> store.put("keyTwo..", "4"))
        .step("remove", store -> store.remove("keyTwo.."))
        .explore();
  }

  /// After a loss of power a process dies while it makes the index anew; the next one begins again.
  @Test
  void aProcessThatDiesInARebuild() {
    if (durability == Durability.PROCESS_CRASH) {
      dieInARebuild(1, 2);
      dieInARebuild(0, 0); // unknown
    }
  }

  private static void dieInARebuild(long bootBefore, long boot) {
    String key = "of two words...."; // where a free slot is linked both ways
    String longer = text("2", 100); // in another slot
    Map<String, String> state = Map.of(key, longer, "keyTwo..", "1");
    CrashExplorer.of("killed in a rebuild", memory -> MapRegion.open(memory, boot))
        .check((store, point) -> assertThat(store.all()).isEqualTo(state))
        .check((store, point) -> store.check())
        .bounds(new Bounds(8, 200, 8, 60)) // each store alone
        .crashesOfRecovery(0)
        .given(
            store -> {
              store.create();
              store.put(key, "1");
              store.put("keyTwo..", "1");
              store.over(() -> store.put(key, longer));
              store.loseIndex(bootBefore);
            })
        .step("rebuild", MapRegion::openAgain)
        .explore();
  }

  /// The cache outlives the process, whatever it was to survive: nothing is rebuilt.
  @Test
  void aProcessThatDiesUnderPowerFailure() {
    CrashExplorer.of(
            "killed", memory -> MapRegion.open(FlushMode.POSTED.over(memory), /* boot= */ 1))
        .surviving(Durability.PROCESS_CRASH)
        .state(MapRegion::state)
        .check((opened, point) -> opened.check())
        .bounds(SHORT)
        .given(
            store -> {
              store.create();
              store.put("keyOne..", "1");
              store.put("keyTwo..", text("2", 150));
            })
        .step("update", store -> store.put("keyOne..", "3"))
        .step("remove", store -> store.remove("keyOne.."))
        .step("several lines", store -> store.put("keyTwo..", text("4", 150)))
        .explore();
  }

  @Test
  void growthByChunks() {
    given(
            "a chunk",
            store -> {
              for (int i = 0; i < 29; i++) {
                store.put("key....." + i, "value");
              }
            })
        .step("the last slot", store -> store.put("keyOne..", "1"))
        .step("the next chunk", store -> store.put("keyTwo..", "2"))
        .step("another class", store -> store.put("keyThree", text("3", 100)))
        .explore();
  }

  /// Two chunks become empty, and one of them goes back to the heap. An operation has taken a slot
  /// in it, and others take its place.
  @Test
  void map10ChunksGoBack() {
    given(
            "chunks",
            store -> {
              for (int i = 0; i < 30 + 62 + 1; i++) { // chunks of 31 and 63 lines, and a third
                store.put("key%05d".formatted(i), "v");
              }
              store.remove("key00032"); // one of the second's, which is used again first
              for (int i = 1; i < 91; i++) {
                store.remove("key%05d".formatted(i));
              }
            })
        .bounds(new Bounds(4, 4, 4, 30))
        .step("the first is empty", store -> store.remove("key00000"))
        .step("put", store -> store.put("keyOne..", "1"))
        .step(
            "the second, in a section",
            store ->
                atomically(
                    () -> {
                      store.remove("keyOne..");
                      store.remove("key00091");
                    }))
        .step(
            "others in its place",
            store ->
                atomically(
                    () -> {
                      for (int i = 0; i < 14; i++) {
                        store.put("other..." + i, text("v", 150));
                      }
                    }))
        .step("put", store -> store.put("keyTwo..", "2"))
        .explore();
  }

  @Test
  void growthOfTheIndex() {
    int full = entriesUntilSplit();
    given(
            "a split, the directory doubled",
            store -> {
              for (int i = 0; i < full; i++) {
                store.put("key%05d".formatted(i), "v");
              }
            })
        .bounds(new Bounds(4, 4, 4, 30))
        .step("split", store -> store.put("key%05d".formatted(full), "v"))
        .step("and behind", store -> store.put("keyOne..", "1"))
        .step("update", store -> store.put("key%05d".formatted(0), "w"))
        .explore();
  }

  /// How many entries there are when one more splits the first segment.
  private int entriesUntilSplit() {
    try (MapRegion store = MapRegion.open(new RecordingMemory(), 1)) {
      store.create();
      for (int i = 0; ; i++) {
        int before = segments(store);
        store.put("key%05d".formatted(i), "v");
        if (before == 1 && segments(store) > 1) {
          return i;
        }
      }
    }
  }

  private static int segments(MapRegion store) {
    int[] segments = new int[1];
    store.map().forEachSegment((first, segment, depth) -> segments[0]++);
    return segments[0];
  }
}
