package io.holdfast.verification;

import io.holdfast.collections.kind.CollectionKind;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Function;

/// A region that is looked at while nobody uses it, as its next opening will find it: recovered in
/// this process's memory, the file being left as it is.
@SuppressWarnings("exports") // what core does not export is for Holdfast's own modules
public final class HeldRegion implements AutoCloseable {
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
  public static HeldRegion of(Path file) {
    return of(file, OverlayMemory::of);
  }

  /// The same for a salvage, which takes what can be read: a damaged log is used up to the damage.
  ///
  /// @param damagedLog is told of it
  public static HeldRegion damaged(Path file, Consumer<RegionDamagedException> damagedLog) {
    return of(file, path -> OverlayMemory.of(path, damagedLog));
  }

  private static HeldRegion of(Path file, Function<Path, OverlayMemory> mapping) {
    Runnable release = RegionFile.hold(file);
    try {
      return new HeldRegion(release, mapping.apply(file));
    } catch (RuntimeException | Error e) {
      release.run();
      throw e;
    }
  }

  /// The same, for what goes on to another file as good. One that the system went down under is
  /// verified first.
  ///
  /// @throws io.holdfast.core.RegionDamagedException if its pages are of different moments
  public static HeldRegion trusted(Path file) {
    HeldRegion held = of(file);
    try {
      AfterSystemCrash.verifyIfNeeded(file, held.memory(), false);
      return held;
    } catch (RuntimeException | Error e) {
      held.close();
      throw e;
    }
  }

  /// Maps a file that this process keeps others from opening.
  ///
  /// @throws io.holdfast.core.HoldfastException if it can't be read
  static HeldRegion ofOwn(Path file) {
    return new HeldRegion(() -> {}, OverlayMemory.of(file));
  }

  /// The file's bytes, with what was stored here.
  public OverlayMemory memory() {
    return memory;
  }

  /// The region, recovered.
  ///
  /// @throws io.holdfast.core.HoldfastException if it can't be opened
  public Region region() {
    if (region == null) {
      region = Region.open(memory, RegionFile.INITIAL_BYTES);
    }
    return region;
  }

  /// The region, opened in another way.
  public Region region(Function<OverlayMemory, Region> opening) {
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
    return CollectionKind.of(root.kind())
        .orElseThrow(() -> unknownKind(root))
        .freeSome(region, root);
  }

  /// The refusal of a root of a kind that this version does not know.
  public RegionFormatException unknownKind(Root root) {
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
