package io.holdfast.jmh.atlas;

import io.holdfast.core.Durability;
import io.holdfast.core.Regions;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.RegionFile.DomainFinder;
import io.holdfast.core.redo.Disks;
import io.holdfast.core.region.Region;
import java.nio.file.Path;

/// What is atomic of a program's data, and when it is durable: the designs that Gogte and others
/// compare (PLDI 2018, Figure 5).
public enum RegionDesign {
  /// Nothing: the program alone, without durability.
  NONE,

  /// What a thread does from its first lock to its last release ({@link
  /// Regions#OUTERMOST_CRITICAL_SECTION}).
  OUTERMOST,

  /// The same, and locks are logged ({@link LockLogMemory}): the paper's Atlas, but for its helper
  /// thread.
  LOGGED_LOCKS,

  /// What a thread does between two releases ({@link Regions#SYNCHRONIZATION_FREE}): the paper's
  /// *Coupled-SFR*.
  COUPLED,

  /// The same, durable some time after the release: the paper's *Decoupled-SFR*, by a log of new
  /// values and not of old ones ({@link Disks}). How lines are flushed is nothing to it, since it
  /// flushes those of the log alone.
  DECOUPLED;

  /// Makes a program's memory in a new file.
  ///
  /// @param finder of the domain, if there is durability
  /// @param mode that lines are flushed in, if they are
  public ProgramMemory open(Path file, DomainFinder finder, FlushMode mode) {
    return switch (this) {
      case NONE -> new PlainMemory(file);
      case OUTERMOST -> SectionMemory.open(file, finder, mode);
      case LOGGED_LOCKS -> SectionMemory.open(file, finder, mode, LockLogMemory::new);
      case COUPLED -> SectionMemory.open(file, finder, mode, RegionDesign::coupled);
      case DECOUPLED ->
          SectionMemory.openOn(
              file, Disks.powerFailure(true, Durability.PROCESS_CRASH), RegionDesign::coupled);
    };
  }

  /// The memory of a region that somebody else has opened, and whose sections end at releases.
  static SectionMemory coupled(Region region, Runnable release) {
    region.sections().delimitBy(Regions.SYNCHRONIZATION_FREE);
    return new SectionMemory(region, release);
  }
}
