package io.holdfast.collections.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.testkit.RecordingMemory;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// As many entries as an index can have.
class MapIndexLimitTest {
  /// With this secret, keys of up to sixteen bytes have one hash for each length: as in a bucket of
  /// a map of some billions.
  private static final long BLIND = 0x4B33A62ED433D4A3L;

  @Test
  void aBucketThatCannotBeDivided() {
    RecordingMemory bytes = new RecordingMemory();
    try (MapRegion store = MapRegion.open(bytes, 0).create()) {
      bytes.damage(store.root() + MapLayout.ROOT_SECRET + Long.BYTES, BLIND);
      store.openAgain();
      for (int i = 0; i < MapLayout.BUCKET_WORDS; i++) {
        store.put("key%05d".formatted(i), "v" + i);
      }
      Map<String, String> full = store.all();
      assertThatThrownBy(() -> store.put("key99999", "v"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("as its index can have, some four billion: depth=20")
          .hasMessageContaining("into another map");
      store.put("key00007", "another");
      store.put("a key of another length", "v");
      store.remove("a key of another length");
      store.put("key00007", "v7");
      assertThat(store.all()).isEqualTo(full).hasSize(MapLayout.BUCKET_WORDS);
      assertThat(store.map().validate()).isEqualTo(MapLayout.BUCKET_WORDS);
    }
  }
}
