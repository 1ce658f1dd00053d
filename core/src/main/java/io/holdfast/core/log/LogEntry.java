package io.holdfast.core.log;

import io.holdfast.core.memory.Memory;
import java.util.Arrays;

/// An entry as it was read: a buffer that is used again and again.
public final class LogEntry {
  private long[] payload = new long[14];
  private int words;

  /// Makes it an entry of some length, whose words are to be set.
  public void become(int newWords) {
    if (payload.length < newWords) {
      payload = new long[Math.max(newWords, 2 * payload.length)];
    }
    words = newWords;
  }

  /// Copies adjacent words out of memory, as many as it has.
  public void copy(Memory memory, long at) {
    for (int i = 0; i < words; i++) {
      payload[i] = memory.readPlain(at + (long) i * Long.BYTES);
    }
  }

  public void set(int index, long word) {
    payload[index] = word;
  }

  /// How many words the payload has.
  public int words() {
    return words;
  }

  /// A word of the payload.
  public long word(int index) {
    return payload[index];
  }

  /// The payload, in an array of its own.
  public long[] toArray() {
    return Arrays.copyOf(payload, words);
  }
}
