/// The front door: {@link io.holdfast.Holdfast} opens a store and hands out its collections.
///
/// {@link io.holdfast.DurableLock} and {@link io.holdfast.DurableReadWriteLock} make critical
/// sections failure-atomic without the agent; {@link io.holdfast.HappensBefore} tells of what
/// threads hand to each other without a lock. {@link io.holdfast.Resumable} has calls happen
/// exactly once: what it stores is in `StoredCalls`, what is in memory of a call in `PendingCall`
/// and `Lane`, how it is found in `Resumables`. What both locks share is in `DelimitingLock`, what
/// waiting means in `DelimitingCondition`.
package io.holdfast;
