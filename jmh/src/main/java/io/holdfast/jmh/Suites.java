package io.holdfast.jmh;

import io.holdfast.jmh.atlas.MicroProgram;
import io.holdfast.jmh.atlas.ProgramMode;
import io.holdfast.jmh.atlas.RegionDesign;
import io.holdfast.jmh.bench.AgentStartBenchmark;
import io.holdfast.jmh.bench.HeapBenchmark;
import io.holdfast.jmh.bench.LibraryBenchmark;
import io.holdfast.jmh.bench.OpeningBenchmark;
import io.holdfast.jmh.bench.OperationBenchmark;
import io.holdfast.jmh.bench.PipelineBenchmark;
import io.holdfast.jmh.bench.QueueBenchmark;
import io.holdfast.jmh.bench.SectionBenchmark;
import io.holdfast.jmh.bench.SectionTable;
import io.holdfast.jmh.bench.StoreTable;
import io.holdfast.jmh.bench.ToolBenchmark;
import io.holdfast.jmh.bench.WovenBenchmark;
import io.holdfast.jmh.bench.disk.CheckpointBenchmark;
import io.holdfast.jmh.bench.disk.CommitBenchmark;
import io.holdfast.jmh.bench.disk.CutBenchmark;
import io.holdfast.jmh.bench.log.LogBenchmark;
import io.holdfast.jmh.bench.log.LogFigures;
import io.holdfast.jmh.bench.log.LogNames;
import io.holdfast.jmh.bench.log.LogTable;
import io.holdfast.jmh.bench.log.SectionLogBenchmark;
import io.holdfast.jmh.bench.map.FloorBenchmark;
import io.holdfast.jmh.bench.map.InsertBenchmark;
import io.holdfast.jmh.bench.map.LatencyBenchmark;
import io.holdfast.jmh.bench.map.MapBenchmark;
import io.holdfast.jmh.bench.map.MapNames;
import io.holdfast.jmh.bench.map.MapTable;
import io.holdfast.jmh.bench.map.MapTables;
import io.holdfast.jmh.bench.map.ReopenBenchmark;
import io.holdfast.jmh.bench.map.RoundTripBenchmark;
import io.holdfast.jmh.bench.map.SpaceBenchmark;
import io.holdfast.jmh.bench.map.TransferBenchmark;
import io.holdfast.jmh.bench.map.YcsbBenchmark;
import io.holdfast.jmh.bench.program.AtlasBenchmark;
import io.holdfast.jmh.bench.program.AtlasTable;
import io.holdfast.jmh.bench.program.ByHandBenchmark;
import io.holdfast.jmh.bench.program.ByHandTable;
import io.holdfast.jmh.bench.program.ClobberTable;
import io.holdfast.jmh.bench.program.LineLogTable;
import io.holdfast.jmh.bench.program.MicroBenchmark;
import io.holdfast.jmh.bench.program.ProgramTable;
import io.holdfast.jmh.bench.program.SfrBenchmark;
import io.holdfast.jmh.bench.program.SfrProgram;
import io.holdfast.jmh.bench.program.SfrTable;
import io.holdfast.jmh.bench.stm.StmBenchmark;
import io.holdfast.jmh.bench.stm.StmTable;
import io.holdfast.jmh.bench.transaction.JobBenchmark;
import io.holdfast.jmh.bench.transaction.ResumableBenchmark;
import io.holdfast.jmh.bench.transaction.SnapshotBenchmark;
import io.holdfast.jmh.bench.transaction.StampBenchmark;
import io.holdfast.jmh.bench.transaction.SubmitBenchmark;
import io.holdfast.jmh.bench.transaction.TransactionBenchmark;
import io.holdfast.jmh.bench.transaction.TransactionTables;
import io.holdfast.jmh.bench.transaction.UnfinishedBenchmark;
import io.holdfast.jmh.bench.transaction.WorkersBenchmark;
import io.holdfast.jmh.bench.tree.LevelDbBenchmark;
import io.holdfast.jmh.bench.tree.LevelDbTable;
import io.holdfast.jmh.bench.tree.TreeBenchmark;
import io.holdfast.jmh.bench.tree.TreeFences;
import io.holdfast.jmh.bench.tree.TreeInsertBenchmark;
import io.holdfast.jmh.bench.tree.TreeRankBenchmark;
import io.holdfast.jmh.bench.tree.TreeTables;
import io.holdfast.jmh.bench.tree.YcsbScanBenchmark;
import io.holdfast.jmh.count.Counted;
import io.holdfast.jmh.map.Accounts;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.map.Trees;
import io.holdfast.jmh.map.Workload;
import io.holdfast.jmh.queue.Queues;
import io.holdfast.jmh.report.Mark;
import io.holdfast.jmh.report.Marks;
import io.holdfast.jmh.report.Measurement;
import io.holdfast.jmh.report.ThroughputTable;
import io.holdfast.jmh.stm.StmProgram;
import io.holdfast.jmh.suite.Part;
import io.holdfast.jmh.suite.Suite;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// All suites, in the order of the report: what each runs, and what of it a first look is taken at.
final class Suites {
  /// A first look's number of entries, for a million.
  private static final String QUICK_ENTRIES = "100000";

