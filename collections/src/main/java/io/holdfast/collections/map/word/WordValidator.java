package io.holdfast.collections.map.word;

import io.holdfast.collections.map.slot.KeyedHash;
import io.holdfast.collections.map.write.MapParts;
import io.holdfast.core.RegionDamagedException;

/// Checks all that the layout promises of a stripe of words: each entry is where its hash leads,
/// once, and they are as many as the stripe counts. For whoever holds the stripe's lock.
public final class WordValidator {
  private final MapParts parts;
  private final WordIndex index;
  private final KeyedHash hash;
  private final long stripe;
  private long count;

  public WordValidator(MapParts parts, WordIndex index, long stripe) {
    this.parts = parts;
    this.index = index;
    this.hash = parts.hash();
    this.stripe = stripe;
  }

  /// @return how many entries there are
  /// @throws RegionDamagedException naming the first fault and its offset
  public long run() {
    index.forEachSegment(
        stripe,
        (first, segment, depth) -> index.forEach(segment, (at, key, value) -> check(at, key)));
    long counting = parts.unordered().readPlain(stripe + WordLayout.COUNTING);
    expect("COUNTING", stripe, 0, counting);
    expect("COUNT", stripe, count, parts.unordered().readPlain(stripe + WordLayout.COUNT));
    return count;
  }

  private void check(long at, long key) {
    count++;
    long itsHash = hash.hash(key);
    expect("the place of a key (WORDS-2)", at, at, index.place(stripe, itsHash, key));
    expect("a line without its bit", at, 0, index.unmarked(stripe, itsHash, key, at));
  }

  private void expect(String what, long offset, long expected, long found) {
    if (expected != found) {
      throw parts.blocks().damaged(what + ", expected=0x%X".formatted(expected), offset, found);
    }
  }
}
