package io.holdfast.core.faults;

import io.holdfast.core.log.LogEntry;
import io.holdfast.core.log.LogFormat;
import io.holdfast.core.log.LogRing;
import io.holdfast.core.memory.Memory;

/// A copy of CSO-VB for two lines, as the paper has it: with a polarity and no lap. What may go
/// wrong is a method of its own, for a fault to override.
///
/// Words 0 and 15 hold the validity bits of the two lines, the others the payload.
class CopyOfCsoVb extends LogFormat {
  static final int WORDS = 14;
  static final int BYTES = 128;
  private static final long LAST = 120;

  @Override
  public int number() {
    return 200;
  }

  @Override
  public int wordsMax() {
    return WORDS;
  }

  @Override
  public long room(LogRing ring, long position, int words) {
    return BYTES;
  }

  long polarity(LogRing ring, long position) {
    return ring.lap(position) & 1;
  }

  @Override
  public long append(LogRing ring, long position, long[] payload, int words) {
    Memory memory = ring.memory();
    long at = place(ring, position);
    store(memory, at, payload, polarity(ring, position));
    persist(memory, at);
    return position + BYTES;
  }

  long place(LogRing ring, long position) {
    return ring.at(position);
  }

  void store(Memory memory, long at, long[] payload, long validity) {
    storePayload(memory, at, payload);
    storeValidity(memory, at, validity);
  }

  void storePayload(Memory memory, long at, long[] payload) {
    for (int i = 0; i < WORDS; i++) {
      memory.writePlain(at + 8 + i * 8L, payload[i]);
    }
  }

  void storeValidity(Memory memory, long at, long validity) {
    memory.writeRelease(at, validity);
    memory.writeRelease(at + LAST, validity);
  }

  void persist(Memory memory, long at) {
    memory.releaseFence();
    memory.flush(at, BYTES);
    memory.fence();
  }

  @Override
  public long read(LogRing ring, long position, LogEntry into) {
    long at = place(ring, position);
    if (!isWhole(ring.memory(), at, polarity(ring, position))) {
      return NONE;
    }
    into.become(WORDS);
    into.copy(ring.memory(), at + 8);
    return position + BYTES;
  }

  boolean isWhole(Memory memory, long at, long polarity) {
    return isValid(memory.readAcquire(at), polarity)
        && isValid(memory.readAcquire(at + LAST), polarity);
  }

  boolean isValid(long found, long polarity) {
    return found == polarity;
  }

  @Override
  protected void scrub(LogRing ring, long tail) {
    if (tail < ring.head() + ring.capacity()) {
      Memory memory = ring.memory();
      long invalid = polarity(ring, tail) ^ 1;
      memory.writePlain(place(ring, tail), invalid);
      memory.writePlain(place(ring, tail) + LAST, invalid);
      persist(memory, place(ring, tail));
    }
  }
}
