package io.holdfast.jmh.atlas;

import io.holdfast.core.memory.RegionFile.DomainFinder;
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
  PROCESS_CRASH(inRegion(_ -> new PageCache())),

  /// Loss of power, on persistent memory. The file is treated as such and is none, so that flushes
  /// cost what DRAM makes them cost, and survive nothing.
  CACHE_LINE(inRegion(file -> PersistentMemory.domainOf(file, true)));

  private final Function<Path, ProgramMemory> opener;

  ProgramMode(Function<Path, ProgramMemory> opener) {
    this.opener = opener;
  }

  private static Function<Path, ProgramMemory> inRegion(DomainFinder finder) {
    return file -> SectionMemory.open(file, finder);
  }

  /// Makes a program's memory in a new file.
  ///
  /// @throws UnsupportedOperationException if this process can't write cache lines back and would
  ///   have to
  public ProgramMemory open(Path file) {
    return opener.apply(file);
  }
}