  /// Others are slower than a first look has time for.
  private static final List<String> QUICK_MAPS =
      List.of(
          Maps.HOLDFAST,
          Maps.HOLDFAST_POWER,
          Maps.CONCURRENT_HASH_MAP,
          Maps.CHRONICLE_MAP,
          Maps.LMDB,
          Maps.ROCKSDB);

  private static final List<String> QUICK_TRANSFERS = Maps.TRANSFERS.subList(0, 3);

  private static final List<String> QUICK_TREES =
      List.of(
          Trees.HOLDFAST,
          Trees.CONCURRENT_SKIP_LIST_MAP,
          Maps.LMDB,
          Trees.MAP_DB,
          Maps.H2_MV_STORE,
          Maps.XODUS);

  private static final List<String> QUICK_PAIR =
      List.of(Maps.HOLDFAST, Maps.CONCURRENT_HASH_MAP, Maps.CHRONICLE_MAP, Maps.LMDB);

  static final List<Suite> ALL =
      List.of(
          sections(),
          heap(),
          logs(),
          atlas(),
          byHand(),
          sectionLogs(),
          wordStm(),
          micro(),
          sfr(),
          queues(),
          maps(),
          ycsb(),
          roundTrips(),
          trees(),
          levelDb(),
          transfers(),
          transactions(),
          operations(),
          disk(),
          trial(
              "latency",
              "Latency at a fixed rate",
              new LatencyBenchmark(),
              LatencyBenchmark::print),
          trial("space", "Space", new SpaceBenchmark(), SpaceBenchmark::print),
          trial("reopen", "Opening after a crash", new ReopenBenchmark(), ReopenBenchmark::print),
          trial(
              "opening",
              "Opening in a new process",
              new OpeningBenchmark(),
              OpeningBenchmark::print),
          trial(
              "tools",
              "Commands on a store that is not in use",
              new ToolBenchmark(),
              ToolBenchmark::print),
          agent());

  private Suites() {}

  private static Suite sections() {
    return new Suite(
        "sections",
        "Sections",
        List.of(Part.of(SectionBenchmark.class), Part.of(WovenBenchmark.class)),
        List.of(),
        (results, page) -> {
          times("SectionBenchmark", "WovenBenchmark").print(results, page);
          page.out().printf("%nSections on persistent memory, counted:%n%n");
          Counted.print(page.out(), SectionTable.sections());
        });
  }

  private static Suite heap() {
    return new Suite(
        "heap",
        "The heap",
        List.of(Part.of(HeapBenchmark.class)),
        List.of(),
        (results, page) -> {
          times("HeapBenchmark").print(results, page);
          page.out().printf("%nBlocks of 64 bytes on persistent memory, counted:%n%n");
          Counted.print(page.out(), SectionTable.heap());
        });
  }

