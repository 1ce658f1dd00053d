package io.holdfast.core.faults;

import io.holdfast.core.memory.Memory;
import java.util.List;

/// A toy: a cell of two words, each in a line of its own, that change together. There are two
/// copies, and a word that selects one.
///
/// | offset | content |
/// |---|---|
/// | 0 | SELECTOR: 0 or 1 |
/// | 64, 128 | the words of copy 0 |
/// | 192, 256 | the words of copy 1 |
///
/// The order of stores: the words of the copy that is not selected; they are durable; the selector;
/// it is durable. Faults override one of these.
class ShadowCell {
  static final long BYTES = 320;
  private static final long SELECTOR = 0;

  final Memory memory;

  ShadowCell(Memory memory) {
    this.memory = memory;
    if (memory.length() == 0) {
      memory.grow(BYTES);
    }
  }

  private long copy(long selector) {
    return 64 + 128 * selector;
  }

  /// What both words are, which is the same value twice.
  List<Long> state() {
    long at = copy(memory.readPlain(SELECTOR));
    return List.of(memory.readPlain(at), memory.readPlain(at + 64));
  }

  void update(long value) {
    long other = 1 - memory.readPlain(SELECTOR);
    storeWords(copy(other), value);
    persist(copy(other), 128);
    select(other);
    persist(SELECTOR, 8);
  }

  void storeWords(long at, long value) {
    memory.writePlain(at, value);
    memory.writePlain(at + 64, value);
  }

  void select(long selector) {
    memory.writeRelease(SELECTOR, selector);
  }

  void persist(long at, long bytes) {
    memory.releaseFence();
    memory.flush(at, bytes);
    memory.fence();
  }
}
