package io.holdfast.collections.map;

import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.map.repair.StripeRebuild;
import io.holdfast.collections.map.word.WordIndex;
import io.holdfast.collections.map.word.WordLayout;
import io.holdfast.collections.map.word.WordValidator;
import io.holdfast.collections.map.write.MapParts;
import io.holdfast.collections.map.write.StripeState;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import java.util.List;

/// Entries of eight bytes each for key and value, in the index itself ({@link WordLayout}).
///
/// Outside of sections an operation is one store, whatever fails. How many entries there are is
/// stored next, between two stores of COUNTING. In a section its words are stored through that.
final class WordEntries implements StripeEntries {
  /// Words that an operation stores, next to what growing takes.
  private static final int STORES_MAX = 4;

  private final MapParts parts;
  private final Memory unordered;
  private final StripeState state;
  private final WordIndex index;

  WordEntries(MapParts parts, StripeState state, WordIndex index) {
    this.parts = parts;
    this.unordered = parts.unordered();
    this.state = state;
    this.index = index;
  }

  @Override
  public StripeReader reader(Object key) {
    return new WordReader(parts, state, key);
  }

  @Override
  public Encoded get(long hash, Encoded key) {
    long stripe = state.block();
    if (stripe == 0 || key.length() != WORD_BYTES) {
      return null;
    }
    long at = index.place(stripe, hash, key.word());
    return isFree(at) ? null : value(at);
  }

  private boolean isFree(long at) {
    return at == 0 || unordered.readPlain(at) == 0;
  }

  private Encoded value(long at) {
    return Encoded.of(unordered.readPlain(at + WORD_BYTES));
  }

  @Override
  public Encoded put(Section section, long hash, Encoded key, Encoded value, boolean isAlone) {
    check(key);
    check(value);
    WordPut put = new WordPut();
    put.hash = hash;
    put.key = key.word();
    put.value = value.word();
    put(section, put, isAlone);
    return put.encodedBefore();
  }

  @Override
  public void put(Section section, WordPut put, boolean isAlone) {
    long stripe = state.block();
    long at = stripe == 0 ? 0 : index.place(stripe, put.hash, put.key);
    state.seqlock.updates++;
    if (isFree(at)) {
      put.isNew();
      if (isAlone && at != 0) {
        insert(stripe, put.hash, put.key, put.value, at);
      } else {
        insertIn(section, put.hash, put.key, put.value, at);
      }
      return;
    }
    put.replaces(unordered.readPlain(at + WORD_BYTES));
    if (isAlone) {
      state.seqlock.hold();
      unordered.writeRelease(at + WORD_BYTES, put.value);
      unordered.flush(at + WORD_BYTES, WORD_BYTES);
      unordered.fence(); // MAP-4. Test: WordMapCrashTest.words1Updates.
    } else {
      state.hold(section);
      section.write(at + WORD_BYTES, put.value);
    }
  }

  private void check(Encoded part) {
    if (part.length() != WORD_BYTES) {
      throw new IllegalArgumentException(
          "%s: a map of words takes keys and values of %d bytes: length=%d"
              .formatted(parts.memory().name(), WORD_BYTES, part.length()));
    }
  }

  private void insert(long stripe, long hash, long key, long value, long at) {
    state.seqlock.hold();
    long marks = index.unmarked(stripe, hash, key, at);
    if (marks != 0) {
      unordered.writePlain(marks, marked(marks, hash));
      unordered.flush(marks, WORD_BYTES);
      unordered.fence(); // WORDS-2. Test: WordMapCrashTest.words2DisplacedKeys.
    }
    begin(stripe);
    // Behind the removal of the key that the pair had. Test: WordMapCrashTest.words1APairUsedAgain.
    unordered.writeRelease(at + WORD_BYTES, value);
    unordered.writeRelease(at, WordLayout.present(key)); // WORDS-1
    end(stripe, at, 1);
  }

  private long marked(long marks, long hash) {
    return unordered.readPlain(marks) | 1L << WordLayout.line(hash);
  }

  private void begin(long stripe) {
    state.seqlock.underWay = true;
    unordered.writePlain(
        stripe + WordLayout.COUNTING, 1); // the stores that follow are with release
  }

  /// @param at the pair that was changed
  /// @param more entries
  private void end(long stripe, long at, int more) {
    unordered.flush(at, WordLayout.PAIR_BYTES);
    long count = unordered.readPlain(stripe + WordLayout.COUNT);
    unordered.writeRelease(stripe + WordLayout.COUNT, count + more);
    unordered.fence(); // MAP-4. Test: WordMapCrashTest.words1InsertionsAndRemovals.
    unordered.writeRelease(stripe + WordLayout.COUNTING, 0);
    state.seqlock.underWay = false;
  }

  /// @param found where the key can be, 0 if the stripe must be made or grow
  private void insertIn(Section section, long hash, long key, long value, long found) {
    state.hold(section);
    if (state.block() == 0) {
      section.write(state.anchor, parts.blocks().create(section));
    }
    long stripe = state.block();
    long at = found != 0 ? found : index.place(stripe, hash, key);
    while (at == 0) {
      index.split(section, stripe, hash);
      at = index.place(stripe, hash, key);
    }
    section.reserve(STORES_MAX);
    long marks = index.unmarked(stripe, hash, key, at);
    if (marks != 0) {
      section.write(marks, marked(marks, hash));
    }
    section.write(at + WORD_BYTES, value);
    section.write(at, WordLayout.present(key));
    section.write(stripe + WordLayout.COUNT, state.count() + 1);
  }

  @Override
  public Encoded remove(Section section, long hash, Encoded key, boolean isAlone) {
    long stripe = state.block();
    if (stripe == 0 || key.length() != WORD_BYTES) {
      return null;
    }
    long at = index.place(stripe, hash, key.word());
    if (isFree(at)) {
      return null;
    }
    Encoded before = value(at);
    state.seqlock.updates++;
    if (isAlone) {
      state.seqlock.hold();
      begin(stripe);
      unordered.writeRelease(at, 0);
      end(stripe, at, -1);
    } else {
      state.hold(section);
      section.reserve(STORES_MAX);
      section.write(at, 0);
      section.write(stripe + WordLayout.COUNT, state.count() - 1);
    }
    return before;
  }

  @Override
  public void settle(long stripe) {
    if (unordered.readPlain(stripe + WordLayout.COUNTING) != 0) {
      count(stripe);
    }
  }

  private void count(long stripe) {
    unordered.writePlain(stripe + WordLayout.COUNT, index.count(stripe));
    unordered.writeRelease(stripe + WordLayout.COUNTING, 0); // WORDS-3
  }

  @Override
  public StripeRebuild rebuild(Section section, long stripe) {
    count(stripe);
    return null;
  }

  @Override
  public long walk(long stripe, long from, List<EncodedEntry> into, long bytesMax) {
    return index.walk(stripe, from, into, bytesMax);
  }

  @Override
  public long validate(long stripe) {
    return new WordValidator(parts, index, stripe).run();
  }
}
