package io.holdfast.collections.tree;

import static io.holdfast.collections.RawCodec.text;
import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.keyed.KeyedCrashContract;
import io.holdfast.core.Durability;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Crashes at every store of a tree's operations outside of sections, and of the opening after
/// them.
@ParameterizedClass
@EnumSource(Durability.class)
class TreeCrashTest extends KeyedCrashContract<TreeRegion> {
  private static final Bounds SPLITS = new Bounds(4, 4, 4, 30);

  @Parameter Durability durability;

  @Override
  protected CrashExplorer<TreeRegion> explorer(String name) {
    return TreeCrashes.explorer(name, durability).bounds(SHORT);
  }

  @Test
  void tree1RecordOfOneLine() {
    given("insert, one line", store -> store.put("first...", "1......."))
        .bounds(Bounds.DEFAULT)
        .step("words", store -> store.put("keyOne..", "valueOne"))
        .step("the next line", store -> store.put("keyTwo..", "valueTwo"))
        .step("empty", store -> store.put("", ""))
        .step("some bytes", store -> store.put("a key", text("v", 19)))
        .step("another length", store -> store.put("a key", text("w", 9)))
        .explore();
  }

  @Test
  void tree1RecordOfSeveralLines() {
    given("insert, several lines", store -> store.put("first...", "1......."))
        .step("long", store -> store.put("keyOne..", text("long", 150)))
        .step("longer", store -> store.put("keyOne..", text("longer", 300)))
        .step("in the last line's rest", store -> store.put("keyTwo..", "2"))
        .step("a long key", store -> store.put(text("key", 200), text("v", 60)))
        .step("gone", store -> store.remove("keyOne.."))
        .explore();
  }

  @Test
  void updateInPlace() {
    given("update", store -> store.fill(0, 4))
        .bounds(Bounds.DEFAULT)
        .step("one", store -> store.put("key00001", "new....1"))
        .step("again", store -> store.put("key00001", "new....2"))
        .step("another", store -> store.put("key00003", "new....3"))
        .explore();
  }

  @Test
  void removal() {
    given("remove", store -> store.fill(0, 4).put("keyThree", text("3", 100)))
        .bounds(Bounds.DEFAULT)
        .step("one", store -> assertThat(store.remove("key00001")).isEqualTo("v0000001"))
        .step("of several lines", store -> assertThat(store.remove("keyThree")).isNotNull())
        .step("none", store -> assertThat(store.remove("key00001")).isNull())
        .step("again there", store -> store.put("key00001", "4"))
        .step("and gone", store -> assertThat(store.remove("key00001")).isEqualTo("4"))
        .explore();
  }

  /// A record that a crash has cut off leaves lines that cover parts of it; the next record there
  /// must not be completed by them.
  @Test
  void tree2PartsOfARecordAreTakenBack() {
    given(
            "parts",
            store -> {
              store.put("first...", "1.......");
              store.leaveParts();
            })
        .step("long", store -> store.put("keyOne..", text("long", 150)))
        .step("short", store -> store.put("keyTwo..", "2"))
        .explore();
  }

  /// The next record begins in the line in which the one that was cut off did.
  @Test
  void tree2TheBeginningOfARecordIsTakenBack() {
    given(
            "the beginning",
            store -> {
              store.put("first...", "1.......");
              store.leaveTheBeginning();
            })
        .bounds(Bounds.DEFAULT)
        .step("in its line", store -> store.put("keyOne..", text("v", 30)))
        .step("short", store -> store.put("keyTwo..", "2"))
        .explore();
  }

  /// An opening that a crash has cut off while hints were made, which give the records other slots
  /// than those before: the next one does not take them for its own.
  @Test
  void tree3HintsOfAnOpeningThatWasCutOff() {
    given(
            "opened again",
            store -> {
              store.fill(0, 5);
              store.remove("key00000");
            })
        .step(
            "open, put",
            store -> {
              store.openAgain();
              store.put("keyTwo..", "2");
            })
        .explore();
  }

  @Test
  void tree3HintsOfAnotherOpening() {
    given("opened again", store -> store.fill(0, 5))
        .step("put", store -> store.put("keyOne..", "1"))
        .step("open", TreeRegion::openAgain)
        .step("put", store -> store.put("keyTwo..", "2"))
        .step("remove", store -> store.remove("key00003"))
        .step("open", TreeRegion::openAgain)
        .step("put", store -> store.put("key00003", "3"))
        .explore();
  }

