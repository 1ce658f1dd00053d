package io.holdfast.jmh.bench.program;

import io.holdfast.Holdfast;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.jmh.atlas.ClobberMemory;
import io.holdfast.jmh.atlas.Crew;
import io.holdfast.jmh.atlas.MicroProgram;
import io.holdfast.jmh.atlas.Program;
import io.holdfast.jmh.atlas.ProgramMemory;
import io.holdfast.jmh.atlas.SectionMemory;
import io.holdfast.jmh.bench.program.Strategy.Logged;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.process.Scratch;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.IntConsumer;

/// What sections of the programs and of the collections would log under each {@link Strategy}: the
/// question of the Clobber-NVM paper, counted. No clock is involved.
public final class ClobberTable {
  private static final int OPERATIONS = 1_200;
  private static final int ENTRIES = 2_000;

  private ClobberTable() {}

  /// A row for each section.
  record Row(Map<Strategy, Logged> logged, double otherEntries) {
    private static Row of(SectionAccesses.Sum sum, double otherEntries) {
      Map<Strategy, Logged> logged = new EnumMap<>(Strategy.class);
      for (Strategy strategy : Strategy.values()) {
        logged.put(strategy, sum.of(strategy));
      }
      return new Row(logged, otherEntries);
    }

    Logged of(Strategy strategy) {
      return logged.get(strategy);
    }
  }

  /// All programs.
  static Map<String, Function<ProgramMemory, Program>> programs() {
    Map<String, Function<ProgramMemory, Program>> programs = new LinkedHashMap<>();
    for (MicroProgram program : MicroProgram.values()) {
      programs.put(program.title, program::over);
    }
    programs.putAll(ProgramTable.atlas());
    return programs;
  }

  static Row count(Function<ProgramMemory, Program> maker) {
    try (Scratch scratch = new Scratch()) {
      AccessedProgram memory = new AccessedProgram(scratch.file("accesses"));
      try (Program program = maker.apply(memory);
          Crew crew = new Crew(program)) {
        memory.restart();
        crew.run(OPERATIONS);
        return Row.of(memory.sum(), 0);
      }
    }
  }

  /// Sections of the collections: each is one operation, or what a transfer does, in `atomically`.
  static Map<String, Row> operations() {
    Map<String, Row> rows = new LinkedHashMap<>();
    try (Scratch scratch = new Scratch();
        RegionFile file = RegionFile.open(scratch.file("store"), _ -> new PageCache())) {
      AccessedStore memory = new AccessedStore(file.memory());
      try (Holdfast store = Holdfast.over(memory)) {
        operations(store)
            .forEach(
                (name, operation) -> {
                  SectionAccesses.Sum sum = new SectionAccesses.Sum();
                  long before = memory.otherEntries();
                  for (int i = 0; i < OPERATIONS; i++) {
                    int number = i;
                    memory.count(() -> store.atomically(() -> operation.accept(number)), sum);
                  }
                  rows.put(
                      name, Row.of(sum, (double) (memory.otherEntries() - before) / OPERATIONS));
                });
      }
    }
    return rows;
  }

  private static Map<String, IntConsumer> operations(Holdfast store) {
    Map<Long, Long> map = store.hashMap("map", Long.class, Long.class);
    Map<String, String> texts = store.hashMap("texts", String.class, String.class);
    Map<Long, Long> tree = store.treeMap("tree", Long.class, Long.class);
    Queue<Long> queue = store.queue("queue", Long.class);
    for (long i = 0; i < ENTRIES; i++) {
      map.put(i, i);
      texts.put("key " + i, text(i));
      tree.put(i, i);
      queue.add(i); // so that what is taken was there before
    }
    Draws draws = new Draws(1);
    Map<String, IntConsumer> operations = new LinkedHashMap<>();
    operations.put("map: update", i -> map.put(draws.item(ENTRIES), -1L - i));
    operations.put("map: insert", i -> map.put((long) ENTRIES + i, 1L));
    operations.put(
        "map: update of a text", i -> texts.put("key " + draws.item(ENTRIES), text(-1L - i)));
    operations.put(
        "map: two merges",
        _ -> {
          map.merge(draws.item(ENTRIES), -1L, Long::sum);
          map.merge(draws.item(ENTRIES), 1L, Long::sum);
        });
    operations.put("tree: update", i -> tree.put(draws.item(ENTRIES), -1L - i));
    operations.put("tree: insert", i -> tree.put((long) ENTRIES + i, 1L));
    operations.put(
        "queue: offer and poll",
        i -> {
          queue.add((long) i);
          queue.remove();
        });
    operations.put(
        "transfer over map, tree and queue",
        i -> {
          map.merge(draws.item(ENTRIES), -1L, Long::sum);
          tree.merge(draws.item(ENTRIES), 1L, Long::sum);
          queue.add((long) i);
        });
    return operations;
  }

