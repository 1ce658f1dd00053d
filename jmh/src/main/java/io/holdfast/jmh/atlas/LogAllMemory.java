package io.holdfast.jmh.atlas;

import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.RegionFile.DomainFinder;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import java.nio.file.Path;

/// A region in which every word that is stored is logged: a second store to it as the first, and
/// words of blocks that the section itself has allocated, one by one. That is Atlas without its log
/// elision (Table 1, "log all").
///
/// What the heap does for itself, it does as ever.
public final class LogAllMemory extends SectionMemory {
  private LogAllMemory(Region region, Runnable release) {
    super(region, release);
  }

  /// Opens or creates a region in a file.
  public static SectionMemory open(Path path, DomainFinder finder, FlushMode mode) {
    return open(path, finder, mode, LogAllMemory::new);
  }

  /// The memory of a region that somebody else has opened.
  public static SectionMemory of(Region region) {
    return new LogAllMemory(region, () -> {});
  }

  @Override
  public void write(long offset, long value) {
    Section section = region.sections().current();
    section.reserve(1); // begins it
    // SECTION-1: the entry, and then the data. Test: LogAllMemoryTest.
    section.willStore(offset);
    memory.writeLogged(offset, value);
  }

  @Override
  public void writeNew(long offset, long value) {
    write(offset, value);
  }

  @Override
  public void copyNew(long from, long to, int bytes) {
    for (long done = 0; done < bytes; done += Long.BYTES) {
      write(to + done, memory.readPlain(from + done));
    }
  }
}
