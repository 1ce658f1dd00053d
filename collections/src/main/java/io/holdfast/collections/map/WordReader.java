package io.holdfast.collections.map;

import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.map.word.WordLayout;
import io.holdfast.collections.map.write.MapParts;
import io.holdfast.collections.map.write.StripeState;

/// Looks for entries that are in the index: one line as a rule.
final class WordReader extends StripeReader {
  WordReader(MapParts parts, StripeState state, Object key) {
    super(parts, state, key);
  }

  @Override
  Encoded find(long hash, Encoded sought, long before) {
    return sought.length() == WORD_BYTES ? find(hash, sought.word(), before) : null;
  }

  @Override
  Encoded find(long hash, long sought, long before) {
    long at = wordAt(hash, sought);
    return at <= 0 ? nothing(at) : Encoded.of(memory.readPlain(at));
  }

  @Override
  long wordAt(long hash, long sought) {
    long segment = segment(hash);
    if (segment <= 0) {
      return segment;
    }
    if (sought == 0) {
      long at = segment + WordLayout.ZERO;
      return memory.readPlain(at) == 0 ? 0 : at + WORD_BYTES;
    }
    int line = WordLayout.line(hash);
    long found = inLine(segment, line, sought);
    if (found == 0 && WordLayout.isDisplaced(memory, segment, line)) {
      for (int i = 1; found == 0 && i < WordLayout.REACH; i++) {
        found = inLine(segment, WordLayout.further(line, i), sought);
      }
    }
    return found;
  }

  private long inLine(long segment, int line, long sought) {
    long at = WordLayout.lineAt(segment, line);
    long first = mask(memory.readPlain(at), sought);
    long second = mask(memory.readPlain(at + 16), sought);
    long third = mask(memory.readPlain(at + 32), sought);
    long fourth = mask(memory.readPlain(at + 48), sought);
    return at + 8 & first | at + 24 & second | at + 40 & third | at + 56 & fourth;
  }

  /// All ones if two words are the same, else 0. Without a branch.
  private static long mask(long one, long other) {
    long difference = one ^ other;
    return ((difference | -difference) >>> Long.SIZE - 1) - 1;
  }
}
