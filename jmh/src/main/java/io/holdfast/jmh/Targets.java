package io.holdfast.jmh;

import io.holdfast.jmh.bench.AgentStartBenchmark;
import io.holdfast.jmh.bench.LibraryBenchmark;
import io.holdfast.jmh.bench.OpeningBenchmark;
import io.holdfast.jmh.bench.ToolBenchmark;
import io.holdfast.jmh.bench.disk.CheckpointBenchmark;
import io.holdfast.jmh.bench.disk.CommitBenchmark;
import io.holdfast.jmh.bench.disk.CutBenchmark;
import io.holdfast.jmh.bench.log.LogNames;
import io.holdfast.jmh.bench.map.MapNames;
import io.holdfast.jmh.bench.map.MapSpace;
import io.holdfast.jmh.bench.map.ReopenBenchmark;
import io.holdfast.jmh.bench.program.AtlasNames;
import io.holdfast.jmh.bench.program.SfrBenchmark;
import io.holdfast.jmh.bench.transaction.TransactionTables;
import io.holdfast.jmh.bench.tree.TreeFences;
import io.holdfast.jmh.bench.tree.TreeNames;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.map.Trees;
import io.holdfast.jmh.report.Bound;
import io.holdfast.jmh.report.Target;
import java.util.List;
import java.util.stream.Stream;

/// All that is asked of the benchmarks: ratios in one run, and what a measurement must not exceed.
final class Targets {
  private static final double WARM_MS = 5, FRESH_MS = 150;

  /// Of entries rebuilt: five million a second.
  private static final double REBUILT_A_MS = 5_000;

  /// What a file may take for a byte of its payload in whole lines.
  static final double MEDIA = 1.5;

  /// The heap is independent of the number of entries if one takes less.
  private static final double HEAP_BYTES_AN_ENTRY = 1;

  private static final List<Target> SECTIONS_QUEUES_AND_LOGS =
      List.of(
          new Target(
              "SectionBenchmark.sectionWithoutStore",
              "SectionBenchmark.synchronizedIncrement",
              1.5),
          new Target(
              "SectionBenchmark.sectionOfOneStore", "SectionBenchmark.synchronizedIncrement", 2),
          new Target(
              "SectionBenchmark.sectionOfOneStore",
              "SectionBenchmark.synchronizedIncrementMerged",
              Target.REPORTED),
          new Target(
              "SectionBenchmark.sectionOfTwoStores",
              "SectionBenchmark.synchronizedIncrement",
              Target.REPORTED),
          new Target("SectionBenchmark.nestedSection", "SectionBenchmark.sectionOfTwoStores", 2),
          // Two threads do at least 1.8 times the work of one.
          new Target("SectionBenchmark.twoThreads", "SectionBenchmark.oneThread", 2 / 1.8),
          // What the machine has to spare.
          new Target(
              "SectionBenchmark.twoThreadsIncrement",
              "SectionBenchmark.synchronizedIncrement",
              Target.REPORTED),
          new Target("WovenBenchmark.monitorWoven", "WovenBenchmark.monitorPlain", 1.5),
          new Target("WovenBenchmark.lockWoven", "WovenBenchmark.lockPlain", 1.5),
          new Target("WovenBenchmark.readWoven", "WovenBenchmark.readPlain", 1.3),
          new Target("WovenBenchmark.writeWoven", "WovenBenchmark.writePlain", Target.REPORTED),
          new Target("HeapBenchmark.allocateAndFree", "HeapBenchmark.freeList", 3),
          new Target("HeapBenchmark.allocateAndFreeOlder", "HeapBenchmark.freeListOlder", 3),
          new Target(
              "HeapBenchmark.twoThreads", "HeapBenchmark.allocateAndFreeOlder", Target.REPORTED),
          // Half of what PMDK takes, 1,345 and 970 ns where such a store takes 200.
          new Target("HeapBenchmark.allocateDurably", "HeapBenchmark.flushedStore", 1_345 / 400.0),
          new Target("HeapBenchmark.freeDurably", "HeapBenchmark.flushedStore", 970 / 400.0),
          // At least half of its throughput.
          new Target(
              "QueueBenchmark.persistentQueueFresh", "QueueBenchmark.arrayBlockingQueueFresh", 2),
          new Target(
              "QueueBenchmark.persistentQueueReused",
              "QueueBenchmark.arrayBlockingQueueReused",
              Target.REPORTED),
          new Target(
              "QueueBenchmark.persistentQueueFresh",
              "QueueBenchmark.concurrentLinkedQueueFresh",
              Target.REPORTED),
          // A pair waits three times for a line (StoreTable).
          new Target(
              "QueueBenchmark.persistentQueuePower", "HeapBenchmark.flushedStore", Target.REPORTED),
          // At least 1.5 times its throughput.
          new Target(
              "QueueBenchmark.persistentQueueFresh",
              "ChronicleQueueBenchmark.unnamedFresh",
              1 / 1.5),
          new Target(
              "QueueBenchmark.persistentQueueReused",
              "ChronicleQueueBenchmark.unnamedReused",
              Target.REPORTED),
          new Target(
              "QueueBenchmark.persistentQueueFresh",
              "ChronicleQueueBenchmark.namedFresh",
              Target.REPORTED),
          // An append is a store, a flush and a fence, and little else.
          new Target("LogBenchmark.append(log=CSO-VB)", LogNames.floorAtLatency(0), 1.1),
          new Target("LogBenchmark.appendToPageCache(log=CSO-VB)", "LogBenchmark.plainStores", 2),
          // At least 1.2 times the throughput of two round trips, and 1.7 times on a slow medium.
          new Target(
              LogNames.appendAtLatency("CSO-VB", 0),
              LogNames.appendAtLatency("TwoRounds", 0),
              1 / 1.2),
          new Target(
              LogNames.appendAtLatency("CSO-VB", 800),
              LogNames.appendAtLatency("TwoRounds", 800),
              1 / 1.7),
          new Target(
              LogNames.appendAtLatency("CSO-FVB", 0), LogNames.appendAtLatency("CSO-VB", 0), 1.1),
          new Target(
              LogNames.appendAtLatency("CSO-Random", 0),
              LogNames.appendAtLatency("CSO-VB", 0),
              1.1),
          new Target(
              "LogBenchmark.append(log=CSO-FVB)",
              "LogBenchmark.append(log=CSO-VB)",
              Target.REPORTED),
          new Target(
              "LogBenchmark.append(log=CSO-Random)",
              "LogBenchmark.append(log=CSO-VB)",
              Target.REPORTED),
          new Target(
              LogNames.appendAtLatency("CSO-VB", 800),
              LogNames.appendAtLatency("AtlasLog", 800),
              Target.REPORTED));

