package io.holdfast.collections.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.core.section.commit.SectionRecord;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LayersTest {
  private static final SectionRecord RECORD = new SectionRecord(null, null);

  private static Layer layer(long key) {
    return new Layer(Encoded.of(key), null, RECORD, 0);
  }

  /// As long as they are few, when they become many, and after that.
  @Test
  void areFoundByTheirKeys() {
    Layers layers = new Layers(null);
    for (int round = 0; round < 2; round++) {
      Map<Encoded, Layer> model = new HashMap<>();
      for (int key = 0; key < 3 * Layers.FEW; key++) {
        assertThat(layers.of(Encoded.of(key))).isNull();
        Layer added = layer(key);
        layers.add(added);
        model.put(added.key, added);
        Layer again = layer(key / 2);
        layers.replace(layers.of(again.key), again);
        model.put(again.key, again);
        check(layers, model);
      }
      layers.clear();
      check(layers, Map.of());
    }
  }

  private static void check(Layers layers, Map<Encoded, Layer> model) {
    assertThat(layers.size()).isEqualTo(model.size());
    assertThat(layers.keys()).containsExactlyInAnyOrderElementsOf(model.keySet());
    model.forEach((key, layer) -> assertThat(layers.of(key)).isSameAs(layer));
    for (int i = 0; i < layers.size(); i++) {
      assertThat(model).containsValue(layers.at(i));
    }
  }

  @Test
  void keysAreInTheirOrder() {
    Layers layers = new Layers(Comparator.comparingLong(Encoded::word).reversed());
    layers.add(layer(2));
    layers.add(layer(3));
    layers.add(layer(1));
    assertThat(layers.keys()).containsExactly(Encoded.of(3), Encoded.of(2), Encoded.of(1));
    layers.clear();
    assertThat(layers.keys()).isEmpty();
  }
}
