package io.holdfast.jmh.bench.program;

/// How a section can be logged, as {@link SectionAccesses} counts it. All are counted by the same
/// rules, so that what differs is which accesses have entries: an entry is a word's, of 32 bytes; a
/// section waits for each, and twice more, for its data and for its end.
enum Strategy {
  /// PMDK's: at the first store to an object, all of it.
  OBJECT_UNDO("object undo"),

  /// Each store has an entry.
  LOG_ALL("log all"),

  /// An entry for each word, and one for each lock that is taken and released.
  ATLAS("Atlas"),

  /// An entry for each word that was there before the section: Holdfast's.
  WORD_UNDO("word undo"),

  /// An entry for each of these that was read before it was stored to. Besides, the v_log: a line,
  /// and the entry of its word, which a section waits for only if there is no other entry.
  CLOBBER("clobber"),

  /// Each store has an entry, which takes the place of the one before.
  JUSTDO("JUSTDO-like"),

  /// An entry where an idempotent part ends: before a store to a word that the part has read first,
  /// and at the section's beginning. It holds registers, of which Java shows none: one is counted.
  IDO("iDO-like");

  final String title;

  Strategy(String title) {
    this.title = title;
  }

  /// What sections log, on average.
  record Logged(double entries, double bytes, double fences) {}
}
