package io.holdfast.jmh.bench.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.suite.Suite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Does each once, and small, without peers: times mean nothing here.
class DiskTrialsTest {
  private static final Suite.Extent SMALL = new Suite.Extent(true, false);

  @TempDir Path directory;

  @Test
  void whatIsWrittenIsCounted() throws IOException {
    Results results = new Results(Map.of());
    new CheckpointBenchmark().run(SMALL, results);
    String relaxed = "(store=%s,threads=1)".formatted(Maps.HOLDFAST_RELAXED);
    double written = results.median("CheckpointBenchmark.written" + relaxed).get();
    double pages = results.median("CheckpointBenchmark.pages" + relaxed).get();
    double records = results.median("CheckpointBenchmark.logged" + relaxed).get();
    // A checkpoint of which a part alone falls into the time counts with all of it.
    assertThat(written).isGreaterThan(0.9 * records / Updates.PAYLOAD_BYTES);
    assertThat(pages).isBetween(0.0, written + 1);
    Page page = new Page("a title", directory);
    CheckpointBenchmark.print(results, page);
    assertThat(page.toString()).contains("| HoldfastDisk, 64 |").contains("| HoldfastRelaxed, 1 |");
  }

  @Test
  void aStoreWithAFullLogIsOpened() throws IOException {
    Results results = new Results(Map.of());
    new CutBenchmark().run(SMALL, results);
    String disk = "(store=%s)".formatted(Maps.HOLDFAST_DISK);
    // Each is in the log, which has no more than so many of the bytes that an entry has.
    assertThat(results.median("CutBenchmark.updates" + disk).get()).isBetween(1_000.0, 40_000.0);
    assertThat(results.median("CutBenchmark.cold" + disk).get()).isPositive();
    Page page = new Page("a title", directory);
    CutBenchmark.print(results, page);
    assertThat(page.toString()).contains("| HoldfastDisk | ");
  }
}