  private static String text(long i) {
    return "a text of some length, of which there are many: " + i;
  }

  /// Fences of an operation of ours that waits for each entry, in a region: undone or executed
  /// again after a crash. Allocations have entries too.
  ///
  /// @return of undo, and of {@link ClobberMemory}
  static double[] executed(MicroProgram program) {
    try (Scratch scratch = new Scratch()) {
      return new double[] {
        ProgramTable.count(
                program::over,
                domain -> SectionMemory.open(scratch.file("undo"), domain, FlushMode.HYBRID))
            .fences(),
        ProgramTable.count(
                program::over,
                domain -> ClobberMemory.open(scratch.file("clobber"), domain, FlushMode.HYBRID))
            .fences()
      };
    }
  }

  /// Prints all of it.
  public static void print(PrintWriter out) {
    Map<String, Row> rows = new LinkedHashMap<>();
    programs().forEach((name, maker) -> rows.put(name, count(maker)));
    rows.putAll(operations());
    print(out, "entries", "%.2f", rows, Logged::entries);
    print(out, "bytes", "%.0f", rows, Logged::bytes);
    print(out, "fences", "%.2f", rows, Logged::fences);
    out.printf(
        "%n| a section of | entries: object undo / clobber | word undo / clobber | bytes: object"
            + " undo / clobber | word undo / clobber | fences: object undo / clobber | word undo /"
            + " clobber | other entries |%n|---|---|---|---|---|---|---|---|%n");
    rows.forEach(
        (name, row) ->
            out.printf(
                "| %s | %s | %s | %s | %s | %s | %s | %.2f |%n",
                name,
                ratio(row, Strategy.OBJECT_UNDO, Logged::entries),
                ratio(row, Strategy.WORD_UNDO, Logged::entries),
                ratio(row, Strategy.OBJECT_UNDO, Logged::bytes),
                ratio(row, Strategy.WORD_UNDO, Logged::bytes),
                ratio(row, Strategy.OBJECT_UNDO, Logged::fences),
                ratio(row, Strategy.WORD_UNDO, Logged::fences),
                row.otherEntries));
    out.printf(
        "%n| fences of an operation, in a region (`HYBRID`) | undone | executed again"
            + " |%n|---|---|---|%n");
    for (MicroProgram program : MicroProgram.values()) {
      double[] fences = executed(program);
      out.printf("| %s | %.2f | %.2f |%n", program.title, fences[0], fences[1]);
    }
  }

  private static void print(
      PrintWriter out,
      String what,
      String format,
      Map<String, Row> rows,
      Function<Logged, Double> value) {
    out.printf("%n| %s of a section of |", what);
    for (Strategy strategy : Strategy.values()) {
      out.printf(" %s |", strategy.title);
    }
    out.printf("%n|---|%s%n", "---|".repeat(Strategy.values().length));
    rows.forEach(
        (name, row) -> {
          out.printf("| %s |", name);
          for (Strategy strategy : Strategy.values()) {
            out.printf(" " + format + " |", value.apply(row.of(strategy)));
          }
          out.println();
        });
  }

  private static String ratio(Row row, Strategy strategy, Function<Logged, Double> value) {
    double clobber = value.apply(row.of(Strategy.CLOBBER));
    return clobber == 0 ? "no clobber" : "%.2f".formatted(value.apply(row.of(strategy)) / clobber);
  }
}
