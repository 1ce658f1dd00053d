package io.holdfast.jmh.stamp;

import io.holdfast.jmh.map.Draws;
import java.util.List;
import java.util.stream.Stream;

/// What a thread of a {@link Vacation} is asked for, in STAMP's contended setting (`-n4 -q60
/// -u90`): nine of ten requests look at up to four offers and book the dearest of each kind; of the
/// rest, half delete a customer with all bookings, half change the offers.
///
/// For one thread.
public final class TravelRequests {
  /// What can be booked: relations.
  public static final int KINDS = 3;

  /// Of these nothing but all can be withdrawn.
  public static final int FLIGHTS = 1;

  /// How much of an offer is added or withdrawn.
  public static final int ADDED = 100;

  /// No price.
  public static final int NONE = -1;

  private static final int QUERIES = 4;
  private static final int QUERIED_PERCENT = 60;
  private static final int USER_PERCENT = 90;

  /// An offer that a request is about.
  public record Query(int kind, long offer, int newPrice) {}

  /// Who does what is asked for, each in a transaction.
  public interface Desk {
    void reserve(long customer, List<Query> queries);

    void delete(long customer);

    void update(List<Query> queries);
  }

  private final Draws draws;
  private final int rows;

  /// @param rows of each relation at first
  public TravelRequests(int thread, int rows) {
    this.draws = new Draws(1 + thread);
    this.rows = rows;
  }

  public static int price(Draws draws) {
    return 50 + 10 * (int) draws.item(5);
  }

  /// How much there is of an offer at first.
  public static int count(Draws draws) {
    return ADDED * (1 + (int) draws.item(5));
  }

  /// Has the next request done.
  public void next(Desk desk) {
    if (draws.item(100) < USER_PERCENT) {
      desk.reserve(queried(), queries());
    } else if (draws.item(2) == 0) {
      desk.delete(queried());
    } else {
      desk.update(queries());
    }
  }

  /// Any row of those that are asked for.
  private long queried() {
    return draws.item((long) rows * QUERIED_PERCENT / 100);
  }

  private List<Query> queries() {
    return Stream.generate(
            () ->
                new Query(
                    (int) draws.item(KINDS), queried(), draws.item(2) == 0 ? NONE : price(draws)))
        .limit(1 + draws.item(QUERIES))
        .toList();
  }
}
