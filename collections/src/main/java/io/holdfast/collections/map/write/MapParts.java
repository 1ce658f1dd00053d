package io.holdfast.collections.map.write;

import io.holdfast.collections.map.index.StripeBlocks;
import io.holdfast.collections.map.index.StripeIndex;
import io.holdfast.collections.map.slot.Deletion;
import io.holdfast.collections.map.slot.KeyedHash;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.collections.overlay.Claims;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;

/// What the stripes of a map have in common.
///
/// @param memory for what sections publish
/// @param unordered for slots, and for what is not flushed
public record MapParts(
    Region region,
    Memory memory,
    Memory unordered,
    Heap heap,
    Slots slots,
    StripeIndex index,
    StripeBlocks blocks,
    KeyedHash hash,
    Batches batches,
    Deletion deletion,
    Claims claims) {

  public static MapParts of(Region region, KeyedHash hash, Batches batches, Slots slots) {
    Memory memory = region.memory();
    StripeIndex index = new StripeIndex(memory, region.heap(), slots);
    return new MapParts(
        region,
        memory,
        memory.unordered(),
        region.heap(),
        slots,
        index,
        new StripeBlocks(memory, region.heap(), slots, index),
        hash,
        batches,
        new Deletion(memory.name()),
        new Claims(null));
  }
}
