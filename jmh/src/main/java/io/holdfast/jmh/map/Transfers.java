package io.holdfast.jmh.map;

/// Two collections of longs, with items from 0 on, each of which has the value 0 at first: in one
/// transaction an amount goes from an entry of the one to an entry of the other.
///
/// Confined to a thread.
public interface Transfers extends AutoCloseable {
  /// Takes an amount from an item's value in the first collection, and adds it to another's in the
  /// second. When this returns, both survive the process; if it doesn't return, both or neither.
  void transfer(long from, long to, long amount);

  /// The sum of all values of both: 0.
  long total();

  @Override
  void close();
}
