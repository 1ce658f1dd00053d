package io.holdfast.jmh.byhand;

/// Who sees to it that a crash leaves an operation whole or not at all.
public enum Way {
  /// Nobody: the work alone.
  TRANSIENT,

  /// A section, word by word.
  STORES,

  /// A section, by its store of many bytes.
  RANGES,

  /// Code that was written for it, without sections.
  BY_HAND;

  boolean isSection() {
    return this == STORES || this == RANGES;
  }
}
