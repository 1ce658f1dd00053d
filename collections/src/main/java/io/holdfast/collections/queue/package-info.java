/// The queue on media. `QueueLayout` is the layout and its invariants; {@link
/// io.holdfast.collections.queue.QueueChain} opens and validates it, {@link
/// io.holdfast.collections.queue.QueueTail} adds, {@link io.holdfast.collections.queue.QueueHead}
/// takes, {@link io.holdfast.collections.queue.QueueWalk} looks at all. Locking and waiting are
/// {@link io.holdfast.collections.PersistentQueue}'s.
package io.holdfast.collections.queue;
