package io.holdfast.collections.overlay;

import io.holdfast.codec.Encoded;
import io.holdfast.core.section.commit.SectionRecord;

/// The value that an open section will give a key. Guarded by the lock of the key's part.
final class Layer {
  final Encoded key;
  final KeyedOverlay owner;

  // What the section is known by, and Lamport's clock when it claimed the key.
  final SectionRecord record;
  final long number;
  final long stamp;

  /// `null` for none.
  Encoded value;

  /// Where it is among those of its section ({@link Layers}).
  int place;

  /// Of the section that had claimed the key before; `null` if none had.
  Layer below;

  /// Whether a value that was made from this one is in place.
  boolean isCovered;

  /// Whether its section was rolled back. Stored without the lock: a thread that builds on the
  /// layer, and so makes sure of its section, looks afterwards (ROLLBACK-2).
  volatile boolean isVoid;

  Layer(Encoded key, KeyedOverlay owner, SectionRecord record, long stamp) {
    this.key = key;
    this.owner = owner;
    this.record = record;
    this.number = record.number;
    this.stamp = stamp;
  }
}
