package io.holdfast.jmh.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.jmh.map.BenchmarkTree.SortedAccess;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class TreesTest {
  private static final int ENTRIES = 1_000;

  @ParameterizedTest
  @FieldSource("io.holdfast.jmh.map.Trees#ALL")
  void whatIsPutIsThereInOrder(String name, @TempDir Path directory) {
    assumeThat(Trees.OWN.contains(name) || Maps.hasPeers() && !name.equals(Maps.LMDB))
        .as("the profile peers; flags for LMDB, which TreeBenchmarksTest has")
        .isTrue();
    try (BenchmarkTree tree = Trees.open(name, directory, MapShape.ofLongs(ENTRIES))) {
      tree.fill(ENTRIES / 2);
      SortedAccess access = tree.longs();
      for (int i = ENTRIES / 2; i < ENTRIES; i++) {
        access.put(Items.longKey(i), i);
      }
      for (int i = 0; i < ENTRIES; i++) {
        assertThat(access.get(Items.longKey(i))).isEqualTo(i);
      }
      // Positive keys, which have one order with and without a sign.
      for (int i = 1; i <= 300; i++) {
        access.put(i, -2 * i);
      }
      assertThat(access.scan(100, 100)).isEqualTo(-LongStream.range(100, 200).sum());
    }
  }
}
