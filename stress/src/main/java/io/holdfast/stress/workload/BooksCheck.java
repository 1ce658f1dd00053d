package io.holdfast.stress.workload;

import io.holdfast.stress.kill.Violation;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Compares books with what was acknowledged. What every account must have is told by the payments
/// that were made, without a look at any account.
final class BooksCheck {
  private final Books books;
  private final Set<Long> made;

  private BooksCheck(Books books) {
    this.books = books;
    this.made = new TreeSet<>(books.made().keySet());
  }

  /// @throws Violation saying what does not hold
  static void check(Books books, Acknowledged acknowledged) {
    validate(books);
    BooksCheck check = new BooksCheck(books);
    check.eachPaymentIsInTheInboxOrMade();
    check.accountsAreThoseOfThePaymentsMade();
    check.theIndexIsThatOfTheMap();
    check.whatWasAcknowledgedIsThere(acknowledged);
  }

  private static void validate(Books books) {
    sizes("inbox", books.inbox().validate(), books.inbox().size());
    sizes("ordered", books.ordered().validate(), books.ordered().mappingCount());
    sizes("giro", books.giro().validate(), books.giro().mappingCount());
    sizes("savings", books.savings().validate(), books.savings().mappingCount());
    sizes("index", books.index().validate(), books.index().size());
    sizes("made", books.made().validate(), books.made().size());
  }

  private static void sizes(String root, long valid, long size) {
    Violation.unless(
        valid == size, "%s has different sizes: validated=%d, counted=%d", root, valid, size);
  }

  /// Exactly once: each payment that was ordered, and nothing else.
  private void eachPaymentIsInTheInboxOrMade() {
    Set<Long> known = new TreeSet<>(made);
    Map<Integer, Long> before = new HashMap<>();
    for (Payment payment : books.inbox()) {
      Violation.unless(
          payment.equals(Payment.ofKey(payment.key())),
          "a payment in the inbox is damaged: found=%s",
          payment);
      Violation.unless(
          known.add(payment.key()),
          "P1 atomic: a payment is in the inbox and made, or twice in the inbox: %s",
          payment);
      Long last = before.put(payment.thread(), payment.number());
      Violation.unless(
          last == null || last < payment.number(),
          "P2 ordered: a thread's payments in the inbox: %s stands after number %d",
          payment,
          last);
    }
    long expected = books.ordered().values().stream().mapToLong(Long::longValue).sum();
    books
        .ordered()
        .forEach(
            (thread, last) -> {
              for (long number = 1; number <= last; number++) {
                Payment payment = Payment.of(thread, number);
                Violation.unless(
                    known.contains(payment.key()),
                    "P1 atomic: a payment was ordered, and is neither in the inbox nor made: %s",
                    payment);
              }
            });
    Violation.unless(
        known.size() == expected,
        "P1 atomic: payments that nobody has ordered: found=%d, expected=%d",
        known.size(),
        expected);
  }

  private void accountsAreThoseOfThePaymentsMade() {
    Map<Integer, Long> savings = new HashMap<>();
    for (long key : made) {
      Payment payment = Payment.ofKey(key);
      Violation.unless(
          payment.equals(books.made().get(key)),
          "a payment that was made is damaged: expected=%s, found=%s",
          payment,
          books.made().get(key));
      savings.merge(payment.account(), payment.amount(), Long::sum);
    }
    savings.values().removeIf(amount -> amount == 0);
    Map<Integer, Long> giro = new HashMap<>();
    savings.forEach((account, amount) -> giro.put(account, -amount));
    accounts("savings", savings, books.savings());
    accounts("giro", giro, books.giro());
  }

  private static void accounts(String root, Map<Integer, Long> expected, Map<Integer, Long> found) {
    Violation.unless(
        expected.equals(found),
        "P1 atomic: accounts are not those of the payments made: root=%s, expected=%s, found=%s",
        root,
        expected,
        found);
  }

  private void theIndexIsThatOfTheMap() {
    TreeMap<Long, Integer> expected = new TreeMap<>();
    books.giro().forEach((account, amount) -> expected.put(Books.place(account, amount), account));
    TreeMap<Long, Integer> found = new TreeMap<>(books.index());
    Violation.unless(
        expected.equals(found),
        "P1 atomic: an index is not that of its map: expected=%s, found=%s",
        expected,
        found);
  }

  private void whatWasAcknowledgedIsThere(Acknowledged acknowledged) {
    acknowledged
        .ordered()
        .forEach(
            (thread, said) -> {
              long last = books.ordered().getOrDefault(thread, 0L);
              Violation.unless(
                  last >= said,
                  "P6 acknowledged: orders are gone: thread=%d, found=%d, acknowledged=%d",
                  thread,
                  last,
                  said);
            });
    for (long key : acknowledged.made()) {
      Violation.unless(
          made.contains(key),
          "P6 acknowledged: a payment that was made is gone: %s",
          Payment.ofKey(key));
    }
  }
}
