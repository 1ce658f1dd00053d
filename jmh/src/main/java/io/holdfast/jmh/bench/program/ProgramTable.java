package io.holdfast.jmh.bench.program;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.RegionFile.DomainFinder;
import io.holdfast.jmh.atlas.AlarmClock;
import io.holdfast.jmh.atlas.ArrayStores;
import io.holdfast.jmh.atlas.CowArrayList;
import io.holdfast.jmh.atlas.CowBTree;
import io.holdfast.jmh.atlas.Crew;
import io.holdfast.jmh.atlas.Dedup;
import io.holdfast.jmh.atlas.LogAllMemory;
import io.holdfast.jmh.atlas.LruCache;
import io.holdfast.jmh.atlas.MicroProgram;
import io.holdfast.jmh.atlas.Program;
import io.holdfast.jmh.atlas.ProgramMemory;
import io.holdfast.jmh.atlas.SectionMemory;
import io.holdfast.jmh.atlas.SinglyLinkedList;
import io.holdfast.jmh.atlas.TwoLockQueue;
import io.holdfast.jmh.count.CountingDomain;
import io.holdfast.jmh.process.Scratch;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/// The Atlas paper's Table 2 and the thesis's write sets: what programs store, log, flush and
/// fence, counted for an operation. No clock is involved.
public final class ProgramTable {
  /// A multiple of 6, as {@link CowArrayList} wants.
  private static final int OPERATIONS = 1_200;

  private ProgramTable() {}

  /// What an operation takes.
  ///
  /// @param sections that it is
  /// @param words that it stores
  /// @param writeSet lines that a section of it stores to
  /// @param posted flushes of ours
  /// @param hybrid flushes if each store waits for its entry
  /// @param eager flushes if each store's line is flushed at once
  /// @param logAll flushes if every word is logged
  record Row(
      double sections,
      double words,
      double writeSet,
      PerOperation posted,
      PerOperation hybrid,
      PerOperation eager,
      PerOperation logAll) {
    /// The part of the words that is not logged (Atlas, Table 2: elision), at least: what is logged
    /// for blocks that are freed is no word.
    double unlogged() {
      return 1 - hybrid.logged / words;
    }
  }

  /// What is flushed.
  ///
  /// @param lines written back
  /// @param logged lines of log entries, as a rule one for each entry
  /// @param logBytes of logs
  record PerOperation(
      double flushes, double fences, double lines, double logged, double logBytes) {}

  /// The programs of the Atlas paper, small, by the names of {@link AtlasNames}.
  public static Map<String, Function<ProgramMemory, Program>> atlas() {
    Map<String, Function<ProgramMemory, Program>> programs = new LinkedHashMap<>();
    programs.put("arrayStores", memory -> new ArrayStores(memory, OPERATIONS));
    programs.put("linkedList", SinglyLinkedList::new);
    programs.put("queue", TwoLockQueue::new);
    programs.put("cowArrayList", memory -> new CowArrayList(memory, 1_000));
    programs.put("dedup", memory -> new Dedup(memory, 1));
    programs.put("memcached5", memory -> new LruCache(memory, 5));
    programs.put("memcached50", memory -> new LruCache(memory, 50));
    programs.put("memcached95", memory -> new LruCache(memory, 95));
    programs.put("mdb", CowBTree::new);
    programs.put("alarmClock", AlarmClock::new);
    return programs;
  }

  static Row count(Function<ProgramMemory, Program> maker) {
    try (Scratch scratch = new Scratch()) {
      StoreCounts stores = new StoreCounts(scratch.file("stores"));
      double sections;
      double words;
      double writeSet;
      try (Program program = maker.apply(stores)) {
        long sectionsBefore = stores.sections();
        long wordsBefore = stores.words();
        long linesBefore = stores.lines();
        run(program);
        sections = stores.sections() - sectionsBefore;
        words = stores.words() - wordsBefore;
        writeSet = (stores.lines() - linesBefore) / sections;
      }
      return new Row(
          sections / OPERATIONS,
          words / OPERATIONS,
          writeSet,
          count(maker, opener(scratch, FlushMode.POSTED)),
          count(maker, opener(scratch, FlushMode.HYBRID)),
          count(maker, opener(scratch, FlushMode.EAGER)),
          count(maker, domain -> LogAllMemory.open(scratch.file("all"), domain, FlushMode.HYBRID)));
    }
  }

  static void run(Program program) {
    try (Crew crew = new Crew(program)) {
      crew.run(OPERATIONS);
    }
  }

  private static Function<DomainFinder, ProgramMemory> opener(Scratch scratch, FlushMode mode) {
    return domain -> SectionMemory.open(scratch.file(mode.name()), domain, mode);
  }

  static PerOperation count(
      Function<ProgramMemory, Program> maker, Function<DomainFinder, ProgramMemory> opener) {
    CountingDomain domain = new CountingDomain();
    try (Program program = maker.apply(opener.apply(_ -> domain))) {
      PersistenceCounts before = domain.counts();
      long linesBefore = domain.logLines();
      long logBefore = domain.logBytes();
      run(program);
      PersistenceCounts counts = domain.counts().since(before);
      return new PerOperation(
          (double) counts.flushes() / OPERATIONS,
          (double) counts.fences() / OPERATIONS,
          (double) counts.lines() / OPERATIONS,
          (double) (domain.logLines() - linesBefore) / OPERATIONS,
          (double) (domain.logBytes() - logBefore) / OPERATIONS);
    }
  }

  public static void print(
      PrintWriter out, Map<String, Function<ProgramMemory, Program>> programs) {
    out.printf(
        "| an operation of | sections | words stored | lines of a section | log lines | of the"
            + " words not logged | log bytes | flushes | fences | lines written back | flushes if"
            + " eager | fences if each store waits | and if all is logged"
            + " |%n|---|---|---|---|---|---|---|---|---|---|---|---|---|%n");
    programs.forEach(
        (name, maker) -> {
          Row row = count(maker);
          out.printf(
              "| %s | %.2f | %.1f | %.1f | %.2f | %.0f %% | %.0f | %.2f | %.2f | %.2f | %.2f"
                  + " times | %.2f | %.2f |%n",
              name,
              row.sections,
              row.words,
              row.writeSet,
              row.posted.logged,
              100 * row.unlogged(),
              row.posted.logBytes,
              row.posted.flushes,
              row.posted.fences,
              row.posted.lines,
              row.eager.flushes / row.posted.flushes,
              row.hybrid.fences,
              row.logAll.fences);
        });
  }

  /// The programs of the thesis, as it calls them with the lines that a transaction stores there.
  public static Map<String, Function<ProgramMemory, Program>> micro() {
    Map<String, Function<ProgramMemory, Program>> programs = new LinkedHashMap<>();
    for (MicroProgram program : MicroProgram.values()) {
      programs.put(
          "%s (thesis: %d lines)".formatted(program.title, program.linesInThesis), program::over);
    }
    return programs;
  }
}
