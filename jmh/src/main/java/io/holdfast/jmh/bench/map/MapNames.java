package io.holdfast.jmh.bench.map;

import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.map.Workload;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.Target;
import java.util.List;
import java.util.stream.Stream;

/// What {@link Results} calls the benchmarks of maps, and what their targets are.
public final class MapNames {
  public static final List<Workload> WORKLOADS =
      List.of(Workload.A, Workload.B, Workload.C, Workload.D, Workload.F);
  public static final List<Workload> UNIFORM_WORKLOADS =
      List.of(Workload.A_UNIFORM, Workload.B_UNIFORM, Workload.C_UNIFORM);

  /// Those whose targets the issue of the map has.
  private static final List<Workload> JUDGED_WORKLOADS = List.of(Workload.A, Workload.B);

  public static final int VALUE_BYTES = 100, LONG_VALUE_BYTES = 1024;
  static final List<Integer> ADDED_NANOS = List.of(0, 200, 400, 600, 800);
  static final List<Integer> SIZES =
      List.of(2_048, 8_192, 32_768, 131_072, 524_288, 2_097_152, 8_388_608, 33_554_432);
  static final List<Integer> LINES = List.of(1, 2, 4, 8, 15);
  static final List<String> ROUND_TRIPS = List.of("one", "two", "twoOverlapped");

  private static final List<String> PEERS = List.of(Maps.CHRONICLE_MAP, Maps.LMDB, Maps.ROCKSDB);

  private MapNames() {}

  static String longs(String method, String map) {
    return "MapBenchmark.%s(map=%s)".formatted(method, map);
  }

  static String insert(String method, String map) {
    return "InsertBenchmark.%s(map=%s)".formatted(method, map);
  }

  static String ycsb(String method, String map, Workload workload, int valueBytes) {
    return "YcsbBenchmark.%s(map=%s,valueBytes=%d,workload=%s)"
        .formatted(method, map, valueBytes, workload);
  }

  public static String scans(String tree) {
    return "YcsbScanBenchmark.oneThread(tree=%s)".formatted(tree);
  }

  static String ycsbFloor(Workload workload) {
    return "FloorBenchmark.ycsb(workload=%s)".formatted(workload);
  }

  static String twoWaits(Workload workload) {
    return "FloorBenchmark.twoWaits(workload=%s)".formatted(workload);
  }

  static String floor(String method) {
    return "FloorBenchmark." + method;
  }

  static String byLatency(String roundTrips, int nanos) {
    return "RoundTripBenchmark.byLatency(addedNanos=%d,roundTrips=%s)".formatted(nanos, roundTrips);
  }

  static String bySize(String roundTrips, int entries) {
    return "RoundTripBenchmark.bySize(roundTrips=%s,size=%d)".formatted(roundTrips, entries);
  }

  static String byLines(String roundTrips, int lines) {
    return "RoundTripBenchmark.byLines(lines=%d,roundTrips=%s)".formatted(lines, roundTrips);
  }

  public static Stream<Target> targets() {
    return Stream.of(longs(), inserts(), ycsb(), roundTrips()).flatMap(targets -> targets);
  }

  private static Stream<Target> longs() {
    return Stream.of(
            compared("put", "putByTwo", Maps.CHRONICLE_MAP, 1 / 1.5),
            compared("put", "putByTwo", Maps.CONCURRENT_HASH_MAP, 1 / 0.7),
            compared("put", "putByTwo", Maps.LMDB, Target.REPORTED),
            compared("put", "putByTwo", Maps.ROCKSDB, Target.REPORTED),
            compared("get", "getByTwo", Maps.CHRONICLE_MAP, 1 / 2.0),
            compared("get", "getByTwo", Maps.CONCURRENT_HASH_MAP, 1),
            compared("get", "getByTwo", Maps.LMDB, Target.REPORTED),
            compared("get", "getByTwo", Maps.ROCKSDB, Target.REPORTED),
            // One line flushed and fenced is most of a put that is durable.
            Stream.of(
                new Target(longs("put", Maps.HOLDFAST_POWER), floor("anyLine"), 1.3),
                new Target(longs("put", Maps.HOLDFAST_POWER), floor("nextLine"), 1.3)))
        .flatMap(targets -> targets);
  }

  private static Stream<Target> compared(String method, String byTwo, String with, double most) {
    return Stream.of(method, byTwo)
        .map(name -> new Target(longs(name, Maps.HOLDFAST), longs(name, with), most));
  }

  private static Stream<Target> inserts() {
    return Stream.of("insert", "insertByTwo")
        .flatMap(
            method ->
                Stream.concat(Stream.of(Maps.CONCURRENT_HASH_MAP), PEERS.stream())
                    .map(
                        with ->
                            new Target(
                                insert(method, Maps.HOLDFAST),
                                insert(method, with),
                                Target.REPORTED)));
  }

  private static Stream<Target> ycsb() {
    return Stream.concat(
        JUDGED_WORKLOADS.stream()
            .map(
                workload ->
                    new Target(
                        ycsb("oneThread", Maps.HOLDFAST, workload, VALUE_BYTES),
                        twoWaits(workload),
                        1.25)),
        ycsbOfPeers());
  }

  private static Stream<Target> ycsbOfPeers() {
    return JUDGED_WORKLOADS.stream()
        .flatMap(
            workload ->
                Stream.of("oneThread", "twoThreads")
                    .flatMap(
                        method ->
                            Stream.of(
                                ycsb(method, workload, Maps.CHRONICLE_MAP, 1 / 1.3),
                                ycsb(method, workload, Maps.LMDB, 1 / 4.0),
                                ycsb(method, workload, Maps.ROCKSDB, 1 / 4.0),
                                ycsb(method, workload, Maps.CONCURRENT_HASH_MAP, 1),
                                new Target(
                                    ycsb(method, Maps.HOLDFAST, workload, VALUE_BYTES),
                                    ycsbFloor(workload),
                                    Target.REPORTED))));
  }

  private static Target ycsb(String method, Workload workload, String with, double most) {
    return new Target(
        ycsb(method, Maps.HOLDFAST, workload, VALUE_BYTES),
        ycsb(method, with, workload, VALUE_BYTES),
        most);
  }

  /// The throughput gained in the paper's Figure 7, as it is told in 5.4.
  private static Stream<Target> roundTrips() {
    return Stream.of(
            ADDED_NANOS.stream()
                .map(
                    nanos ->
                        gain(
                            byLatency("one", nanos),
                            byLatency("two", nanos),
                            nanos == 0 ? 1 / 1.25 : nanos == 800 ? 1 / 1.86 : Target.REPORTED)),
            SIZES.stream()
                .map(
                    size ->
                        gain(
                            bySize("one", size),
                            bySize("two", size),
                            size <= 131_072 ? 1 / 1.52 : 1 / 1.23)),
            LINES.stream()
                .map(
                    lines ->
                        gain(
                            byLines("one", lines),
                            byLines("two", lines),
                            lines <= 2 ? 1 / 1.259 : lines <= 8 ? 1 / 1.164 : 1 / 1.091)),
            Stream.of(0, 800)
                .map(
                    nanos ->
                        gain(
                            byLatency("one", nanos),
                            byLatency("twoOverlapped", nanos),
                            Target.REPORTED)))
        .flatMap(targets -> targets);
  }

  private static Target gain(String one, String two, double most) {
    return new Target(one, two, most);
  }
}
