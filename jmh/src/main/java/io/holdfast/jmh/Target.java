package io.holdfast.jmh;

import java.util.List;
import java.util.stream.Stream;

/// What a benchmark is compared with, as a ratio of times in one run: the machine may be slow or
/// shared, both sides are on it.
///
/// @param subject `Class.method`
/// @param baseline `Class.method`
/// @param most the greatest ratio of the subject's time to the baseline's that meets the target;
///   not a number where a ratio is told and not judged
record Target(String subject, String baseline, double most) {
  static final double TOLD = Double.NaN;

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
              TOLD),
          new Target(
              "SectionBenchmark.sectionOfTwoStores",
              "SectionBenchmark.synchronizedIncrement",
              TOLD),
          new Target("SectionBenchmark.nestedSection", "SectionBenchmark.sectionOfTwoStores", 2),
          // Two threads do at least 1.8 times the work of one.
          new Target("SectionBenchmark.twoThreads", "SectionBenchmark.oneThread", 2 / 1.8),
          // What the machine has to spare.
          new Target(
              "SectionBenchmark.twoThreadsIncrement",
              "SectionBenchmark.synchronizedIncrement",
              TOLD),
          new Target("WovenBenchmark.monitorWoven", "WovenBenchmark.monitorPlain", 1.5),
          new Target("WovenBenchmark.lockWoven", "WovenBenchmark.lockPlain", 1.5),
          new Target("WovenBenchmark.readWoven", "WovenBenchmark.readPlain", 1.3),
          new Target("WovenBenchmark.writeWoven", "WovenBenchmark.writePlain", TOLD),
          new Target("HeapBenchmark.allocateAndFree", "HeapBenchmark.freeList", 3),
          new Target("HeapBenchmark.allocateAndFreeOlder", "HeapBenchmark.freeListOlder", 3),
          new Target("HeapBenchmark.twoThreads", "HeapBenchmark.allocateAndFreeOlder", TOLD),
          // Half of what PMDK takes, 1,345 and 970 ns where such a store takes 200.
          new Target("HeapBenchmark.allocateDurably", "HeapBenchmark.flushedStore", 1_345 / 400.0),
          new Target("HeapBenchmark.freeDurably", "HeapBenchmark.flushedStore", 970 / 400.0),
          // At least half of its throughput.
          new Target(
              "QueueBenchmark.persistentQueueFresh", "QueueBenchmark.arrayBlockingQueueFresh", 2),
          new Target(
              "QueueBenchmark.persistentQueueReused",
              "QueueBenchmark.arrayBlockingQueueReused",
              TOLD),
          new Target(
              "QueueBenchmark.persistentQueueFresh",
              "QueueBenchmark.concurrentLinkedQueueFresh",
              TOLD),
          // A pair waits three times for a line (StoreTable).
          new Target("QueueBenchmark.persistentQueuePower", "HeapBenchmark.flushedStore", TOLD),
          // At least 1.5 times its throughput.
          new Target(
              "QueueBenchmark.persistentQueueFresh",
              "ChronicleQueueBenchmark.unnamedFresh",
              1 / 1.5),
          new Target(
              "QueueBenchmark.persistentQueueReused",
              "ChronicleQueueBenchmark.unnamedReused",
              TOLD),
          new Target(
              "QueueBenchmark.persistentQueueFresh", "ChronicleQueueBenchmark.namedFresh", TOLD),
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
          new Target("LogBenchmark.append(log=CSO-FVB)", "LogBenchmark.append(log=CSO-VB)", TOLD),
          new Target(
              "LogBenchmark.append(log=CSO-Random)", "LogBenchmark.append(log=CSO-VB)", TOLD),
          new Target(
              LogNames.appendAtLatency("CSO-VB", 800),
              LogNames.appendAtLatency("AtlasLog", 800),
              TOLD));

  static final List<Target> ALL =
      Stream.of(
              SECTIONS_QUEUES_AND_LOGS.stream(),
              AtlasNames.targets(),
              programs(),
              MapNames.targets(),
              TreeNames.targets())
          .flatMap(targets -> targets)
          .toList();

  private static Stream<Target> programs() {
    return Stream.concat(
        AgentStartBenchmark.PROGRAMS.stream()
            .map(
                program ->
                    new Target(
                        AgentStartBenchmark.name(program, true),
                        AgentStartBenchmark.name(program, false),
                        1.03)),
        // At half of the disk's copying speed or better.
        ToolBenchmark.SIZES.stream()
            .map(
                size ->
                    new Target(
                        ToolBenchmark.name("backup", size), ToolBenchmark.name("copy", size), 2)));
  }

  /// Whether there is a target, and not a ratio alone.
  boolean isJudged() {
    return !Double.isNaN(most);
  }

  /// Whatever a target is about, or a {@link Bound}; what is compared stands together.
  static List<String> subjects() {
    return Stream.concat(
            ALL.stream()
                .filter(Target::isJudged)
                .flatMap(target -> Stream.of(target.subject, target.baseline)),
            Bound.ALL.stream().map(Bound::subject))
        .distinct()
        .toList();
  }

  /// What is asked for.
  String asked() {
    return "at most %.2f".formatted(most);
  }

  boolean isMet(double ratio) {
    return ratio <= most;
  }
}
