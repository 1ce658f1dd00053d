package io.holdfast.jmh.byhand;

import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionFile.DomainFinder;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.persistence.PersistenceDomain;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Memory that an operation works in, zeros at first: a region's block for sections, else a file
/// without structure. It begins a line.
///
/// For one thread.
public final class Area implements AutoCloseable {
  private static final String NAME = "area";

  /// Where it is in a file without structure: what is counted as logs of sections is before it.
  private static final long AT = RegionLayout.SPAN_BYTES;

  final Memory memory;
  final long at;
  private final Region region;
  private final Runnable release;

  private Area(Memory memory, long at, Region region, Runnable release) {
    this.memory = memory;
    this.at = at;
    this.region = region;
    this.release = release;
  }

  /// @param memory empty, or as it was left
  static Area of(Memory memory, long bytes) {
    if (memory.length() == 0) {
      memory.grow(AT + bytes);
    }
    return new Area(memory, AT, null, () -> {});
  }

  private static Area of(Region region, long bytes, Runnable release) {
    Root root = region.roots().find(NAME);
    if (root == null) {
      root =
          region
              .roots()
              .create(
                  NAME,
                  "benchmark",
                  "",
                  () -> {
                    long block = region.heap().allocate(bytes);
                    region.memory().zeroPlain(block, bytes);
                    return block;
                  });
    }
    return new Area(region.memory(), root.firstBlock(), region, release);
  }

  /// Makes an area in a new file.
  ///
  /// @param finder where the power may fail; the transient one needs none
  public static Area create(Way way, Path file, DomainFinder finder, long bytes) {
    return way.isSection()
        ? inRegion(RegionFile.open(file, finder), bytes)
        : inFile(file, way == Way.TRANSIENT ? _ -> new PageCache() : finder, bytes);
  }

  private static Area inRegion(RegionFile file, long bytes) {
    try {
      Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
      return of(
          region,
          bytes,
          () -> {
            region.close();
            file.close();
          });
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  private static Area inFile(Path file, DomainFinder finder, long bytes) {
    try {
      Files.write(file, new byte[Math.toIntExact(AT + bytes)]);
      PersistenceDomain domain = finder.domainOf(file);
      MappedMemory memory = new MappedMemory(file, AT + bytes, domain);
      return new Area(memory, AT, null, memory::close);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The region that its sections are of.
  Region region() {
    return region;
  }

  /// Makes an operation a section.
  void section(Runnable operation) {
    SectionHooks.enter();
    try {
      operation.run();
    } finally {
      SectionHooks.exit();
    }
  }

  /// Makes bytes durable, after everything that was stored before, and before everything that
  /// follows: a round trip.
  void persist(long offset, long bytes) {
    memory.releaseFence();
    memory.flush(offset, bytes);
    memory.fence();
  }

  @Override
  public void close() {
    release.run();
  }
}
