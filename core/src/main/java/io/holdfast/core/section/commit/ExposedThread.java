package io.holdfast.core.section.commit;

import java.util.List;

/// A thread that has made uncommitted releases, as {@link UncommittedReleases} knows it.
public interface ExposedThread {
  long threadId();

  /// Its Lamport clock.
  long stamp();

  /// Whether the thread is dead, and has left nothing that others must wait for.
  boolean isGone();

  /// What everything later in the thread depends on.
  List<SectionRecord> before();
}
