package io.holdfast.collections.overlay;

import io.holdfast.codec.Encoded;
import io.holdfast.core.section.Sections;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// A map or sorted map as a thread sees it that holds changes of it back.
///
/// Confined to its thread.
public abstract class KeyedView extends CollectionOverlay {
  static final List<Part> NONE = List.of();

  /// What it has locked for its end.
  List<Part> held = NONE;

  /// Of a sorted map, upwards and downwards; `null` before the first search.
  private Gap ascending;

  private Gap descending;

  KeyedView(Sections sections) {
    super(sections);
  }

  /// Where the last search in a direction found nothing; of a sorted map.
  public final Gap gap(boolean isAscending) {
    Gap gap = isAscending ? ascending : descending;
    if (gap == null) {
      gap = newGap(isAscending);
      if (isAscending) {
        ascending = gap;
      } else {
        descending = gap;
      }
    }
    return gap;
  }

  abstract Gap newGap(boolean isAscending);

  /// Before a value is put (GAP-1).
  final void puts(Encoded key) {
    if (ascending != null) {
      ascending.put(key);
    }
    if (descending != null) {
      descending.put(key);
    }
  }

  /// What it has removed may be there again (GAP-1).
  final void dropGaps() {
    if (ascending != null) {
      ascending.drop();
    }
    if (descending != null) {
      descending.drop();
    }
  }

  /// In which run of a transaction something is read, as an object of its own; `null` outside of
  /// transactions. What was read in another run is not known to be so in this one.
  public Object run() {
    return null;
  }

  @Override
  protected final void giveWay() {
    for (int i = 0; i < held.size(); i++) {
      held.get(i).unlock();
    }
    held = NONE;
  }

  /// The value of a key, or `null`.
  public abstract Encoded get(Encoded key);

  /// Replaces a value by what a function makes of it; `null` stands for no entry, and the very
  /// object that the function was given for no change. The function is called once.
  ///
  /// @return the value before, or `null`
  public abstract Encoded change(Encoded key, UnaryOperator<Encoded> function);

  /// The keys that were changed: a sorted set if the map is sorted.
  public abstract Set<Encoded> keys();

  /// Whether a key is one of these.
  public abstract boolean hasChanged(Encoded key);

  /// How many entries there are.
  ///
  /// @param inPlace how many there are in place
  public abstract long size(LongSupplier inPlace);

  /// Stores openly what is held back, so that what follows can be done in place.
  ///
  /// @return false in a transaction, which does nothing in place
  public abstract boolean storesOpenly();

  /// Says that something other than a key was read in place: some entries, or a number of them.
  ///
  /// @param part where it was read
  /// @param number of the part, before
  /// @param again reads it once more, and says whether it is the same; it is given the part's
  ///   number in a {@link KeyedStore.Look}
  public abstract void reads(int part, long number, Predicate<KeyedStore.Look> again);
}
