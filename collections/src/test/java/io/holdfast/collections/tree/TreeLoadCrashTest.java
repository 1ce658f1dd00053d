package io.holdfast.collections.tree;

import static io.holdfast.collections.RawCodec.text;
import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.EncodedEntry;
import io.holdfast.core.Durability;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Crashes while entries are loaded in order.
@ParameterizedClass
@EnumSource(Durability.class)
class TreeLoadCrashTest {
  private static final Bounds SPARSE = new Bounds(4, 4, 4, 40);

  @Parameter Durability durability;

  private CrashExplorer<TreeRegion> explorer(String name) {
    return TreeCrashes.explorer(name, durability).bounds(SPARSE).given(TreeRegion::create);
  }

  private static void load(TreeRegion store, int from, int to, String value) {
    List<EncodedEntry> entries =
        IntStream.range(from, to)
            .mapToObj(
                i ->
                    new EncodedEntry(
                        TreeRegion.encoded(store.key(i)), TreeRegion.encoded(value + i)))
            .toList();
    assertThat(store.tree().load(entries.iterator())).isEqualTo(to - from);
  }

  /// One section each: all or nothing.
  @Test
  void tree8WholeLeaves() {
    explorer("load")
        .step("into an empty tree", store -> load(store, 0, 140, "v"))
        .step("put", store -> store.put("key00139x", "1"))
        .step("behind", store -> load(store, 140, 300, "w"))
        .step("with blocks of their own", store -> load(store, 300, 303, text("long", 600)))
        .step("in a section", store -> atomically(() -> load(store, 303, 310, "x")))
        .explore();
  }

  /// Of several sections the first ones.
  @Test
  void tree8TheFirstEntries() {
    int count = 400;
    List<EncodedEntry> entries =
        IntStream.range(0, count)
            .mapToObj(
                i ->
                    new EncodedEntry(
                        TreeRegion.encoded("key %0200d".formatted(i)), TreeRegion.encoded("v")))
            .toList();
    explorer("load, many leaves")
        .bounds(new Bounds(2, 2, 2, 40))
        .withoutModel()
        .crashesOfRecovery(0)
        .check(
            (store, point) -> {
              Set<String> keys = store.all().keySet();
              int loaded = keys.size();
              assertThat(keys)
                  .containsExactlyElementsOf(
                      entries.stream()
                          .limit(loaded)
                          .map(entry -> TreeRegion.text(entry.key()))
                          .toList());
              assertThat(loaded == count || loaded % 7 == 0).as("whole leaves").isTrue();
              if (point.acknowledged() > 0) {
                assertThat(loaded).isEqualTo(count);
              }
            })
        .step("load", store -> store.tree().load(entries.iterator()))
        .explore();
  }
}
