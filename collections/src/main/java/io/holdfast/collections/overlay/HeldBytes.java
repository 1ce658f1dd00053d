package io.holdfast.collections.overlay;

import io.holdfast.core.heap.Heap;

/// How much a section holds back of one collection, and whether it may be more: there must be room
/// to store it later, since a lock that is given up can't say that there is none.
///
/// Confined to the section's thread.
public final class HeldBytes {
  /// A section that holds back more than this stores it openly: a sixty-fourth of the heap, from 1
  /// to 64 MiB.
  private static final long BYTES_MAX =
      Math.clamp(Runtime.getRuntime().maxMemory() / 64, 1L << 20, 64L << 20);

  /// What is held back takes no more than so many times its bytes when it is stored.
  private static final int ROOM = 2;

  /// Bytes after which it is asked again whether there is room.
  private static final int STEP_BYTES = 1 << 16;

  private final Heap heap;
  private long bytes;
  private long roomFor;

  public HeldBytes(Heap heap) {
    this.heap = heap;
  }

  /// Whether more may be held back; if not, or if it is much already, what there is was stored
  /// openly.
  ///
  /// @param more bytes of the next change
  /// @param overlay that holds them back
  public boolean admits(long more, CollectionOverlay overlay) {
    long after = bytes + more;
    boolean isRoomy = after < roomFor;
    if (!isRoomy && heap.hasRoom(ROOM * (after + STEP_BYTES))) {
      roomFor = after + STEP_BYTES;
      isRoomy = true;
    }
    if (!isRoomy || after > BYTES_MAX) {
      overlay.storeOpenly();
    }
    return isRoomy;
  }

  public void add(long more) {
    bytes += more;
  }

  /// Nothing is held back any more.
  public void clear() {
    bytes = 0;
    roomFor = 0;
  }
}
