package io.holdfast.core.redo;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;

/// The pages that batches have named since a moment. The leader's ({@link RedoLog#begin}), but for
/// how many they are.
final class NamedPages {
  private BitSet pages;
  private final AtomicInteger count;

  NamedPages(BitSet pages) {
    this.pages = pages;
    this.count = new AtomicInteger(pages.cardinality());
  }

  void note(int page) {
    if (!pages.get(page)) {
      pages.set(page);
      count.incrementAndGet();
    }
  }

  int count() {
    return count.get();
  }

  BitSet copy() {
    return (BitSet) pages.clone();
  }

  /// From now on the moment is this one.
  BitSet take() {
    BitSet taken = pages;
    pages = new BitSet();
    count.set(0);
    return taken;
  }
}
