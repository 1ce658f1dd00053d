package io.holdfast;

import io.holdfast.core.section.hooks.SectionHooks;
import java.util.Objects;

/// Tells Holdfast of what threads hand to each other without a lock: through a volatile field, an
/// atomic, a concurrent collection of the JDK's.
///
/// ```java
/// private volatile Order latest;
///
/// HappensBefore.releasing(this);            // first,
/// latest = order;                           // then the volatile write
///
/// Order found = latest;                     // the volatile read first,
/// HappensBefore.acquired(this);             // then
/// ```
///
/// A thread that reads what another one wrote in a failure-atomic section may act upon what a crash
/// then undoes. With these calls it depends on that section, as on one that released a lock that it
/// took: what it does is durable only if the section is (Atlas, property 2). Locks that Holdfast
/// knows need none of this.
///
/// Both sides name the same object; an object of its own, known by its identity, is best. An
/// operation that reads and writes, such as a compare-and-set, has one call before it and one after
/// it. Neither call orders memory: the volatile access between them does.
///
/// Thread-safe; each call concerns the calling thread.
public final class HappensBefore {
  /// Before a write that others will read. In a section, they depend on it; outside of any, on what
  /// the thread's last section still waits for. The section goes on.
  public static void releasing(Object through) {
    SectionHooks.publishing(Objects.requireNonNull(through, "through"));
  }

  /// After a read of what another thread may have written. The section that the calling thread is
  /// in, or else its next one, depends on what the writers have left open.
  public static void acquired(Object through) {
    SectionHooks.observed(Objects.requireNonNull(through, "through"));
  }

  private HappensBefore() {}
}
