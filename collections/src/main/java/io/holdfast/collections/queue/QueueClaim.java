package io.holdfast.collections.queue;

/// An element that an open section or a transaction has taken: it is at its place until that ends.
///
/// Guarded by the take lock.
final class QueueClaim {
  final Position at;
  final long number;
  final QueueOverlay<?> owner;

  QueueClaim(Position at, long number, QueueOverlay<?> owner) {
    this.at = at;
    this.number = number;
    this.owner = owner;
  }
}
