package io.holdfast.jmh.bench.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.jmh.bench.tree.LevelDbTable.Row;
import io.holdfast.jmh.map.BenchmarkTree;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.map.Trees;
import io.holdfast.jmh.process.Scratch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/// The golden table of LevelDB's workloads: more is a regression.
class LevelDbTableTest {
  @ParameterizedTest
  @CsvSource({
    "MTEST, 1.101, 4.277, 1, 346.6",
    "FILLSEQSYNC, 1.269, 9.667, 1, 720.7",
    "FILLRANDSYNC, 1.335, 18.534, 1, 1270.3",
  })
  void transactions(
      LevelDbWorkload workload, double fences, double lines, double deviceWrites, double bytes) {
    Row row = LevelDbTable.count(workload);
    assertThat(row.fences()).as("fences of %s", row).isCloseTo(fences, within(0.005));
    assertThat(row.lines()).as("lines of %s", row).isCloseTo(lines, within(0.005));
    assertThat(row.deviceWrites()).as("of %s", row).isCloseTo(deviceWrites, within(0.005));
    assertThat(row.recordBytes()).as("bytes of %s", row).isCloseTo(bytes, within(0.5));
  }

  /// Each finds what it has to.
  @ParameterizedTest
  @FieldSource("io.holdfast.jmh.map.Trees#OF_LEVEL_DB")
  void mtest(String name) {
    assumeThat(
            Trees.OWN_OF_LEVEL_DB.contains(name) || Maps.hasPeers() && !name.startsWith(Maps.LMDB))
        .as("the profile peers; flags for LMDB")
        .isTrue();
    try (Scratch scratch = new Scratch();
        BenchmarkTree tree = Trees.open(name, scratch.directory(), LevelDbWorkload.MTEST.shape())) {
      LevelDbWorkload.MTEST.run(tree.bytes(), 300);
    }
  }
}
