package io.holdfast.jmh.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.persistence.PersistenceDomain;
import io.holdfast.core.persistence.PersistentMemory;
import io.holdfast.jmh.map.BenchmarkMap.ByteAccess;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TwoRoundTripsTest {
  private static final int PUTS = 100;

  @ParameterizedTest
  @CsvSource({"8, 1", "300, 6"})
  void theTwinTakesOneFenceAndOneLineMore(int valueBytes, int lines, @TempDir Path directory) {
    PersistenceCounts one = count(directory.resolve("one"), valueBytes, domain -> domain);
    PersistenceCounts two =
        count(directory.resolve("two"), valueBytes, domain -> new TwoRoundTrips(domain, false));
    PersistenceCounts overlapped =
        count(directory.resolve("overlapped"), valueBytes, d -> new TwoRoundTrips(d, true));
    assertThat(one.fences()).isEqualTo(PUTS);
    // Of an entry of several lines also the line that the put before made void (MAP-12).
    assertThat(one.lines()).isEqualTo(PUTS * (lines == 1 ? 1 : lines + 1));
    assertThat(two.fences()).isEqualTo(2 * PUTS);
    assertThat(two.lines()).isEqualTo(one.lines() + PUTS);
    assertThat(overlapped).isEqualTo(two);
  }

  /// Of updates of one key.
  private static PersistenceCounts count(
      Path directory, int valueBytes, UnaryOperator<PersistenceDomain> wrapped) {
    directory.toFile().mkdirs();
    try (HoldfastMap map =
        HoldfastMap.open(directory, file -> wrapped.apply(PersistentMemory.domainOf(file)))) {
      ByteAccess access = map.bytes();
      for (int i = 0; i < 10; i++) {
        access.put(Items.key(1), Items.value(i, valueBytes));
      }
      PersistenceCounts before = map.counts();
      for (int i = 0; i < PUTS; i++) {
        access.put(Items.key(1), Items.value(i, valueBytes));
      }
      PersistenceCounts counts = map.counts().since(before);
      assertThat(Items.number(access.get(Items.key(1)))).isEqualTo(PUTS - 1);
      return counts;
    }
  }
}
