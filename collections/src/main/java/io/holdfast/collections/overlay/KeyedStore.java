package io.holdfast.collections.overlay;

import io.holdfast.codec.Encoded;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// A map or sorted map in place, as overlays and transactions use it. Its keys lie in parts, each
/// with a lock, and a number that is another one after every change.
///
/// Thread-safe.
public interface KeyedStore {
  /// In which parts of several collections are locked: by this, then by their own numbers.
  long lockOrder();

  /// When keys are the same; `null` if that is when their bytes are.
  Comparator<Encoded> keyOrder();

  /// The keys that open sections have claimed.
  Claims claims();

  /// @throws IllegalArgumentException if an entry is too long
  void check(Encoded key, Encoded value);

  /// The value of a key in place, or `null`.
  Encoded get(Encoded key);

  /// Stores a value in place, in the calling thread's section, whatever is claimed.
  ///
  /// @param value `null` to remove the key
  void store(Encoded key, Encoded value);

  /// The same, if that is all that the section does, and it is about to end (ALONE-1).
  void storeAlone(Encoded key, Encoded value);

  /// Locks the part that a key lies in.
  Part hold(Encoded key);

  /// Locks the parts that keys lie in, in the order of locks.
  List<Part> hold(Collection<Encoded> keys);

  /// Locks all parts.
  List<Part> holdAll();

  /// Where a key was found, or not.
  final class Look {
    public int part;

    /// Of the part before it was read.
    public long number;
  }

  /// The value of a key in place, or `null`, and where that stands.
  Encoded look(Encoded key, Look look);

  /// How many parts there are.
  int parts();

  /// The number of a part, when nobody is changing it but the calling thread.
  long number(int part);

  /// Whether a part has not been changed since it had a number.
  boolean isStill(int part, long number);

  /// Whether none of some parts has been changed since it had its number.
  ///
  /// @param count how many there are in the arrays
  boolean areStill(int[] parts, long[] numbers, int count);
}
