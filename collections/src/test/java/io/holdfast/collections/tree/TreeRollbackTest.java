package io.holdfast.collections.tree;

import static io.holdfast.collections.RawCodec.text;
import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.RegionFullException;
import io.holdfast.testkit.RecordingMemory;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Trees in sections that are rolled back because the device is full: on media and in memory they
/// are what they were, and go on.
class TreeRollbackTest {
  private final RecordingMemory memory = new RecordingMemory();

  @Test
  void whatASectionDidIsTakenBack() {
    try (TreeRegion store = TreeRegion.open(memory).create().fill(0, 200)) {
      store.put("keyOne..", text("long", 200));
      store.put("keyTwo..", text("outside", 900));
      Map<String, String> before = store.all();
      long size = store.tree().size();
      memory.limitTo(memory.length());
      for (int round = 0; round < 3; round++) {
        atomically(
            () -> {
              store.put("key00003", "new"); // a record
              store.put("key00004", "replaced"); // a word
              store.remove("key00005");
              store.put("keyOne..", text("longer", 250));
              store.remove("keyTwo..");
              store.fill(1000, 1100); // splits
              for (int i = 100; i < 190; i++) { // merges
                store.remove(store.key(i));
              }
              assertThatThrownBy(() -> store.region().heap().allocate(10_000_000))
                  .isInstanceOf(RegionFullException.class)
                  .hasMessageContaining("rolled back");
              assertThat(store.all()).isEqualTo(before);
              assertThatThrownBy(() -> store.put("key00003", "refused"))
                  .isInstanceOf(RegionFullException.class);
              assertThatThrownBy(() -> store.remove("key00003"))
                  .isInstanceOf(RegionFullException.class);
            });
        assertThat(store.all()).isEqualTo(before);
        assertThat(store.tree().size()).isEqualTo(size);
        assertThat(store.tree().validate()).isEqualTo(size);
      }
      memory.limitTo(Long.MAX_VALUE);
      store.check();
    }
  }

  /// A value, a split, that find no room: nothing has changed.
  @Test
  void anOperationThatFindsNoRoomChangesNothing() {
    try (TreeRegion store = TreeRegion.open(memory).create().fill(0, 20)) {
      memory.limitTo(memory.length());
      assertThatThrownBy(() -> store.put("keyOne..", text("large", 5_000_000)))
          .isInstanceOf(RegionFullException.class);
      int number = 100;
      boolean full = false;
      while (!full) {
        try {
          store.put(store.key(number), text("v", 300));
          number++;
        } catch (RegionFullException e) {
          full = true;
        }
      }
      assertThat(store.get(store.key(number))).isNull();
      assertThat(store.tree().validate())
          .isEqualTo(20 + number - 100)
          .isEqualTo(store.all().size());
      for (int i = 100; i < number; i++) {
        assertThat(store.remove(store.key(i))).isNotNull();
      }
      assertThat(store.tree().validate()).isEqualTo(20);
      memory.limitTo(Long.MAX_VALUE);
      store.check();
    }
  }
}
