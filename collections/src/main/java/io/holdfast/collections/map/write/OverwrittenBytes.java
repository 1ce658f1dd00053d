package io.holdfast.collections.map.write;

import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.core.memory.Memory;

/// What a stripe keeps of the bytes that an update in place is overwriting: an undo entry of its
/// own, in lines that it has anyway, where a section's log would take new ones and be ended.
///
/// **MAP-15** An update of some bytes that is alone has them in the stripe before it stores the
/// first of the new ones, and says so by the word KEPT, which is 0 again after the last one. Who
/// uses the stripe first after an opening, or an exception, stores them again if KEPT is not 0.
/// Test: MapCrashTest.map15AnUpdateOfManyWords.
///
/// Guarded by the stripe's lock.
public final class OverwrittenBytes {
  private final Memory memory;
  private final Slots slots;

  OverwrittenBytes(MapParts parts) {
    this.memory = parts.unordered();
    this.slots = parts.slots();
  }

  /// Whether so many bytes can be kept.
  boolean hasRoom(int count) {
    return count <= slots.bytesKept();
  }

  /// Keeps bytes that are stored over next, until {@link #forget}. Word by word: by way of an
  /// array, an operation of YCSB A took 1.13 times as long, probably since loads of one width
  /// waited for stores of another.
  ///
  /// @param offset a multiple of 8
  /// @param count likewise
  void keep(long stripe, long offset, int count) {
    // MAP-15: what the last update has kept is overwritten after its KEPT is 0, or a crash would
    // have these bytes stored there. Test: MapCrashTest.map15AnUpdateOfManyWords.
    memory.releaseFence();
    for (int at = 0; at < count; at += Long.BYTES) {
      memory.writePlain(stripe + MapLayout.KEPT_BYTES + at, memory.readPlain(offset + at));
    }
    memory.writePlain(stripe + MapLayout.KEPT_COUNT, count);
    // MAP-15: after the bytes, which are stored again if it is there; and before the first of the
    // new ones, or half of them would stay. Test: as above.
    memory.writeRelease(stripe + MapLayout.KEPT, offset);
    memory.releaseFence();
  }

  /// Ends the update: what it has stored stays.
  void forget(long stripe) {
    // MAP-15: after the last of them. Test: MapCrashTest.map15AnUpdateOfManyWords.
    memory.writeRelease(stripe + MapLayout.KEPT, 0);
  }

  /// Takes back what was cut off, and so that it stays: where the power may fail nothing is kept,
  /// so what a loss of power would leave here is of the process before.
  public void settle(long stripe) {
    long offset = slots.bytesKept() == 0 ? 0 : memory.readPlain(stripe + MapLayout.KEPT);
    if (offset == 0) {
      return;
    }
    long count = memory.readPlain(stripe + MapLayout.KEPT_COUNT);
    byte[] kept = new byte[slots.checkKept(offset, count)];
    memory.readBytes(stripe + MapLayout.KEPT_BYTES, kept, 0, kept.length);
    memory.writeBytesPlain(offset, kept, 0, kept.length);
    memory.flush(offset, kept.length);
    // MAP-15: before KEPT is 0 on media, or a loss of power would leave half of two values. Test:
    // MapCrashTest.map15BehindALossOfPower.
    memory.fence();
    // After the bytes, where the process dies. Test: MapCrashTest.map15AnUpdateOfManyWords.
    memory.writeRelease(stripe + MapLayout.KEPT, 0);
    // Or a loss of power would have them stored once more, over the slot's next entry, whose
    // operation fences first. Test: MapCrashTest.map15BehindALossOfPower.
    memory.flush(stripe + MapLayout.KEPT, Long.BYTES);
  }
}
