package io.holdfast.collections.map.write;

import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.SlotClass;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.core.memory.Memory;
import java.util.ArrayList;
import java.util.List;

/// The slots of a stripe that are invalid, and perhaps not durably so.
///
/// One of several lines is flushed by the operation after, with its own lines (MAP-2). One of a
/// single line need not be invalid durably to be used again: what is stored in a line becomes
/// durable in that order (MEDIA-2), so its former entry is gone before anything of the next one is
/// there. So it waits, and as a rule is soon used again, which saves its flush. Two things are seen
/// to:
///
/// **MAP-12** Before the key of such a slot is removed, the slot is invalid durably, or its former
/// entry could revive (MAP-3). A few slots wait at a time; the oldest is flushed when there are too
/// many. Test: MapCrashTest.map12ASlotThatWaits.
///
/// Where only the process dies nothing is noted. Guarded by the stripe's lock.
final class FreedSlots {
  /// While a stripe is only updated, a slot is used again two operations later.
  private static final int WAITING_MAX = 3;

  private final Memory memory;
  private final Slots slots;

  /// Whether the power may fail.
  private final boolean isNeeded;

  /// To be flushed by the next operation; several after a batch.
  private final List<Slot> due = new ArrayList<>(2);

  /// Of one line, oldest first.
  private final List<Slot> waiting = new ArrayList<>(WAITING_MAX);

  /// @param hash of the key that it had
  private record Slot(long offset, long hash) {}

  FreedSlots(Memory unordered, Slots slots, boolean isNeeded) {
    this.memory = unordered;
    this.slots = slots;
    this.isNeeded = isNeeded;
  }

  /// Notes what an operation has made invalid.
  ///
  /// @param old 0 if it is nothing
  void add(long old, long hash) {
    if (old == 0 || !isNeeded) {
      return;
    }
    Slot slot = new Slot(old, hash);
    if (SlotClass.lines(MapLayout.classOf(slots.place(old))) > 1) {
      due.add(slot);
      return;
    }
    if (waiting.size() == WAITING_MAX) {
      due.add(waiting.removeFirst());
    }
    waiting.add(slot);
  }

  /// Notes that a slot has another entry, durably.
  void used(long taken) {
    for (int i = 0; i < waiting.size(); i++) {
      if (waiting.get(i).offset == taken) {
        waiting.remove(i);
        return;
      }
    }
  }

  /// Whether there is one that a key had.
  boolean has(long hash) {
    return has(due, hash) || has(waiting, hash);
  }

  private static boolean has(List<Slot> slots, long hash) {
    for (int i = 0; i < slots.size(); i++) {
      if (slots.get(i).hash == hash) {
        return true;
      }
    }
    return false;
  }

  /// Starts writing back what is due, before a fence of the caller's, after which it calls {@link
  /// #areDurable}.
  void flush() {
    flush(due);
  }

  private void flush(List<Slot> slots) {
    for (int i = 0; i < slots.size(); i++) {
      memory.flush(slots.get(i).offset, Long.BYTES);
    }
  }

  void areDurable() {
    if (!due.isEmpty()) {
      due.clear();
    }
  }

  /// Makes all durable.
  void flushAll() {
    if (!due.isEmpty() || !waiting.isEmpty()) {
      flush(due);
      flush(waiting);
      memory.fence();
      due.clear();
      waiting.clear();
    }
  }

  /// Makes all durable if it is more than the next operation should carry.
  void closeBatch() {
    if (isBehindABatch()) {
      flushAll();
    }
  }

  /// Starts writing back what {@link #closeBatch} makes durable, before a fence of the caller's,
  /// after which it calls {@link #areDurable}: of several stripes, for the next batch.
  ///
  /// @return whether there is any
  boolean flushBatch() {
    if (isBehindABatch()) {
      flush();
      return true;
    }
    return false;
  }

  private boolean isBehindABatch() {
    return due.size() > 2;
  }
}