  /// Nanoseconds of each benchmark of some classes.
  private static Suite.Section times(String... classes) {
    return (results, page) -> {
      List<Measurement> measured =
          results.all().stream()
              .filter(m -> Stream.of(classes).anyMatch(name -> m.name().startsWith(name + ".")))
              .toList();
      page.plotWithTable(
          new Marks(
              String.join(", ", classes),
              "ns",
              measured.stream().map(m -> m.shortName().replaceFirst("^\\w+\\.", "")).toList(),
              List.of(
                  new Marks.Series(
                      "ns an operation",
                      measured.stream().map(m -> Optional.of(Mark.of(m.statistics()))).toList()))),
          classes[0] + ".svg");
    };
  }

  private static Suite logs() {
    List<String> latencies = List.of("0", "800");
    return new Suite(
        "logs",
        "The logs of the CSO paper: Figure 4 and Table 1",
        List.of(
            Part.of(LogBenchmark.class, "halfLine|floor")
                .quick("latency", latencies)
                .quick("log", LogNames.quick(32)),
            Part.of(LogBenchmark.class, "twoLines")
                .quick("bytes", List.of("128"))
                .quick("log", LogNames.quick(128)),
            Part.of(LogBenchmark.class, "longer")
                .quick("bytes", List.of("512"))
                .quick("log", LogNames.quick(512)),
            Part.of(LogBenchmark.class, "floorOfLines").quick("bytes", List.of("128", "512")),
            Part.of(LogBenchmark.class, "append|appendToPageCache|plainStores").notQuick()),
        List.of(),
        (results, page) -> {
          LogFigures figures = new LogFigures(results::time);
          page.plotWithTable(figures.bySize(), "figure-4a.svg");
          page.plotWithTable(figures.byLatency(), "figure-4b.svg");
          page.out().printf("%nTable 1 of the CSO paper, counted:%n%n");
          LogTable.print(page.out());
        });
  }

  private static Suite atlas() {
    return new Suite(
        "atlas",
        "Atlas's programs: Tables 1 and 2",
        List.of(
            Part.of(
                    AtlasBenchmark.class,
                    "queue|cowArrayList|mdb|arrayStores|linkedList|alarmClock")
                .quick("mode", List.of("NONE", "PROCESS_CRASH", "POSTED")),
            Part.of(AtlasBenchmark.class, "dedup|memcached5|memcached50|memcached95").notQuick()),
        List.of(),
        (results, page) -> new AtlasTable(results::time).print(page));
  }

  private static Suite byHand() {
    return new Suite(
        "byhand",
        "Sections and hand-written code: Figures 7(b) and 7(c) of Atlas",
        List.of(Part.of(ByHandBenchmark.class).notQuick()),
        List.of(),
        (results, page) -> {
          times("ByHandBenchmark").print(results, page);
          page.out().printf("%nOn persistent memory, counted:%n%n");
          Counted.print(page.out(), ByHandTable.count());
        });
  }

  private static Suite sectionLogs() {
    return new Suite(
        "sectionlogs",
        "Sections by the log: Figure 6 of the CSO paper",
        List.of(
            Part.of(SectionLogBenchmark.class)
                .quick("log", List.of("CSO-VB", "AtlasLog"))
                .quick("addedNanos", List.of("0", "800"))),
        List.of(),
        SectionLogBenchmark::print);
  }

  private static Suite wordStm() {
    return new Suite(
        "stm",
        "A word STM by the log: Figure 5 of the CSO paper",
        List.of(
            Part.of(StmBenchmark.class)
                .with("program", List.of(StmProgram.SSCA2.name(), StmProgram.VACATION.name()))
                .with("addedNanos", List.of("0"))
                .notQuick(),
            Part.of(StmBenchmark.class)
                .with("program", List.of(StmProgram.INTRUDER.name()))
                .notQuick()),
        List.of(),
        (results, page) -> {
          StmBenchmark.print(results, page);
          page.out().printf("%nA transaction, counted, by one thread:%n%n");
          StmTable.print(page.out());
        });
  }

