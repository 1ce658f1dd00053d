/// The logs: those of sections, and append logs.
///
/// {@link io.holdfast.core.log.UndoEntry}, `RangeEntry` and {@link io.holdfast.core.log.LogSlot}
/// are the layout of the undo logs, {@link io.holdfast.core.log.UndoLog} writes, {@link
/// io.holdfast.core.log.LogPool} lends, {@link io.holdfast.core.log.ScannedLog} is what recovery
/// reads.
///
/// {@link io.holdfast.core.log.AppendLog} is a log of entries that are appended and trimmed, in one
/// or several {@link io.holdfast.core.log.LogRing}s. How an entry is told from half of one is its
/// {@link io.holdfast.core.log.LogFormat}: {@link io.holdfast.core.log.CsoVb}, {@link
/// io.holdfast.core.log.CsoVbFreeBit}, {@link io.holdfast.core.log.CsoFvb}, {@link
/// io.holdfast.core.log.CsoRandom}. {@link io.holdfast.core.log.WhenFull} says what is done when
/// there is no room.
package io.holdfast.core.log;
