/// The front door: {@link io.holdfast.Holdfast} opens a store and hands out its collections.
///
/// {@link io.holdfast.DurableLock} and {@link io.holdfast.DurableReadWriteLock} make critical
/// sections failure-atomic without the agent; {@link io.holdfast.HappensBefore} tells of what
/// threads hand to each other without a lock. What both locks share is in `DelimitingLock`, what
/// waiting means in `DelimitingCondition`.
package io.holdfast;
