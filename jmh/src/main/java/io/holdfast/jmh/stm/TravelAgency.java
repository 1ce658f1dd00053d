package io.holdfast.jmh.stm;

import static io.holdfast.jmh.stamp.TravelRequests.ADDED;
import static io.holdfast.jmh.stamp.TravelRequests.FLIGHTS;
import static io.holdfast.jmh.stamp.TravelRequests.KINDS;
import static io.holdfast.jmh.stamp.TravelRequests.NONE;

import io.holdfast.jmh.atlas.AaTree;
import io.holdfast.jmh.stamp.TravelRequests;
import io.holdfast.jmh.stamp.TravelRequests.Query;
import java.util.List;

/// A thread of a {@link WordVacation}.
///
/// | block | words 0 to 3 | word 4 | word 5 | word 6 | word 7 |
/// |---|---|---|---|---|---|
/// | offer | {@link AaTree}'s | used | free | total | price |
/// | customer | {@link AaTree}'s | the newest booking | | | |
/// | booking | kind, offer, price, the booking before | | | | |
///
/// For one thread.
final class TravelAgency implements TravelRequests.Desk {
  static final int USED = 32, FREE = 40, TOTAL = 48, PRICE = 56;
  static final int BOOKINGS = 32;
  static final int OFFER = 8, BOOKING_PRICE = 16, BEFORE = 24;

  final WordTransaction transaction;
  private final LineHeap heap;
  final AaTree tree;
  private final long roots;

  /// @param roots where the topmost nodes of all relations are, that of customers last
  TravelAgency(WordTransaction transaction, LineHeap heap, long roots) {
    this.transaction = transaction;
    this.heap = heap;
    this.tree = heap.tree();
    this.roots = roots;
  }

  long root(int relation) {
    return roots + (long) relation * Long.BYTES;
  }

  private long read(long offset) {
    return transaction.read(offset);
  }

  private void write(long offset, long value) {
    transaction.write(offset, value);
  }

  private void add(long offset, long value) {
    write(offset, read(offset) + value);
  }

  private long find(int relation, long key) {
    return tree.find(read(root(relation)), key);
  }

  /// Stores the topmost node, if it is another one.
  private void setRoot(int relation, long node) {
    if (read(root(relation)) != node) {
      write(root(relation), node);
    }
  }

  private long insert(int relation, long key) {
    long node = heap.node(key);
    setRoot(relation, tree.insert(read(root(relation)), key, node));
    return node;
  }

  private void remove(int relation, long key) {
    setRoot(relation, tree.delete(read(root(relation)), key));
  }

  /// Adds a row to a relation, in a transaction.
  void addOffer(int kind, long number, long count, long price) {
    long offer = insert(kind, number);
    write(offer + USED, 0);
    write(offer + FREE, count);
    write(offer + TOTAL, count);
    write(offer + PRICE, price);
  }

  /// The same for a customer without bookings.
  long addCustomer(long number) {
    long customer = insert(KINDS, number);
    write(customer + BOOKINGS, 0);
    return customer;
  }

  @Override
  public void reserve(long customer, List<Query> queries) {
    transaction.run(_ -> reserveAll(customer, queries));
  }

  @Override
  public void delete(long customer) {
    transaction.run(_ -> deleteAll(customer));
  }

  @Override
  public void update(List<Query> queries) {
    transaction.run(_ -> updateAll(queries));
  }

  private long reserveAll(long number, List<Query> queries) {
    long[] dearest = new long[KINDS];
    long[] prices = {NONE, NONE, NONE};
    for (Query query : queries) {
      long offer = find(query.kind(), query.offer());
      if (offer != 0 && read(offer + PRICE) > prices[query.kind()]) {
        prices[query.kind()] = read(offer + PRICE);
        dearest[query.kind()] = offer;
      }
    }
    for (int kind = 0; kind < KINDS; kind++) {
      if (prices[kind] != NONE) {
        long found = find(KINDS, number);
        book(found == 0 ? addCustomer(number) : found, kind, dearest[kind]);
      }
    }
    return 0;
  }

  private void book(long customer, int kind, long offer) {
    if (read(offer + FREE) > 0 && !has(customer, kind, read(offer))) {
      add(offer + USED, 1);
      add(offer + FREE, -1);
      long booking = heap.allocate();
      write(booking, kind);
      write(booking + OFFER, read(offer));
      write(booking + BOOKING_PRICE, read(offer + PRICE));
      write(booking + BEFORE, read(customer + BOOKINGS));
      write(customer + BOOKINGS, booking);
    }
  }

  private boolean has(long customer, int kind, long offer) {
    long booking = read(customer + BOOKINGS);
    while (booking != 0 && (read(booking) != kind || read(booking + OFFER) != offer)) {
      booking = read(booking + BEFORE);
    }
    return booking != 0;
  }

  private long deleteAll(long number) {
    long customer = find(KINDS, number);
    if (customer == 0) {
      return 0;
    }
    for (long booking = read(customer + BOOKINGS); booking != 0; ) {
      long offer = find((int) read(booking), read(booking + OFFER));
      add(offer + USED, -1);
      add(offer + FREE, 1);
      long before = read(booking + BEFORE);
      heap.free(booking);
      booking = before;
    }
    remove(KINDS, number);
    return 0;
  }

  private long updateAll(List<Query> queries) {
    for (Query query : queries) {
      long offer = find(query.kind(), query.offer());
      if (query.newPrice() == NONE) {
        if (offer != 0) {
          withdraw(query, offer);
        }
      } else if (offer == 0) {
        addOffer(query.kind(), query.offer(), ADDED, query.newPrice());
      } else {
        add(offer + FREE, ADDED);
        add(offer + TOTAL, ADDED);
        write(offer + PRICE, query.newPrice());
      }
    }
    return 0;
  }

  private void withdraw(Query query, long offer) {
    long count = query.kind() == FLIGHTS ? read(offer + TOTAL) : ADDED;
    if (read(offer + FREE) < count) {
      return;
    }
    if (read(offer + TOTAL) == count) {
      remove(query.kind(), query.offer());
    } else {
      add(offer + FREE, -count);
      add(offer + TOTAL, -count);
    }
  }
}
