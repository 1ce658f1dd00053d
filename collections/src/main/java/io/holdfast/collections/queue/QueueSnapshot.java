package io.holdfast.collections.queue;

import java.util.Arrays;

/// The places of the elements that a queue had at one moment.
///
/// Confined to a thread.
final class QueueSnapshot {
  private final int rollbacks;
  private long[] words = new long[16];
  private long[] numbers = new long[16];
  private int size;

  QueueSnapshot(int rollbacks) {
    this.rollbacks = rollbacks;
  }

  void add(long word, long number) {
    if (size == words.length) {
      words = Arrays.copyOf(words, 2 * size);
      numbers = Arrays.copyOf(numbers, 2 * size);
    }
    words[size] = word;
    numbers[size] = number;
    size++;
  }

  int size() {
    return size;
  }

  int rollbacks() {
    return rollbacks;
  }

  long word(int index) {
    return words[index];
  }

  long number(int index) {
    return numbers[index];
  }

  boolean contains(long number) {
    return Arrays.binarySearch(numbers, 0, size, number) >= 0;
  }

  /// Where an element is; under both locks.
  ///
  /// @return `null` if it is not in the queue any more
  QueueWalk.Place place(QueueChain<?> chain, int index) {
    QueueWalk.Place place = chain.place(words[index], numbers[index], rollbacks);
    return place != null && place.isOccupied(chain.head()) ? place : null;
  }
}
