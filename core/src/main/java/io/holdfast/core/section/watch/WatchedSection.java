package io.holdfast.core.section.watch;

/// A thread's section as other threads see it: in races, for people.
public interface WatchedSection {
  /// The number of the section that is open; 0 if none is.
  long openNumber();

  /// The slot of the log that it has; -1 if it has none.
  int openSlot();

  Thread owner();

  /// The class's name of the first lock that the thread holds; empty if that is not known.
  String firstLock();

  /// The name of the region that it is a section of.
  String regionName();

  /// Whether the section has stored something.
  boolean hasStored();
}
