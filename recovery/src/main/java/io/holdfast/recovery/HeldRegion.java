package io.holdfast.recovery;

import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.heap.RootDirectory.Root;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.recovery.Region;
import java.nio.file.Path;
import java.util.function.Function;

/// A region that is looked at while nobody uses it, as its next opening will find it: recovered in
/// this process's memory, the file being left as it is.
final class HeldRegion implements AutoCloseable {
  private final Runnable release;
  private final OverlayMemory memory;
  private Region region;

  private HeldRegion(Runnable release, OverlayMemory memory) {
    this.release = release;
    this.memory = memory;
  }

  /// Maps a file, and keeps others from opening it.
  ///
  /// @throws io.holdfast.core.RegionLockedException if it is in use
  /// @throws io.holdfast.core.HoldfastException if it can't be read
  static HeldRegion of(Path file) {
    Runnable release = RegionFile.hold(file);
    try {
      return new HeldRegion(release, OverlayMemory.of(file));
    } catch (RuntimeException | Error e) {
      release.run();
      throw e;
    }
  }

  OverlayMemory memory() {
    return memory;
  }

  /// The region, recovered.
  ///
  /// @throws io.holdfast.core.HoldfastException if it can't be opened
  Region region() {
    if (region == null) {
      region = Region.open(memory, RegionFile.INITIAL_BYTES);
    }
    return region;
  }

  /// The region, opened in another way.
  Region region(Function<OverlayMemory, Region> opening) {
    region = opening.apply(memory);
    return region;
  }

  /// Goes on freeing what deleted collections have left, as the next opening does.
  ///
  /// @throws io.holdfast.core.RegionDamagedException if it can't be right
  void freeDeleted() {
    boolean more = region().roots().hasDeleted();
    while (more) {
      more = region().roots().disposeSome(this::freeSome);
    }
  }

  private boolean freeSome(Root root) {
    return switch (root.kind()) {
      case PersistentHashMap.KIND -> PersistentHashMap.freeSome(region, root);
      case PersistentQueue.KIND -> PersistentQueue.freeSome(region, root);
      case PersistentTreeMap.KIND -> PersistentTreeMap.freeSome(region, root);
      default -> throw unknownKind(root);
    };
  }

  RegionFormatException unknownKind(Root root) {
    return new RegionFormatException(
        "%s: a root is of no kind that this version knows: name=%s, kind=%s. Use the version that made it"
            .formatted(memory.name(), root.name(), root.kind()));
  }

  @Override
  public void close() {
    if (region != null) {
      region.sections().close();
    }
    memory.close();
    release.run();
  }
}
