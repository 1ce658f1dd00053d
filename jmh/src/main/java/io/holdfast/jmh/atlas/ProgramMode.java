package io.holdfast.jmh.atlas;

import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.persistence.PersistentMemory;
import java.nio.file.Path;
import java.util.function.Function;

/// What a program's data survives, and how it is made to: the columns of Atlas's Table 1.
///
/// This is the one place that knows them. Benchmark, targets, table and tests go over all constants
/// in this order, so that another way to flush (Atlas, 5.2) is another constant here.
public enum ProgramMode {
  /// Nothing: the program alone.
  NONE(PlainMemory::new),

  /// The death of the process; no store is flushed.
  PROCESS_CRASH(file -> SectionMemory.open(file, _ -> new PageCache(), FlushMode.HYBRID)),

  /// Loss of power, on persistent memory; data is flushed at each store. The file is treated as
  /// such and is none, so that flushes cost what DRAM makes them cost, and survive nothing.
  EAGER(onPersistentMemory(FlushMode.EAGER)),

  /// The same; a line is flushed when another one needs its place in a small table. Holdfast's own.
  HYBRID(onPersistentMemory(FlushMode.HYBRID)),

  /// The same, and every word that is stored is logged ({@link LogAllMemory}).
  LOG_ALL(
      file -> LogAllMemory.open(file, path -> PersistentMemory.domainOf(path), FlushMode.HYBRID)),

  /// As {@link #HYBRID}, but data is flushed at the section's end.
  DELAYED_TO_END(onPersistentMemory(FlushMode.DELAYED_TO_END)),

  /// The same; data is flushed when the section becomes durable.
  DELAYED_TO_DURABLE(onPersistentMemory(FlushMode.DELAYED_TO_DURABLE));

  private final Function<Path, ProgramMemory> opener;

  ProgramMode(Function<Path, ProgramMemory> opener) {
    this.opener = opener;
  }

  private static Function<Path, ProgramMemory> onPersistentMemory(FlushMode mode) {
    return file -> SectionMemory.open(file, path -> PersistentMemory.domainOf(path), mode);
  }

  /// Makes a program's memory in a new file.
  ///
  /// @throws UnsupportedOperationException if this process can't write cache lines back and would
  ///   have to
  public ProgramMemory open(Path file) {
    return opener.apply(file);
  }
}
