package io.holdfast.collections.map.write;

/// How an operation stores words: with release in the cache, or in a section.
interface WordStore {
  void write(long offset, long value);
}
