package io.holdfast.collections.map;

import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.word.WordIndex;
import io.holdfast.collections.map.write.MapParts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/// The stripes of a map, each made when it is first needed: one takes a kilobyte of the heap, and
/// many a map has fewer entries than stripes.
///
/// A stripe that nobody has made has no entries: opening the map makes those that have a block.
/// They are published by release stores, so a thread that finds one finds all that its constructor
/// did.
///
/// Thread-safe.
final class Stripes {
  private static final VarHandle STRIPE = MethodHandles.arrayElementVarHandle(Stripe[].class);
  private static final VarHandle READER = MethodHandles.arrayElementVarHandle(StripeReader[].class);

  private final MapParts parts;
  private final long root;
  private final WordIndex words;
  private final Stripe[] stripes;

  /// Those of the stripes: a thread that looks follows one link less.
  private final StripeReader[] readers;

  /// @param words the index, if it has the entries; else `null`
  Stripes(MapParts parts, long root, WordIndex words, int count) {
    this.parts = parts;
    this.root = root;
    this.words = words;
    this.stripes = new Stripe[count];
    this.readers = new StripeReader[count];
  }

  int count() {
    return stripes.length;
  }

  /// The number of the stripe that a hash belongs to.
  int number(long hash) {
    return (int) hash & stripes.length - 1;
  }

  Stripe of(long hash) {
    return get(number(hash));
  }

  Stripe get(int number) {
    Stripe stripe = ifMade(number);
    return stripe != null ? stripe : make(number);
  }

  StripeReader reader(int number) {
    StripeReader reader = (StripeReader) READER.getAcquire(readers, number);
    return reader != null ? reader : get(number).reader();
  }

  /// A stripe, or `null` if nobody has needed it.
  Stripe ifMade(int number) {
    return (Stripe) STRIPE.getAcquire(stripes, number);
  }

  /// Those that somebody has needed.
  List<Stripe> made() {
    List<Stripe> made = new ArrayList<>();
    for (int i = 0; i < stripes.length; i++) {
      Stripe stripe = ifMade(i);
      if (stripe != null) {
        made.add(stripe);
      }
    }
    return made;
  }

  /// Those that have a block, and those that somebody has needed.
  List<Stripe> withBlocks() {
    for (int i = 0; i < stripes.length; i++) {
      if (parts.memory().readPlain(anchor(i)) != 0) {
        get(i);
      }
    }
    return made();
  }

  /// Its readers are held back until a thread has had its lock, and so knows whether the map is
  /// still there (MAP-8).
  private Stripe make(int number) {
    Stripe made = new Stripe(parts, anchor(number), words);
    made.holdReaders();
    Stripe other = (Stripe) STRIPE.compareAndExchange(stripes, number, null, made);
    Stripe stripe = other == null ? made : other;
    READER.setRelease(readers, number, stripe.reader());
    return stripe;
  }

  /// The root's word that has a stripe's block.
  private long anchor(int number) {
    return root + MapLayout.ROOT_STRIPES + (long) number * Long.BYTES;
  }
}