  private static Suite micro() {
    return new Suite(
        "micro",
        "Micro-benchmarks and transactions of the thesis",
        List.of(
            Part.of(MicroBenchmark.class)
                .quick("program", quickPrograms())
                .quick("mode", List.of("HYBRID", "POSTED"))
                .quick("addedNanos", List.of("0"))),
        List.of(),
        (results, page) -> {
          page.plotWithTable(
              new Marks(
                  "Micro-benchmarks and transactions",
                  "ns an operation",
                  Stream.of(MicroProgram.values()).map(program -> program.title).toList(),
                  Stream.of(ProgramMode.values())
                      .map(
                          mode ->
                              new Marks.Series(
                                  mode.name(),
                                  Stream.of(MicroProgram.values())
                                      .map(
                                          p ->
                                              results
                                                  .time(MicroBenchmark.name(p, mode))
                                                  .map(Mark::of))
                                      .toList()))
                      .filter(line -> line.values().stream().anyMatch(Optional::isPresent))
                      .toList()),
              "micro.svg");
          page.out().println();
          ProgramTable.print(page.out(), ProgramTable.micro());
          page.out()
              .printf(
                  "%nWhat ATOM and DHTM would log, and what the log of a disk has, counted:%n%n");
          LineLogTable.print(page.out(), ProgramTable.micro());
          page.out().printf("%nWhat a section would log, by strategy (Clobber-NVM), counted:%n");
          ClobberTable.print(page.out());
        });
  }

  /// Without the tables, whose sections take many times what others do.
  private static List<String> quickPrograms() {
    return Stream.of(MicroProgram.values())
        .filter(program -> program != MicroProgram.TPCC_TABLES)
        .map(MicroProgram::name)
        .toList();
  }

  private static Suite sfr() {
    return new Suite(
        "sfr",
        "Sections that end at releases: Figures 5 to 8 of Gogte and others",
        List.of(
            Part.of(SfrBenchmark.class)
                .with("design", SfrBenchmark.FLUSHING)
                .quick("program", List.of(SfrProgram.LIST.name()))
                .quick(
                    "design", List.of(RegionDesign.OUTERMOST.name(), RegionDesign.COUPLED.name()))
                .quick("medium", List.of("PROCESS_CRASH", "POSTED")),
            Part.of(SfrBenchmark.class)
                .with("design", List.of(RegionDesign.DECOUPLED.name()))
                .with("medium", List.of("POSTED"))
                .notQuick()),
        List.of(),
        (results, page) -> {
          SfrBenchmark.print(results, page);
          page.out().printf("%nOn persistent memory, one thread, counted:%n%n");
          SfrTable.print(page.out());
        });
  }

  private static Suite queues() {
    List<Part> parts = new ArrayList<>(List.of(Part.of(QueueBenchmark.class)));
    if (Maps.hasPeers()) {
      parts.add(Part.of(peer("ChronicleQueueBenchmark")));
    }
    parts.add(Part.of(PipelineBenchmark.class));
    return new Suite(
        "queue",
        "Queues",
        parts,
        List.of(),
        (results, page) -> {
          times("QueueBenchmark", "ChronicleQueueBenchmark").print(results, page);
          new ThroughputTable("Pipelines", Queues.ALL, results::time)
              .row("one to one", 1, queue -> pipeline("oneToOne", queue))
              .row("two to two", 1, queue -> pipeline("twoToTwo", queue))
              .print(page, "pipelines.svg");
          page.out().printf("%nThe queue's operations on persistent memory, counted:%n%n");
          Counted.print(page.out(), StoreTable.queue());
        });
  }

  private static String pipeline(String method, String queue) {
    return "PipelineBenchmark.%s(queue=%s)".formatted(method, queue);
  }

