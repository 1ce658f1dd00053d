package io.holdfast.jmh.atlas;

import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.RegionFile.DomainFinder;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.persistence.PersistentMemory;
import io.holdfast.jmh.domain.EmulatedLatency;
import java.nio.file.Path;

/// What a program's data survives, and how it is made to: the columns of Atlas's Table 1.
///
/// This is the one place that knows them. Benchmark, targets, table and tests go over all constants
/// in this order, so that another way to flush (Atlas, 5.2) is another constant here.
public enum ProgramMode {
  /// Nothing: the program alone.
  NONE((file, _) -> new PlainMemory(file)),

  /// The death of the process; no store is flushed.
  PROCESS_CRASH((file, _) -> SectionMemory.open(file, _ -> new PageCache(), FlushMode.HYBRID)),

  /// Loss of power, on persistent memory; data is flushed at each store. The file is treated as
  /// such and is none, so that flushes cost what DRAM makes them cost, and survive nothing.
  EAGER(onPersistentMemory(FlushMode.EAGER)),

  /// The same; a line is flushed when another one needs its place in a small table.
  HYBRID(onPersistentMemory(FlushMode.HYBRID)),

  /// The same, and data wait for their entries together: ATOM's posted log. Holdfast's own.
  POSTED(onPersistentMemory(FlushMode.POSTED)),

  /// As {@link #HYBRID}, and every word that is stored is logged ({@link LogAllMemory}).
  LOG_ALL((file, finder) -> LogAllMemory.open(file, finder, FlushMode.HYBRID)),

  /// As {@link #HYBRID}, but data is flushed at the section's end.
  DELAYED_TO_END(onPersistentMemory(FlushMode.DELAYED_TO_END)),

  /// The same; data is flushed when the section becomes durable.
  DELAYED_TO_DURABLE(onPersistentMemory(FlushMode.DELAYED_TO_DURABLE));

  private interface Opener {
    ProgramMemory open(Path file, DomainFinder finder);
  }

  private final Opener opener;

  ProgramMode(Opener opener) {
    this.opener = opener;
  }

  private static Opener onPersistentMemory(FlushMode mode) {
    return (file, finder) -> SectionMemory.open(file, finder, mode);
  }

  /// Makes a program's memory in a new file.
  ///
  /// @throws UnsupportedOperationException if this process can't write cache lines back and would
  ///   have to
  public ProgramMemory open(Path file) {
    return open(file, 0);
  }

  /// The same, on a slower medium.
  ///
  /// @param addedNanos that a fence takes longer
  public ProgramMemory open(Path file, int addedNanos) {
    return opener.open(
        file, path -> new EmulatedLatency(PersistentMemory.domainOf(path), addedNanos));
  }
}
