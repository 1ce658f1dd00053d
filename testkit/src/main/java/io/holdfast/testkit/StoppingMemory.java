package io.holdfast.testkit;

import io.holdfast.core.memory.ForwardingMemory;
import io.holdfast.core.memory.Memory;
import java.util.concurrent.atomic.AtomicLong;

/// The memory of a body: at some of its stores something becomes durable, or a kill may come.
final class StoppingMemory extends ForwardingMemory {
  private final CallRecorder disk;
  private final long every;
  private final AtomicLong stores = new AtomicLong();
  private volatile boolean stops;

  StoppingMemory(Memory bytes, CallRecorder disk, long every) {
    super(bytes);
    this.disk = disk;
    this.every = every;
  }

  /// From now on, or no more.
  void stop(boolean newStops) {
    stops = newStops;
  }

  private void beforeStore() {
    if (stops) {
      long number = stores.incrementAndGet();
      if (number % every == 0) {
        disk.mayBeKilled();
        if (number / every % 2 == 0) {
          bytes.awaitDurable();
        }
      }
    }
  }

  @Override
  public void writePlain(long offset, long value) {
    beforeStore();
    super.writePlain(offset, value);
  }

  @Override
  public void writeRelease(long offset, long value) {
    beforeStore();
    super.writeRelease(offset, value);
  }

  @Override
  public void writeLoggedByte(long offset, byte value) {
    beforeStore();
    super.writeLoggedByte(offset, value);
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    beforeStore();
    super.writeEntryRelease(offset, w0, w1, w2, last);
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int count) {
    beforeStore();
    super.writeBytesPlain(offset, from, at, count);
  }

  @Override
  public void zeroPlain(long offset, long count) {
    beforeStore();
    super.zeroPlain(offset, count);
  }
}
