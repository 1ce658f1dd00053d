package io.holdfast.core.section;

/// What a thread's section holds back: changes that are in memory until the section ends, so that
/// no other section depends on this one for a lock, a stripe or a leaf that both went through.
///
/// **HELD-1** What is held back is stored in the section that it belongs to, and before that lets
/// anybody see it: before its end, with the locks of all that is stored held until the section has
/// ended ({@link #store}, {@link #letGo}), or before a lock of the program's is given up in the
/// middle ({@link #storeOpenly}). Test: HeldChangesCrashTest.held1AllOrNothing.
///
/// Confined to the section's thread.
public interface HeldChanges {
  /// Stores all, in the section, which ends before {@link #letGo}. Called again, it does nothing,
  /// also after a failure.
  ///
  /// @throws io.holdfast.core.RegionFullException if the device has no room; the section was rolled
  ///   back, and the locks are held all the same
  void store();

  /// Gives up the locks; after the section's end. Never throws.
  void letGo();

  /// Stores all, as an operation does when nothing is held back: others find it, and depend on the
  /// section.
  ///
  /// @throws io.holdfast.core.RegionFullException if the device has no room; the section was rolled
  ///   back, or keeps what was stored before
  void storeOpenly();
}
