package io.holdfast.collections.tree.leaf;

import static io.holdfast.collections.tree.node.TreeLayout.LINE_WORDS;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.node.TreeLayout;

/// Where records are written to: a leaf in memory, or an image of one.
interface RecordSink {
  void word(long offset, long value);

  void bytes(long offset, byte[] from, int at, int length);

  /// A line's META: after all that was written before.
  void meta(long offset, long value);

  /// Writes a record.
  ///
  /// @param value what is stored as such
  /// @return the place after it
  default int record(long leaf, int place, long header, Encoded key, Encoded value) {
    word(TreeLayout.at(leaf, place), header);
    int end = place + 1;
    if (key != null) {
      payload(leaf, end, key);
      end += TreeLayout.wordsOf(key.length());
      payload(leaf, end, value);
      end += TreeLayout.wordsOf(value.length());
    }
    for (int line = place / LINE_WORDS; line * LINE_WORDS < end; line++) {
      // TREE-1: after the line's other words. Test: TreeCrashTest.tree1RecordOfOneLine,
      // tree1RecordOfSeveralLines.
      meta(TreeLayout.lineAt(leaf, line), Math.min(LINE_WORDS, end - line * LINE_WORDS));
    }
    return end;
  }

  private void payload(long leaf, int place, Encoded from) {
    if (from.length() == WORD_BYTES) {
      word(TreeLayout.at(leaf, place), from.word());
      return;
    }
    byte[] bytes = from.bytes();
    int at = place;
    for (int done = 0; done < from.length(); ) {
      int words = LINE_WORDS - at % LINE_WORDS;
      int part = Math.min(from.length() - done, words * WORD_BYTES);
      bytes(TreeLayout.at(leaf, at), bytes, done, part);
      done += part;
      at += words;
    }
  }
}
