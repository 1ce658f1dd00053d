package io.holdfast.collections.queue;

/// An element that an open section or a transaction has added, and that is not in the queue yet.
///
/// Confined to the section's thread.
final class QueueOffer {
  /// What one takes beside its bytes, roughly.
  static final int BYTES = 200;

  final byte[] bytes;

  // Where it was stored, and its number; 0 while it is not.
  long word;
  long number;

  QueueOffer(byte[] bytes) {
    this.bytes = bytes;
  }

  boolean isStored() {
    return word != 0;
  }
}
