/// The bytes of a region: mapping, growth, and access with its ordering in its name.
///
/// Read {@link io.holdfast.core.memory.RegionLayout} first, then {@link
/// io.holdfast.core.memory.Memory}, the seam at the media with what is assumed of it, and {@link
/// io.holdfast.core.memory.MappedMemory} behind it. {@link io.holdfast.core.memory.RegionHeader}
/// says what a region is; {@link io.holdfast.core.memory.RegionFile} finds, locks and maps it;
/// {@link io.holdfast.core.memory.SpanTable} hands out its space.
///
/// Where the power may fail, {@link io.holdfast.core.memory.OrderedMemory} flushes and fences what
/// is stored, data in one of the modes of {@link io.holdfast.core.memory.FlushMode}, {@link
/// io.holdfast.core.memory.PostedMemory} before it has data wait for their entries together; {@link
/// io.holdfast.core.memory.EndMark} is what a section that waits has not made durable.
package io.holdfast.core.memory;
