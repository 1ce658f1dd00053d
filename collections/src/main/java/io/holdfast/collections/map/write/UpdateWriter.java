package io.holdfast.collections.map.write;

import io.holdfast.codec.Encoded;
import io.holdfast.core.section.Section;

/// Replaces a value where it is, if the failure that a map is to survive allows it: an object of
/// this kind is chosen when the map is opened.
///
/// Guarded by the stripe's lock.
public interface UpdateWriter {
  /// Where lines are lost one by one, none: an entry whose lines are from two values would be whole
  /// (MAP-1).
  static UpdateWriter of(MapParts parts, StripeState state) {
    return parts.memory().equals(parts.unordered())
        ? new InPlaceWriter(parts, state)
        : (section, hash, key, value, isAlone) -> StripeState.NOT_STORED;
  }

  /// Stores the value of a key that is there, if it fits its slot.
  ///
  /// @param isAlone whether it is all that the section does
  /// @return the value before; NOT_STORED if it can't be done here, and nothing has changed
  Encoded put(Section section, long hash, Encoded key, Encoded value, boolean isAlone);
}
