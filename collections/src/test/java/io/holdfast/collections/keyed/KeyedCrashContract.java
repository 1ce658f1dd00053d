package io.holdfast.collections.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What every collection with keys does at each crash, of its operations outside of sections and of
/// the opening after them.
public abstract class KeyedCrashContract<S extends KeyedRegion> {
  protected static final Bounds SHORT = new Bounds(8, 10, 8, 60);

  protected abstract CrashExplorer<S> explorer(String name);

  /// From a collection that was created, and something that was done to it.
  protected final CrashExplorer<S> given(String name, CrashExplorer.Action<S> action) {
    return explorer(name)
        .given(
            store -> {
              store.create();
              action.run(store);
            });
  }

  @Test
  final void creation() {
    explorer("creation")
        .step("create", KeyedRegion::create)
        .step("the first entry", store -> store.put("keyOne..", "valueOne"))
        .step("the second", store -> store.put("keyTwo..", "valueTwo"))
        .explore();
  }

  /// What a thread stores when it opens the collection is durable before another one puts.
  @Test
  final void whoOpensIsNotWhoPuts() {
    explorer("two threads")
        .step("A", "create", KeyedRegion::create)
        .step("B", "the first entry", store -> store.put("keyOne..", "1......."))
        .step("B", "the second", store -> store.put("keyTwo..", "2......."))
        .explore();
  }

  /// Within a step stores of the second operation may move above the end of the first.
  ///
  /// Shows MAP-5.
  @Test
  final void operationsDoNotMingle() {
    mingle("an update and a removal", "keyOne..", "keyTwo..", null);
    mingle("two updates", "keyOne..", "keyTwo..", "2.......");
    mingle("an insertion and a removal", "keyThree", "keyTwo..", null);
    mingle("two insertions", "keyThree", "keyFour.", "2.......");
  }

  /// @param first the key that is put
  /// @param second the key that is put then, or removed
  private void mingle(String name, String first, String second, String value) {
    Map<String, String> before = Map.of("keyOne..", "1.......", "keyTwo..", "1.......");
    Map<String, String> between = new TreeMap<>(before);
    between.put(first, "2.......");
    Map<String, String> after = new TreeMap<>(between);
    after.compute(second, (key, was) -> value);
    given(name + " in a step", store -> before.forEach(store::put))
        .withoutModel()
        .check((store, point) -> assertThat(store.state()).isIn(before, between, after))
        .step(
            "both",
            store -> {
              store.put(first, "2.......");
              if (value == null) {
                store.remove(second);
              } else {
                store.put(second, value);
              }
            })
        .explore();
  }
}
