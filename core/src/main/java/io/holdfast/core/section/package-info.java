/// Failure-atomic sections: locks as transactions (Atlas, sections 3 and 4).
///
/// Start with {@link io.holdfast.core.section.Section}, the order of stores on media, and {@link
/// io.holdfast.core.section.Sections}, which belongs to a region. `SectionRegion` is what the
/// sections of a region share. `ThreadSections` counts a thread's depth, over `ThreadDependencies`,
/// what it carries from one section to the next; what it holds by woven code is in `HeldLocks`,
/// what stands for a lock in `LockKeys`. {@link io.holdfast.core.section.SectionLock} is what the
/// collections lock with.
///
/// Below are `commit`, which decides who is durable with whom, and `watch`, which reports; above is
/// `hooks`, which the front door's locks and woven code call.
///
/// A *section* runs from a thread's first lock acquire to its last release. It is *open* until
/// then; it is *durable* when recovery would keep it; it *waits* when it has ended and is not
/// durable, because it acquired an *uncommitted release*: a lock released by a section that is not
/// durable either. A section is *exposed* once it has made one.
package io.holdfast.core.section;
