package io.holdfast.jmh.atlas;

import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.Medium;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionFile.DomainFinder;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import java.nio.file.Path;
import java.util.function.BiFunction;

/// A region: what is stored under a program's outermost lock survives a crash whole or not at all.
///
/// Thread-safe as {@link ProgramMemory} is.
public class SectionMemory extends ProgramMemory {
  private static final String NAME = "program";
  private static final String KIND = "benchmark";

  final Region region;
  final Memory memory;
  private final Runnable release;
  private final ThreadLocal<byte[]> buffer = ThreadLocal.withInitial(() -> new byte[0]);

  SectionMemory(Region region, Runnable release) {
    this.region = region;
    this.memory = region.memory();
    this.release = release;
  }

  /// Opens or creates a region in a file.
  public static SectionMemory open(Path path, DomainFinder finder, FlushMode mode) {
    return open(path, finder, mode, SectionMemory::new);
  }

  /// The same, of a kind of its own.
  static SectionMemory open(
      Path path,
      DomainFinder finder,
      FlushMode mode,
      BiFunction<Region, Runnable, SectionMemory> kind) {
    return openOn(path, Medium.of(finder, mode), kind);
  }

  static SectionMemory openOn(
      Path path, Medium medium, BiFunction<Region, Runnable, SectionMemory> kind) {
    RegionFile file = RegionFile.openOn(path, medium);
    try {
      return kind.apply(Region.open(file.memory(), RegionFile.INITIAL_BYTES), file::close);
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /// The memory of a region that somebody else has opened.
  public static SectionMemory of(Region region) {
    return new SectionMemory(region, () -> {});
  }

  @Override
  public long root(int bytes) {
    Root root = region.roots().find(NAME);
    return (root != null ? root : createRoot(bytes)).firstBlock();
  }

  private Root createRoot(int bytes) {
    return region
        .roots()
        .create(
            NAME,
            KIND,
            "",
            () -> {
              long block = region.heap().allocate(bytes);
              memory.zeroPlain(block, bytes);
              return block;
            });
  }

  @Override
  public long read(long offset) {
    return memory.readPlain(offset);
  }

  @Override
  public long readAcquire(long offset) {
    return memory.readAcquire(offset);
  }

  @Override
  public void write(long offset, long value) {
    region.sections().current().write(offset, value);
  }

  @Override
  public void writeNew(long offset, long value) {
    memory.writePlain(offset, value);
  }

  @Override
  public void copyNew(long from, long to, int bytes) {
    byte[] copy = buffer.get();
    if (copy.length < bytes) {
      copy = new byte[bytes];
      buffer.set(copy);
    }
    memory.readBytes(from, copy, 0, bytes);
    memory.writeBytesPlain(to, copy, 0, bytes);
  }

  @Override
  public long allocate(int bytes) {
    return region.heap().allocate(bytes);
  }

  @Override
  public void free(long block, int bytes) {
    region.heap().free(block);
  }

  @Override
  public void acquired(Object lock) {
    SectionHooks.acquired(lock);
  }

  @Override
  public void releasing(Object lock) {
    SectionHooks.releasing(lock);
  }

  @Override
  public void close() {
    region.close();
    release.run();
  }
}
