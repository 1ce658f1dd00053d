package io.holdfast;

import io.holdfast.collections.kind.CollectionKind;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.Uninterrupted;
import io.holdfast.core.region.Region;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;

/// Gives back the space of collections that were deleted, in sections of a few blocks each
/// (ROOT-4).
///
/// What a crash left is given back in a thread of its own, because opening does not wait for data.
///
/// Thread-safe.
final class DeletedRoots {
  private final Region region;
  private Thread later;
  private volatile boolean stopped;

  DeletedRoots(Region region) {
    this.region = region;
  }

  /// Refuses a kind that this version can't free the blocks of.
  static void checkKind(Path path, Root root) {
    if (CollectionKind.of(root.kind()).isEmpty()) {
      throw new IllegalArgumentException(
          "%s: the %s \"%s\" can't be deleted: this version knows %s only. Use the version that made it"
              .formatted(path, root.kind(), root.name(), known()));
    }
  }

  private static List<String> known() {
    return CollectionKind.ALL.stream().map(CollectionKind::name).sorted().toList();
  }

  /// Frees all there are, in the calling thread; ends early if the store is closed.
  void free() {
    boolean more = region.roots().hasDeleted();
    while (more && !stopped) {
      more = region.roots().disposeSome(this::freeSome);
    }
  }

  private boolean freeSome(Root root) {
    return CollectionKind.of(root.kind())
        .orElseThrow(
            () ->
                new RegionDamagedException(
                    "%s: the deleted %s \"%s\" is of a kind that this version does not know; it knows %s. Use the version that made it"
                        .formatted(region.memory().name(), root.kind(), root.name(), known())))
        .freeSome(region, root);
  }

  /// Frees what a former process left, in the background.
  void freeLater() {
    if (region.roots().hasDeleted()) {
      later = Thread.ofVirtual().name("holdfast-deleted").start(this::freeOrTell);
    }
  }

  private void freeOrTell() {
    try {
      free();
    } catch (StoreClosedException e) {
      // The next opening goes on.
    } catch (RuntimeException e) { // a damaged collection, or a full device
      System.getLogger("io.holdfast")
          .log(Level.WARNING, "the space of a deleted collection was not given back", e);
    }
  }

  /// Stops between two sections; when this returns, the thread is in none.
  void stop() {
    stopped = true;
    if (later != null) {
      Uninterrupted.await(later::join);
    }
  }
}
