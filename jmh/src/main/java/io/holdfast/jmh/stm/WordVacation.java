package io.holdfast.jmh.stm;

import static io.holdfast.jmh.stamp.TravelRequests.KINDS;

import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.stamp.StampProgram;
import io.holdfast.jmh.stamp.TravelRequests;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// STAMP's vacation over red-black trees, in its contended setting ({@link TravelRequests}).
///
/// | line of data | |
/// |---|---|
/// | one for each thread | its {@link LineHeap} |
/// | the next | the topmost nodes of three relations and of the customers |
/// | the others | blocks |
///
/// VACATION-1 and VACATION-2 hold. Test: StmProgramTest.
final class WordVacation extends StampProgram {
  /// Blocks of a thread: more than it ever has in use, since a request books three offers at most
  /// for a customer who may be new, or adds four.
  private static final int BLOCKS_A_REQUEST = 4;

  private final int transactions;
  private final int rows;
  private final List<TravelAgency> agencies = new ArrayList<>();

  /// Fills a memory of zeros.
  ///
  /// @param transactions at most
  /// @param rows of each relation at first
  WordVacation(WordStm stm, int threads, int transactions, int rows) {
    super(threads);
    this.transactions = transactions / threads * threads;
    this.rows = rows;
    long roots = stm.dataAt() + (long) threads * Seal.LINE;
    long block = roots + Seal.LINE;
    for (int thread = 0; thread < threads; thread++) {
      WordTransaction transaction = stm.transaction(thread);
      LineHeap heap = new LineHeap(transaction, stm.dataAt() + (long) thread * Seal.LINE);
      long first = block;
      long blocks = blocks(thread, threads, transactions, rows);
      transaction.run(
          _ -> {
            heap.init(first, blocks);
            return 0;
          });
      agencies.add(new TravelAgency(transaction, heap, roots));
      block += blocks * Seal.LINE;
    }
    fill(new Draws(0));
  }

  /// The first thread fills the relations.
  private static long blocks(int thread, int threads, int transactions, int rows) {
    return (long) transactions / threads * BLOCKS_A_REQUEST + (thread == 0 ? 4L * rows : 0);
  }

  /// Words of data.
  static long words(int threads, int transactions, int rows) {
    long lines = threads + 1L;
    for (int thread = 0; thread < threads; thread++) {
      lines += blocks(thread, threads, transactions, rows);
    }
    return lines * Seal.LINE / Long.BYTES;
  }

  private void fill(Draws draws) {
    TravelAgency agency = agencies.getFirst();
    for (long i = 0; i < rows; i++) {
      long number = i;
      for (int each = 0; each < KINDS; each++) {
        int kind = each;
        int count = TravelRequests.count(draws);
        int price = TravelRequests.price(draws);
        agency.transaction.run(
            _ -> {
              agency.addOffer(kind, number, count, price);
              return 0;
            });
      }
      agency.transaction.run(_ -> agency.addCustomer(number));
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
      requests.next(agencies.get(thread));
    }
  }

  @Override
  public void check() {
    TravelAgency agency = agencies.getFirst();
    agency.transaction.run(transaction -> check(agency, transaction));
  }

  private static long check(TravelAgency agency, WordTransaction transaction) {
    Map<Long, Long> booked = booked(agency, transaction);
    for (int each = 0; each < KINDS; each++) {
      int kind = each;
      agency.tree.forEach(
          transaction.read(agency.root(kind)),
          offer -> {
            long used = transaction.read(offer + TravelAgency.USED);
            long free = transaction.read(offer + TravelAgency.FREE);
            long total = transaction.read(offer + TravelAgency.TOTAL);
            long number = transaction.read(offer);
            require(
                used >= 0 && free >= 0 && used + free == total,
                "VACATION-1: kind=%d, offer=%d, used=%d, free=%d, total=%d",
                kind,
                number,
                used,
                free,
                total);
            Long count = booked.remove(booked(kind, number));
            require(
                used == (count == null ? 0 : count),
                "VACATION-2: kind=%d, offer=%d, used=%d, booked=%s",
                kind,
                number,
                used,
                count);
          });
    }
    require(booked.isEmpty(), "VACATION-2: booked, and not there: %s", booked);
    return 0;
  }

  /// An offer of any kind.
  private static long booked(long kind, long offer) {
    return offer * KINDS + kind;
  }

  /// How often customers have booked each offer.
  private static Map<Long, Long> booked(TravelAgency agency, WordTransaction transaction) {
    Map<Long, Long> booked = new HashMap<>();
    agency.tree.forEach(
        transaction.read(agency.root(KINDS)),
        customer -> {
          long booking = transaction.read(customer + TravelAgency.BOOKINGS);
          for (; booking != 0; booking = transaction.read(booking + TravelAgency.BEFORE)) {
            long offer = transaction.read(booking + TravelAgency.OFFER);
            booked.merge(booked(transaction.read(booking), offer), 1L, Long::sum);
          }
        });
    return booked;
  }
}
