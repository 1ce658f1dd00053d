package io.holdfast.jmh.map;

/// One or two collections of longs, with items from 0 on, each of which has the value 0 at first:
/// in one transaction an amount goes from an entry of the first to an entry of the second, or to
/// another of the same.
///
/// Two collections are confined to a thread; {@link Accounts}, which are one, are shared.
public interface Transfers extends AutoCloseable {
  /// Takes an amount from an item's value in the first collection, and adds it to another's in the
  /// last. When this returns, both survive the process; if it doesn't return, both or neither.
  void transfer(long from, long to, long amount);

  /// The sum of all values: 0.
  long total();

  @Override
  void close();
}
