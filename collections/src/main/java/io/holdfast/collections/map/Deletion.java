package io.holdfast.collections.map;

import io.holdfast.core.RootDeletedException;

/// Whether a map is in its store no more, so that its blocks may be somebody else's.
///
/// **MAP-8** It is said under the locks of all stripes and of the garbage, with readers held back
/// for ever. Whoever takes one of these locks looks here before it touches a block, and readers,
/// being held back, take one. So nobody is in a map whose blocks are freed. Test:
/// HashMapRootsTest.deletedUnderThreadsThatAreBusy.
///
/// Thread-safe.
final class Deletion {
  private final String region;
  private volatile boolean deleted;

  /// @param region for messages
  Deletion(String region) {
    this.region = region;
  }

  boolean isDeleted() {
    return deleted;
  }

  void set(boolean isDeleted) {
    deleted = isDeleted;
  }

  /// @throws RootDeletedException if it is deleted
  void check() {
    if (deleted) {
      throw new RootDeletedException(
          "%s: the map was deleted, or the section that created it was rolled back. Open or create it anew by its name"
              .formatted(region));
    }
  }
}
