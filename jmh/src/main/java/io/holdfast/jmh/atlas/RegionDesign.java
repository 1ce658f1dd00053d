package io.holdfast.jmh.atlas;

import io.holdfast.core.Regions;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.RegionFile.DomainFinder;
import io.holdfast.core.region.Region;
import java.nio.file.Path;

/// What is atomic of a program's data: the designs that Gogte and others compare (PLDI 2018, Figure
/// 5). Their *Decoupled-SFR*, whose regions become durable later, is none of ours.
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
  COUPLED;

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
    };
  }

  /// The memory of a region that somebody else has opened, and whose sections end at releases.
  static SectionMemory coupled(Region region, Runnable release) {
    region.sections().delimitBy(Regions.SYNCHRONIZATION_FREE);
    return new SectionMemory(region, release);
  }
}
