/// The undo logs (CSO-VB) and the pool that they come from.
///
/// {@link io.holdfast.core.log.UndoEntry} and {@link io.holdfast.core.log.LogSlot} are the layout,
/// {@link io.holdfast.core.log.UndoLog} writes, {@link io.holdfast.core.log.LogPool} lends, {@link
/// io.holdfast.core.log.ScannedLog} is what recovery reads.
package io.holdfast.core.log;