  static final List<Target> RATIOS =
      Stream.of(
              SECTIONS_QUEUES_AND_LOGS.stream(),
              AtlasNames.targets(),
              Stream.of(SfrBenchmark.target()),
              programs(),
              MapNames.targets(),
              TreeNames.targets(),
              TransactionTables.targets(),
              CommitBenchmark.targets(),
              CheckpointBenchmark.targets(),
              CutBenchmark.targets())
          .flatMap(targets -> targets)
          .toList();

  private static Stream<Target> programs() {
    return Stream.concat(
        Stream.concat(LibraryBenchmark.targets(), starts()),
        // At half of the disk's copying speed or better.
        ToolBenchmark.SIZES.stream()
            .map(
                size ->
                    new Target(
                        ToolBenchmark.name("backup", size), ToolBenchmark.name("copy", size), 2)));
  }

  private static Stream<Target> starts() {
    return AgentStartBenchmark.PROGRAMS.stream()
        .map(
            program ->
                new Target(
                    AgentStartBenchmark.name(program, true),
                    AgentStartBenchmark.name(program, false),
                    1.03));
  }

  static final List<Bound> BOUNDS =
      Stream.of(reopened(), space(), tools(), counted(), CutBenchmark.bounds())
          .flatMap(bounds -> bounds)
          .toList();

  private static Stream<Bound> reopened() {
    return ReopenBenchmark.ALL_SIZES.stream()
        .flatMap(
            size ->
                Stream.concat(
                    Stream.of(Maps.HOLDFAST, Trees.HOLDFAST)
                        .flatMap(
                            map ->
                                Stream.of(
                                    new Bound(ReopenBenchmark.name("warm", map, size), WARM_MS),
                                    new Bound(ReopenBenchmark.name("fresh", map, size), FRESH_MS))),
                    Stream.of(
                        new Bound(
                            ReopenBenchmark.name("rebuilt", Maps.HOLDFAST_POWER, size),
                            size / REBUILT_A_MS))));
  }

  private static Stream<Bound> space() {
    return Stream.concat(
        MapSpace.VALUE_BYTES.stream().map(bytes -> new Bound(MapSpace.mediaName(bytes), MEDIA)),
        Stream.of(new Bound(MapSpace.HEAP, HEAP_BYTES_AN_ENTRY)));
  }

  private static Stream<Bound> tools() {
    return Stream.of(
            Stream.of(new Bound(ToolBenchmark.name("verify", 10_000_000), 10_000)),
            ToolBenchmark.SIZES.stream()
                .flatMap(
                    size ->
                        Stream.of(
                            new Bound(ToolBenchmark.name("info", size), 300),
                            // A million entries a second.
                            new Bound(ToolBenchmark.name("dump", size), size / 1_000.0))),
            Stream.of(
                new Bound(OpeningBenchmark.name(OpeningBenchmark.OPENED), 150),
                new Bound(OpeningBenchmark.name(OpeningBenchmark.CACHED), 150),
                new Bound(AgentStartBenchmark.WEAVING, 1_000)))
        .flatMap(bounds -> bounds);
  }

  private static Stream<Bound> counted() {
    return Stream.of(new Bound(TreeFences.NAME, 1));
  }

  private Targets() {}

  /// Whatever a target is about, or a bound; what is compared stands together.
  static List<String> subjects() {
    return Stream.concat(
            RATIOS.stream()
                .filter(Target::isJudged)
                .flatMap(target -> Stream.of(target.subject(), target.baseline())),
            BOUNDS.stream().map(Bound::subject))
        .distinct()
        .toList();
  }
}
