package io.holdfast.core.guarantees;

import java.util.List;
import java.util.Map;

/// What programs work on: a few persistent words, persistent blocks of one word that they allocate,
/// and transient variables.
interface Scene {
  /// Persistent words that hold numbers: 0 to 5.
  int NUMBERS = 6;

  /// After these, persistent words that hold a block or 0: 6 and 7.
  int POINTERS = 2;

  void acquire(Object lock);

  void release(Object lock);

  /// An acquire without a lock, perhaps outside of sections.
  void observe(Object key);

  /// Begins a section without a lock, or goes one deeper.
  void enter();

  void exit();

  long read(int word);

  void write(int word, long value);

  /// Allocates a block, in the section.
  long allocate();

  /// Stores a number in a block that nobody finds yet.
  void fill(long block, long number);

  /// Variables that a crash takes away.
  Map<String, Long> transients();

  /// All that restart code sees: the numbers, and for each pointer what its block holds, 0 if it
  /// points to none.
  List<Long> visible();
}
