package io.holdfast.jmh.bench.map;

import static io.holdfast.jmh.SmallRuns.ENTRIES;
import static io.holdfast.jmh.SmallRuns.run;
import static io.holdfast.jmh.SmallRuns.smallest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.map.Workload;
import io.holdfast.jmh.report.Page;
import io.holdfast.testkit.TestForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.util.ListStatistics;

/// Runs each benchmark of the map once, with few entries: times mean nothing here.
class MapBenchmarksTest {
  @Test
  void ownMapsAndFloors() throws RunnerException {
    assumeThat(TestForm.isThorough()).as("the profile thorough").isTrue();
    Set<String> ran =
        run(
            smallest("MapBenchmark", "YcsbBenchmark", "FloorBenchmark")
                .forks(0)
                .param("map", Maps.OWN.toArray(String[]::new)));
    assertThat(ran)
        .contains(MapNames.longs("put", Maps.HOLDFAST_POWER))
        .contains(MapNames.longs("getByTwo", Maps.CONCURRENT_HASH_MAP))
        .contains(MapNames.ycsb("oneThread", Maps.HOLDFAST, Workload.A, 1024))
        .contains(MapNames.ycsb("twoThreads", Maps.HOLDFAST, Workload.D, 100))
        .contains(
            MapNames.ycsbFloor(Workload.F),
            MapNames.twoWaits(Workload.B),
            MapNames.floor("anyLine"),
            MapNames.floor("nextLine"));
  }

  @Test
  void inserts() throws RunnerException {
    Set<String> ran =
        run(
            smallest("InsertBenchmark")
                .forks(0)
                .operationsPerInvocation(ENTRIES / 2)
                .param("map", Maps.OWN.toArray(String[]::new)));
    assertThat(ran)
        .contains(MapNames.insert("insert", Maps.HOLDFAST))
        .contains(MapNames.insert("insertByTwo", Maps.HOLDFAST));
  }

  @Test
  void roundTrips() throws RunnerException {
    Set<String> ran =
        run(
            smallest("RoundTripBenchmark")
                .forks(0)
                .param("size", "2048")
                .param("lines", "1", "15")
                .param("addedNanos", "0", "800"));
    for (String roundTrips : MapNames.ROUND_TRIPS) {
      assertThat(ran)
          .contains(MapNames.byLatency(roundTrips, 0), MapNames.byLatency(roundTrips, 800))
          .contains(MapNames.bySize(roundTrips, 2048))
          .contains(MapNames.byLines(roundTrips, 1), MapNames.byLines(roundTrips, 15));
    }
  }

  @Test
  void peers() throws RunnerException {
    assumeThat(Maps.hasPeers()).as("the profile peers").isTrue();
    String[] peers =
        Stream.concat(Maps.ALL.stream(), Maps.POWER_PEERS.stream())
            .filter(map -> !Maps.OWN.contains(map))
            .toArray(String[]::new);
    Set<String> ran =
        run(
            smallest("MapBenchmark.putByTwo", "YcsbBenchmark.twoThreads")
                .forks(1)
                .param("map", peers)
                .param("workload", "D")
                .param("valueBytes", "100"));
    for (String peer : peers) {
      assertThat(ran)
          .contains(MapNames.longs("putByTwo", peer))
          .contains(MapNames.ycsb("twoThreads", peer, Workload.D, 100));
    }
  }

  @Test
  void tablesAndFiguresShowWhatWasMeasured(@TempDir Path directory) throws IOException {
    Map<String, Double> nanos =
        Map.of(
            MapNames.longs("putByTwo", Maps.HOLDFAST), 200.0,
            MapNames.byLatency("one", 800), 1_000.0,
            MapNames.byLatency("two", 800), 1_900.0);
    Page page = new Page("a title", directory);
    MapTables tables =
        new MapTables(
            name ->
                Optional.ofNullable(nanos.get(name))
                    .map(time -> new ListStatistics(new double[] {time})),
            page);
    tables.printLongs();
    tables.printRoundTrips();
    Path html = page.write();
    assertThat(Files.readString(html)).contains("<td>put, 2 threads</td>", "figure-7a.svg");
    assertThat(Files.readString(directory.resolve("map.svg"))).contains("put, 2 threads");
    assertThat(page.toString().lines())
        .anyMatch(line -> line.startsWith("| put, 2 threads | 10,000 (10,000 to 10,000) |  |"))
        .anyMatch(line -> line.startsWith("| 800 | 1,000 (1,000 to 1,000) | 526 (526 to 526) |"))
        .anyMatch(line -> line.startsWith("| 800 |") && line.endsWith("| 90 % |  | 86 % |"));
  }

  @Test
  void eachTargetIsOfBenchmarksThatThereAre() {
    assertThat(MapNames.targets().flatMap(t -> Stream.of(t.subject(), t.baseline())))
        .allMatch(
            name -> name.matches("(Map|Insert|Ycsb|RoundTrip|Floor)Benchmark\\.\\w+(\\(.*)?"));
  }
}
