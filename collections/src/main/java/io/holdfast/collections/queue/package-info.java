/// The queue on media. `QueueLayout` is the layout and its invariants; {@link
/// io.holdfast.collections.queue.QueueChain} opens and validates it, {@link
/// io.holdfast.collections.queue.QueueTail} adds, {@link io.holdfast.collections.queue.QueueHead}
/// takes, {@link io.holdfast.collections.queue.QueueWalk} looks at all.
///
/// In memory, {@link io.holdfast.collections.queue.QueueEnds} has the locks, the counters and those
/// who wait, for each end in a `QueueEnd`. `QueueClaims` are the elements that open sections have
/// taken, {@link io.holdfast.collections.queue.QueueOverlay} is what such a section holds back.
package io.holdfast.collections.queue;