  @Test
  void tree4SplitOfTheFirstLeaf() {
    given("split", store -> shuffled(store, 62))
        .bounds(SPLITS)
        .step("split", store -> store.put("key00030x", "1"))
        .step("and on", store -> store.put("keyTwo..", "2"))
        .explore();
  }

  /// Puts numbers in an order that is no run.
  private static void shuffled(TreeRegion store, int count) {
    for (int i = 0; i < count; i++) {
      store.put(store.key(i * 37 % count * 2), "v");
    }
  }

  @Test
  void tree4SplitsAtBothEnds() {
    given("ends", store -> store.fill(1000, 1062))
        .bounds(SPLITS)
        .step("at the end", store -> store.fill(1062, 1063))
        .step("and on", store -> store.fill(1063, 1064))
        .explore();
    given(
            "start",
            store -> {
              for (int i = 1062; i > 1000; i--) {
                store.fill(i, i + 1);
              }
            })
        .bounds(SPLITS)
        .step("at the start", store -> store.fill(1000, 1001))
        .step("and on", store -> store.fill(999, 1000))
        .explore();
  }

  @Test
  void tree4SplitBelowATop() {
    given("split", store -> shuffled(store, 200))
        .bounds(SPLITS)
        .step(
            "until a split",
            store -> {
              store.put("key00030x", "1");
            })
        .step("update in a full leaf", store -> store.put("key00030", text("new", 200)))
        .step("again", store -> store.put("key00030", text("newer", 350)))
        .step("again", store -> store.put("key00032", text("newest", 350)))
        .explore();
  }

  @Test
  void tree4Compaction() {
    given(
            "compaction",
            store -> {
              store.fill(0, 10);
              for (int i = 0; i < 3; i++) {
                store.put("key00003", text("former" + i, 350));
              }
            })
        .bounds(SPLITS)
        .step("anew", store -> store.put("key00003", text("new", 350)))
        .step("and on", store -> store.put("key00004", text("new", 350)))
        .explore();
  }

  @Test
  void tree4Merge() {
    given(
            "merge",
            store -> {
              shuffled(store, 80);
              for (int i = 0; i < 60; i++) {
                store.remove(store.key(i * 2));
              }
            })
        .bounds(SPLITS)
        .step("remove", store -> removeSome(store, 120, 124))
        .step("remove", store -> removeSome(store, 124, 160))
        .step("a first one again", store -> store.put("keyOne..", "1"))
        .explore();
  }

  private static void removeSome(TreeRegion store, int from, int to) {
    atomically(
        () -> {
          for (int i = from; i < to; i += 2) {
            store.remove(store.key(i));
          }
        });
  }

  @Test
  void valuesOfTheirOwnBlocks() {
    given("outside", store -> store.fill(0, 5).put("keyOne..", text("former", 1000)))
        .bounds(SPLITS)
        .step("insert", store -> store.put("keyTwo..", text("new", 1500)))
        .step("replace", store -> store.put("keyOne..", text("newer", 800)))
        .step("by a short one", store -> store.put("keyOne..", "short"))
        .step("remove", store -> store.remove("keyTwo.."))
        .explore();
  }

  /// In leaves that are split, written anew, searched after an opening and merged.
  @Test
  void prefix1KeysThatBeginAlike() {
    given(
            "a prefix",
            store -> {
              for (int i = 0; i < 42; i++) {
                store.put(alike(i * 37 % 42), "v");
              }
            })
        .bounds(SPLITS)
        .step("split", store -> putAlike(store, 60, 64))
        .step("one that begins otherwise", store -> store.put("odd", text("new", 800)))
        .step("open, put", store -> putAfterOpening(store, alike(7)))
        .step("merged", store -> removeAlike(store, 0, 36))
        .explore();
  }

  private static String alike(int number) {
    return "%c a beginning that many keys have in common/%03d".formatted('a' + number / 30, number);
  }

  private static void putAfterOpening(TreeRegion store, String key) {
    store.openAgain();
    store.put(key, text("new", 200));
  }

  private static void putAlike(TreeRegion store, int from, int to) {
    atomically(
        () -> {
          for (int i = from; i < to; i++) {
            store.put(alike(i), text("new", i));
          }
        });
  }

  private static void removeAlike(TreeRegion store, int from, int to) {
    atomically(
        () -> {
          for (int i = from; i < to; i++) {
            store.remove(alike(i));
          }
        });
  }
}
