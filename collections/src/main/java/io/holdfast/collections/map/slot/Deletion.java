package io.holdfast.collections.map.slot;

import io.holdfast.core.RootDeletedException;

/// Whether a map is in its store no more, so that its blocks may be somebody else's.
///
/// **MAP-8** It is said under the locks of all stripes and of the garbage, with readers held back
/// for ever. Whoever takes one of these locks looks here before it touches a block, and readers,
/// being held back, take one. So nobody is in a map whose blocks are freed. Test:
/// HashMapRootsTest.deletedUnderThreadsThatAreBusy.
///
/// Thread-safe.
public final class Deletion {
  private final String region;
  private volatile boolean deleted;

  /// @param region for messages
  public Deletion(String region) {
    this.region = region;
  }

  public boolean isDeleted() {
    return deleted;
  }

  public void set(boolean isDeleted) {
    deleted = isDeleted;
  }

  /// @throws RootDeletedException if it is deleted
  public void check() {
    if (deleted) {
      throw new RootDeletedException(
          "%s: the map was deleted, or the section that created it was rolled back. Open or create it anew by its name"
              .formatted(region));
    }
  }
}
