package io.holdfast.collections;

import io.holdfast.codec.EncodedOutput;
import java.util.Arrays;

/// A thread's buffers for encoding, one for each level: a codec may use a collection while it
/// encodes, and that encodes too.
///
/// Confined to a thread.
final class ThreadOutputs {
  /// In bytes. A buffer is kept for the next value unless it is far longer than most.
  private static final int LONG = 1 << 18;

  private EncodedOutput[] outputs = {new EncodedOutput()};
  private int level;

  /// The calling thread's.
  static ThreadOutputs current() {
    return CallersCode.running().outputs();
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
