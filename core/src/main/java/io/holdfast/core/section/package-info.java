/// Failure-atomic sections: locks as transactions (Atlas, sections 3 and 4).
///
/// Start with {@link io.holdfast.core.section.Section}, the order of stores on media, and {@link
/// io.holdfast.core.section.Sections}, which belongs to a region. `SectionRegion` is what the
/// sections of a region share. `ThreadSections` counts a thread's depth, over `ThreadDependencies`,
/// what it carries from one section to the next. `UncommittedReleases` knows who released what
/// without being durable; `GroupCommit` decides who is durable with whom. {@link
/// io.holdfast.core.section.SectionHooks} is what the locks of the front door call, {@link
/// io.holdfast.core.section.SectionLock} what the collections lock with.
///
/// Woven code calls {@link io.holdfast.core.section.MonitorHooks}, {@link
/// io.holdfast.core.section.LockHooks}, {@link io.holdfast.core.section.ConditionHooks}, {@link
/// io.holdfast.core.section.StampedLockHooks} and {@link io.holdfast.core.section.EdgeHooks}; what
/// a thread holds by them is in `HeldLocks`, what stands for a lock in `LockKeys`.
///
/// A *section* runs from a thread's first lock acquire to its last release. It is *open* until
/// then; it is *durable* when recovery would keep it; it *waits* when it has ended and is not
/// durable, because it acquired an *uncommitted release*: a lock released by a section that is not
/// durable either. A section is *exposed* once it has made one.
package io.holdfast.core.section;
