/// How sections become durable, alone or with others.
///
/// {@link io.holdfast.core.section.commit.SectionRecord} is what other threads know of a thread's
/// sections: their numbers, what they depend on, and up to which they are durable. {@link
/// io.holdfast.core.section.commit.UncommittedReleases} finds the sections that released a lock and
/// are not durable. {@link io.holdfast.core.section.commit.GroupCommit} makes sections durable
/// together that wait for each other; {@link io.holdfast.core.section.commit.WaitingSections} finds
/// them. {@link io.holdfast.core.section.commit.DurableActions} runs what a program wants done
/// afterwards, and {@link io.holdfast.core.section.commit.RegionState} says whether the region
/// still commits anything.
///
/// Nothing here knows logs, locks or memory.
package io.holdfast.core.section.commit;
