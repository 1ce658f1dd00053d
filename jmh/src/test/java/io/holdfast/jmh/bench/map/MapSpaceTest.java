package io.holdfast.jmh.bench.map;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MapSpaceTest {
  @Test
  void anEntryOfALineTakesLessThanALineAndAHalf() {
    assertThat(MapSpace.media(1_000_000, 8).ratio()).isLessThan(1.5);
  }

  @Test
  void theHeapDoesNotKeepEntries() {
    long few = MapSpace.heapBytes(10_000);
    long many = MapSpace.heapBytes(200_000);
    // Less than a byte for each.
    assertThat(many - few).isLessThan(190_000);
  }
}
