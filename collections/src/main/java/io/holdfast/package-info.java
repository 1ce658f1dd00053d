/// The front door: {@link io.holdfast.Holdfast} opens a store and hands out its collections.
/// `OpenCollections` are those that are open, each opened by its `Kind`; `Blocks` runs sections and
/// transactions.
///
/// {@link io.holdfast.DurableLock} and {@link io.holdfast.DurableReadWriteLock} make critical
/// sections failure-atomic without the agent; {@link io.holdfast.HappensBefore} tells of what
/// threads hand to each other without a lock. {@link io.holdfast.Resumable} has calls happen
/// exactly once: what it stores is in `StoredCalls`, what is in memory of a call in `PendingCall`
/// and `Lane`, what is to be called later in `Schedule`, how it is found in `Resumables`. {@link
/// io.holdfast.Job} is long work, `Jobs` finds it. What both locks share is in `DelimitingLock`,
/// what waiting means in `DelimitingCondition`.
package io.holdfast;
