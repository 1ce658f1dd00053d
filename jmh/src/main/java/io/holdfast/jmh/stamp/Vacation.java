package io.holdfast.jmh.stamp;

import static io.holdfast.jmh.stamp.TravelRequests.ADDED;
import static io.holdfast.jmh.stamp.TravelRequests.FLIGHTS;
import static io.holdfast.jmh.stamp.TravelRequests.KINDS;
import static io.holdfast.jmh.stamp.TravelRequests.NONE;
import static io.holdfast.jmh.stamp.TravelRequests.price;

import io.holdfast.Holdfast;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.stamp.TravelRequests.Query;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Travel reservations: three relations of what can be booked, and one of customers, who have lists
/// of bookings ({@link TravelRequests}).
///
/// **VACATION-1** Of each offer, used and free are its total. **VACATION-2** What is used of an
/// offer is how often customers have booked it.
///
/// A customer books an offer once at most, as in STAMP. Test: StampTest.
final class Vacation extends StampProgram implements TravelRequests.Desk {
  /// How much there is of something that can be booked.
  record Offer(int used, int free, int total, int price) {
    Offer booked() {
      return new Offer(used + 1, free - 1, total, price);
    }

    Offer cancelled() {
      return new Offer(used - 1, free + 1, total, price);
    }

    Offer more(int count) {
      return new Offer(used, free + count, total + count, price);
    }

    Offer at(int newPrice) {
      return new Offer(used, free, total, newPrice);
    }
  }

  /// Of one kind, by its number in that relation.
  record Booking(int kind, long offer, int price) {}

  record Customer(List<Booking> bookings) {
    boolean has(int kind, long offer) {
      return bookings.stream().anyMatch(each -> each.kind == kind && each.offer == offer);
    }

    Customer and(Booking booking) {
      return new Customer(Stream.concat(bookings.stream(), Stream.of(booking)).toList());
    }
  }

  /// What relations are made of.
  interface Tables {
    <V> Map<Long, V> open(String name, Class<Long> key, Class<V> value);
  }

  private final Holdfast store;
  private final int transactions;
  private final int rows;
  final List<Map<Long, Offer>> relations = new ArrayList<>();
  final Map<Long, Customer> customers;

  /// @param transactions at most
  /// @param rows of each relation at first
  Vacation(Holdfast store, Tables tables, int threads, int transactions, int rows) {
    super(threads);
    this.store = store;
    this.transactions = transactions / threads * threads;
    this.rows = rows;
    Draws draws = new Draws(0);
    for (int kind = 0; kind < KINDS; kind++) {
      Map<Long, Offer> relation = tables.open("relation" + kind, Long.class, Offer.class);
      for (long i = 0; i < rows; i++) {
        int count = TravelRequests.count(draws);
        relation.put(i, new Offer(0, count, count, price(draws)));
      }
      relations.add(relation);
    }
    customers = tables.open("customers", Long.class, Customer.class);
    for (long i = 0; i < rows; i++) {
      customers.put(i, new Customer(List.of()));
    }
  }

  @Override
  public int operations() {
    return transactions;
  }

  @Override
  public void run(int thread, int operations) {
    TravelRequests requests = new TravelRequests(thread, rows);
    for (int i = 0; i < operations / threads; i++) {
      requests.next(this);
    }
  }

  @Override
  public void reserve(long customer, List<Query> queries) {
    store.transaction(() -> reserveAll(customer, queries));
  }

  @Override
  public void delete(long customer) {
    store.transaction(() -> deleteAll(customer));
  }

  @Override
  public void update(List<Query> queries) {
    store.transaction(() -> updateAll(queries));
  }

  /// Books the dearest of what was asked for, one of each kind, for a customer who may be new.
  private void reserveAll(long customer, List<Query> queries) {
    long[] dearest = new long[KINDS];
    int[] prices = {NONE, NONE, NONE};
    for (Query query : queries) {
      Offer offer = relations.get(query.kind()).get(query.offer());
      if (offer != null && offer.price > prices[query.kind()]) {
        prices[query.kind()] = offer.price;
        dearest[query.kind()] = query.offer();
      }
    }
    for (int kind = 0; kind < KINDS; kind++) {
      if (prices[kind] != NONE) {
        customers.putIfAbsent(customer, new Customer(List.of()));
        book(customer, kind, dearest[kind]);
      }
    }
  }

  private void book(long number, int kind, long id) {
    Offer offer = relations.get(kind).get(id);
    Customer customer = customers.get(number);
    if (offer.free > 0 && !customer.has(kind, id)) {
      relations.get(kind).put(id, offer.booked());
      customers.put(number, customer.and(new Booking(kind, id, offer.price)));
    }
  }

  private void deleteAll(long number) {
    Customer customer = customers.remove(number);
    if (customer != null) {
      for (Booking booking : customer.bookings) {
        relations
            .get(booking.kind)
            .computeIfPresent(booking.offer, (_, offer) -> offer.cancelled());
      }
    }
  }

  private void updateAll(List<Query> queries) {
    for (Query query : queries) {
      Map<Long, Offer> relation = relations.get(query.kind());
      Offer offer = relation.get(query.offer());
      if (query.newPrice() != NONE) {
        Offer old = offer == null ? new Offer(0, 0, 0, 0) : offer;
        relation.put(query.offer(), old.more(ADDED).at(query.newPrice()));
      } else if (offer != null) {
        withdraw(relation, query, offer);
      }
    }
  }

  private static void withdraw(Map<Long, Offer> relation, Query query, Offer offer) {
    int count = query.kind() == FLIGHTS ? offer.total : ADDED;
    if (offer.free < count) {
      return;
    }
    if (offer.total == count) {
      relation.remove(query.offer());
    } else {
      relation.put(query.offer(), offer.more(-count));
    }
  }

  @Override
  public void check() {
    List<Map<Long, Integer>> booked = new ArrayList<>();
    for (int kind = 0; kind < KINDS; kind++) {
      booked.add(new HashMap<>());
    }
    for (Customer customer : customers.values()) {
      for (Booking booking : customer.bookings) {
        booked.get(booking.kind).merge(booking.offer, 1, Integer::sum);
      }
    }
    for (int kind = 0; kind < KINDS; kind++) {
      Map<Long, Integer> ofKind = booked.get(kind);
      for (Map.Entry<Long, Offer> entry : relations.get(kind).entrySet()) {
        Offer offer = entry.getValue();
        require(
            offer.used >= 0 && offer.free >= 0 && offer.used + offer.free == offer.total,
            "VACATION-1: kind=%d, offer=%s",
            kind,
            entry);
        Integer count = ofKind.remove(entry.getKey());
        require(
            offer.used == (count == null ? 0 : count),
            "VACATION-2: kind=%d, offer=%s, booked=%s",
            kind,
            entry,
            count);
      }
      require(ofKind.isEmpty(), "VACATION-2: booked, and not there: kind=%d, %s", kind, ofKind);
    }
  }
}
