package io.holdfast.collections.overlay;

/// A part of a collection that is locked by {@link io.holdfast.core.section.SectionLock#hold}.
public interface Part {
  /// Unlocks it; nothing in it was changed.
  void unlock();

  /// Lets readers in and unlocks it in the middle of the section that has changed it: others depend
  /// on that.
  void letGoOpenly();

  /// Lets readers in and unlocks it, after the end of the section that has changed it.
  void letGo();
}
