package io.holdfast.collections;

import io.holdfast.codec.EncodedOutput;
import io.holdfast.collections.map.WordPut;
import java.util.Arrays;

/// What operations of a thread use again: its buffers for encoding, one for each level, because a
/// codec may use a collection while it encodes, and that encodes too; and what goes with a put of
/// words.
///
/// Confined to a thread.
final class ThreadOutputs {
  /// In bytes. A buffer is kept for the next value unless it is far longer than most.
  private static final int LONG = 1 << 18;

  private EncodedOutput[] outputs = {new EncodedOutput()};
  private int level;

  /// `null` while it is used.
  private WordPut wordPut;

  /// The calling thread's.
  static ThreadOutputs current() {
    return CallersCode.running().outputs();
  }

  /// What a map of words is given with an entry; the caller's until {@link #giveBack}, for the end
  /// of a section may use a map, too.
  WordPut wordPut() {
    WordPut taken = wordPut;
    wordPut = null;
    return taken == null ? new WordPut() : taken;
  }

  void giveBack(WordPut put) {
    wordPut = put;
  }

  /// How many buffers are lent.
  int level() {
    return level;
  }

  /// Gives back what was lent since.
  void backTo(int earlier) {
    while (level > earlier) {
      leave();
    }
  }

  /// An empty buffer, which is the caller's until {@link #leave}.
  EncodedOutput enter() {
    if (level == outputs.length) {
      EncodedOutput[] more = Arrays.copyOf(outputs, level + 1);
      more[level] = new EncodedOutput();
      outputs = more;
    }
    EncodedOutput output = outputs[level];
    output.reset();
    level++;
    return output;
  }

  /// Gives the newest buffer back; a long one is let go of.
  void leave() {
    EncodedOutput output = outputs[--level];
    if (output.length() > LONG) {
      output.reset();
    }
  }
}