  private static Class<?> peer(String name) {
    try {
      return Class.forName(QueueBenchmark.class.getPackageName() + "." + name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Suite maps() {
    List<Part> parts = new ArrayList<>(mapParts());
    if (Maps.hasPeers()) {
      parts.add(
          Part.of(MapBenchmark.class, "put")
              .with("map", Maps.POWER_PEERS)
              .quick("entries", List.of(QUICK_ENTRIES)));
    }
    return new Suite(
        "map",
        "Maps",
        parts,
        List.of(),
        (results, page) -> {
          new MapTables(results::time, page).printLongs();
          page.out().printf("%nThe map's operations on persistent memory, counted:%n%n");
          Counted.print(page.out(), MapTable.count());
        });
  }

  private static List<Part> mapParts() {
    return List.of(
        Part.of(FloorBenchmark.class, "drawnKey|anyLine|nextLine")
            .quick("entries", List.of(QUICK_ENTRIES)),
        Part.of(MapBenchmark.class, "put|get")
            .quick("entries", List.of(QUICK_ENTRIES))
            .quick("map", QUICK_MAPS),
        Part.of(MapBenchmark.class, "putByTwo|getByTwo")
            .quick("entries", List.of(QUICK_ENTRIES))
            .quick("map", QUICK_PAIR),
        Part.of(InsertBenchmark.class, "insert")
            .with("map", QUICK_MAPS)
            .quick("entries", List.of(QUICK_ENTRIES))
            .quickOperations(Integer.parseInt(QUICK_ENTRIES)),
        Part.of(InsertBenchmark.class, "insertByTwo").with("map", QUICK_MAPS).notQuick());
  }

  private static Suite ycsb() {
    List<String> shortValues = List.of(String.valueOf(MapNames.VALUE_BYTES));
    return new Suite(
        "ycsb",
        "YCSB",
        List.of(
            Part.of(FloorBenchmark.class, "ycsb|twoWaits")
                .quick("workload", List.of("A", "B"))
                .quick("entries", List.of(QUICK_ENTRIES)),
            Part.of(YcsbBenchmark.class, "oneThread")
                .with("workload", names(MapNames.WORKLOADS))
                .with("valueBytes", shortValues)
                .quick("entries", List.of(QUICK_ENTRIES))
                .quick("map", QUICK_MAPS),
            Part.of(YcsbBenchmark.class, "twoThreads")
                .with("workload", names(MapNames.WORKLOADS))
                .with("valueBytes", shortValues)
                .quick("workload", List.of("A", "B"))
                .quick("entries", List.of(QUICK_ENTRIES))
                .quick("map", QUICK_PAIR),
            Part.of(YcsbBenchmark.class, "oneThread")
                .with("workload", names(MapNames.UNIFORM_WORKLOADS))
                .with("valueBytes", shortValues)
                .quick("workload", List.of("A_UNIFORM"))
                .quick("entries", List.of(QUICK_ENTRIES))
                .quick("map", QUICK_PAIR),
            Part.of(YcsbBenchmark.class, "oneThread")
                .with("workload", List.of("A", "B", "C"))
                .with("valueBytes", List.of(String.valueOf(MapNames.LONG_VALUE_BYTES)))
                .quick("workload", List.of("A"))
                .quick("entries", List.of(QUICK_ENTRIES))
                .quick("map", QUICK_PAIR),
            Part.of(YcsbScanBenchmark.class)
                .quick("entries", List.of(QUICK_ENTRIES))
                .quick("tree", QUICK_TREES)),
        List.of(),
        (results, page) -> new MapTables(results::time, page).printYcsb());
  }

  private static List<String> names(List<Workload> workloads) {
    return workloads.stream().map(Workload::name).toList();
  }

  private static Suite roundTrips() {
    return new Suite(
        "roundtrips",
        "One round trip against two: the CSO paper's Figure 7",
        List.of(
            Part.of(RoundTripBenchmark.class)
                .quick("entries", List.of(QUICK_ENTRIES))
                .quick("addedNanos", List.of("0", "800"))
                .quick("size", List.of("2048", "131072"))
                .quick("lines", List.of("2", "15"))
                .quick("roundTrips", List.of("one", "two"))),
        List.of(),
        (results, page) -> new MapTables(results::time, page).printRoundTrips());
  }

  private static Suite trees() {
    return new Suite(
        "tree",
        "Trees",
        List.of(
            Part.of(TreeBenchmark.class, "get|scan")
                .quick("entries", List.of(QUICK_ENTRIES))
                .quick("tree", QUICK_TREES),
            Part.of(TreeBenchmark.class, "getByTwo|scanByTwo").notQuick(),
            Part.of(TreeInsertBenchmark.class, "random|sequential")
                .with("tree", Trees.QUICK_TO_INSERT)
                .quick("entries", List.of(QUICK_ENTRIES))
                .quick("tree", List.of(Trees.HOLDFAST, Trees.CONCURRENT_SKIP_LIST_MAP, Maps.LMDB))
                .quickOperations(Integer.parseInt(QUICK_ENTRIES)),
            Part.of(TreeInsertBenchmark.class, "randomByTwo")
                .with("tree", Trees.QUICK_TO_INSERT)
                .notQuick(),
            Part.of(TreeInsertBenchmark.class, "random|sequential")
                .with("tree", Trees.SLOW_TO_INSERT)
                .operations(TreeInsertBenchmark.SLOW_INSERTS)
                .notQuick(),
            Part.of(TreeInsertBenchmark.class, "randomByTwo")
                .with("tree", Trees.SLOW_TO_INSERT)
                .operations(TreeInsertBenchmark.SLOW_INSERTS / 2)
                .notQuick(),
            Part.of(TreeRankBenchmark.class, "get|indexOf|keyAt|load|putInOrder")
                .with("tree", List.of(Trees.HOLDFAST))
                .notQuick(),
            Part.of(TreeRankBenchmark.class, "forEach|spliterator|parallelStream").notQuick()),
        List.of(new TreeFences()),
        (results, page) -> {
          TreeTables.print(page, results::time);
          times("TreeRankBenchmark").print(results, page);
        });
  }

  private static Suite levelDb() {
    return new Suite(
        "leveldb",
        "LevelDB's workloads: Table 3 of Atlas",
        List.of(Part.of(LevelDbBenchmark.class).notQuick()),
        List.of(),
        (results, page) -> LevelDbTable.print(page, results::time));
  }

  private static Suite transfers() {
    return new Suite(
        "transfer",
        "Transactions over two collections",
        List.of(Part.of(TransferBenchmark.class).quick("map", QUICK_TRANSFERS)),
        List.of(),
        (results, page) -> {
          new ThroughputTable("Transfers", Maps.TRANSFERS, results::time)
              .row("transfer", 1, TransferBenchmark::name)
              .print(page, "transfers.svg");
          page.out().printf("%nOn persistent memory, counted:%n%n");
          Counted.print(page.out(), StoreTable.transfers());
        });
  }

  private static Suite transactions() {
    return new Suite(
        "transactions",
        "Transactions",
        List.of(
            Part.of(TransactionBenchmark.class, "oneThread")
                .quick("map", List.of(Accounts.TRANSACTION, Accounts.UNDER_LOCK)),
            Part.of(TransactionBenchmark.class, "twoThreads")
                .quick("map", List.of(Accounts.TRANSACTION)),
            Part.of(SnapshotBenchmark.class).quick("size", List.of(QUICK_ENTRIES)),
            Part.of(ResumableBenchmark.class),
            Part.of(JobBenchmark.class)
                .quick("every", List.of("1", "10000", JobBenchmark.WITHOUT_A_JOB))),
        List.of(
            new WorkersBenchmark(),
            new StampBenchmark(),
            new UnfinishedBenchmark(),
            new SubmitBenchmark()),
        TransactionTables::print);
  }

  private static Suite operations() {
    return new Suite(
        "operations",
        "Single operations, to compare versions",
        List.of(Part.of(OperationBenchmark.class).notQuick()),
        List.of(),
        times("OperationBenchmark"));
  }

  private static Suite trial(String name, String title, Suite.Trial trial, Suite.Section section) {
    return new Suite(name, title, List.of(), List.of(trial), section);
  }

  private static Suite disk() {
    return new Suite(
        "disk",
        "A loss of power, on a disk",
        List.of(),
        List.of(new CommitBenchmark(), new CheckpointBenchmark(), new CutBenchmark()),
        (results, page) -> {
          CommitBenchmark.print(results, page);
          CheckpointBenchmark.print(results, page);
          CutBenchmark.print(results, page);
        });
  }

  private static Suite agent() {
    return new Suite(
        "agent",
        "Under the agent",
        List.of(),
        List.of(new AgentStartBenchmark(), new LibraryBenchmark()),
        (results, page) -> {
          AgentStartBenchmark.print(results, page);
          page.out().println();
          LibraryBenchmark.print(results, page);
        });
  }
}
