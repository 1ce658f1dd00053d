package io.holdfast.collections;

import io.holdfast.codec.EncodedOutput;
import java.util.Arrays;

/// A thread's buffers for encoding, one for each level: a codec may use a collection while it
/// encodes, and that encodes too.
///
/// Confined to a thread.
final class ThreadOutputs {
  private static final ThreadLocal<ThreadOutputs> OUTPUTS =
      ThreadLocal.withInitial(ThreadOutputs::new);

  private EncodedOutput[] outputs = {new EncodedOutput()};
  private int level;

  private ThreadOutputs() {}

  /// The calling thread's.
  static ThreadOutputs current() {
    return OUTPUTS.get();
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
    outputs[--level].reset();
  }
}
