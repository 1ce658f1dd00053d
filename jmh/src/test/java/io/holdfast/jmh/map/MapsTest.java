package io.holdfast.jmh.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.jmh.map.BenchmarkMap.ByteAccess;
import io.holdfast.jmh.map.BenchmarkMap.LongAccess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MapsTest {
  private static final int ENTRIES = 1_000;

  @ParameterizedTest
  @ValueSource(strings = {Maps.HOLDFAST, Maps.HOLDFAST_POWER, Maps.CONCURRENT_HASH_MAP})
  void whatIsPutIsThere(String name, @TempDir Path directory) {
    try (BenchmarkMap map = Maps.open(name, directory, MapShape.ofLongs(ENTRIES))) {
      LongAccess access = map.longs();
      for (int i = 0; i < ENTRIES; i++) {
        access.put(Items.longKey(i), i);
        access.put(Items.longKey(i), i + 1);
      }
      for (int i = 0; i < ENTRIES; i++) {
        assertThat(access.get(Items.longKey(i))).isEqualTo(i + 1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Maps.HOLDFAST, Maps.HOLDFAST_POWER, Maps.CONCURRENT_HASH_MAP})
  void bytesAreThereToo(String name, @TempDir Path directory) {
    try (BenchmarkMap map = Maps.open(name, directory, MapShape.ofYcsb(ENTRIES, 100))) {
      ByteAccess access = map.bytes();
      for (int i = 0; i < ENTRIES; i++) {
        access.put(Items.key(i), Items.value(i, 100));
      }
      for (int i = 0; i < ENTRIES; i++) {
        assertThat(access.get(Items.key(i))).isEqualTo(Items.value(i, 100));
      }
    }
  }

  @Test
  void anUnknownNameIsRefused(@TempDir Path directory) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Maps.open("Nobody's", directory, MapShape.ofLongs(1)))
        .withMessageContaining("name=Nobody's");
  }

  @Test
  void aMapIsRebuiltAfterAReboot(@TempDir Path directory) {
    try (HoldfastMap map = HoldfastMap.open(directory, HoldfastMap.POWER_FAILURE)) {
      LongAccess access = map.longs();
      for (int i = 0; i < ENTRIES; i++) {
        access.put(Items.longKey(i), i);
      }
    }
    for (int i = 0; i < 2; i++) {
      long[] nanos = new long[1];
      try (HoldfastMap map = HoldfastMap.openAfterReboot(directory, nanos)) {
        assertThat(map.entries().validate()).isEqualTo(ENTRIES);
        assertThat(nanos[0]).isPositive();
      }
    }
  }
}
