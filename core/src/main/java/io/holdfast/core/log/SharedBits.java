package io.holdfast.core.log;

/// Who owns the words of which each section sets and clears bits of its own: they are changed under
/// its lock.
public interface SharedBits {
  /// Takes back what a section did to some bits, under the lock that guards their word.
  ///
  /// @param wereSet whether the section had set them, rather than cleared
  /// @param restore does it
  /// @return what is to be done when the section is durable; `null` if nothing is
  Runnable undo(long offset, long mask, boolean wereSet, Runnable restore);
}
