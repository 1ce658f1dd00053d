package io.holdfast.collections.queue;

/// An element that an open section or a transaction has claimed: it is at its place until that
/// ends.
///
/// Guarded by the take lock, but for {@link #takenAs}, which is its owner's.
final class QueueClaim {
  /// Of {@link #takenAs}: it was stored, and is a claim no more.
  static final int STORED = -1;

  final Position at;

  /// As an object, made before the claim is one: dropping it makes none (GIVE-1).
  final Long number;

  HeldClaims owner;

  /// The how-manieth that its owner has taken; 0 while it is claimed and not taken.
  int takenAs;

  QueueClaim(Position at, long number, HeldClaims owner) {
    this.at = at;
    this.number = number;
    this.owner = owner;
  }
}
