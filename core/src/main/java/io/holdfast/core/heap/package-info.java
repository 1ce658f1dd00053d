/// Allocation and roots: {@link io.holdfast.core.heap.Heap}, whose blocks come and go with the
/// section that allocates or frees them, and {@link io.holdfast.core.heap.RootDirectory}, from
/// which everything is found.
///
/// Read `SizeClass` first, then `Slab` and `SlabList`, which have the free blocks of a size, and
/// `BlockCache`, a thread's part of them with what its section changes (`BlockChanges`). `SlabMap`
/// finds a block's slab, `SpanSource` is where spans come from. {@link
/// io.holdfast.core.heap.HeapValidator} walks it all on media and counts {@link
/// io.holdfast.core.heap.HeapUsage}.
package io.holdfast.core.heap;
