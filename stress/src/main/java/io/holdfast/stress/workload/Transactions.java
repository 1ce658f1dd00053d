package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.Transaction;
import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// {@link Payments} without a lock: payments are ordered and made in transactions. Some
/// transactions fail in their middle, some drop what their first alternative did, some wait for a
/// payment, and some only look whether the books are right.
///
/// Checked besides, after a kill: nothing is there of a transaction that failed or of an
/// alternative that was dropped (T5), and what a transaction did is there once it has returned,
/// without `sync` (P6). While others work: a body never finds books that are wrong, not even one
/// that is run again for that (T2).
public class Transactions extends Payments {
  /// What a body that fails leaves in no book.
  private static final int NOBODY = Books.ACCOUNTS;

  private static final int MOST = 4;
  private static final int BACKLOG = 100;
  private static final Transaction.Options LOOKING = Transaction.Options.defaults().readOnly();

  private Books books;

  /// A body's own reason to fail.
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Override
  public String name() {
    return "transactions";
  }

  @Override
  public void setUp(Worker worker) {
    books = Books.in(worker.store());
  }

  @Override
  public void work(Worker worker, int thread) {
    RandomGenerator random = worker.random(thread);
    while (true) {
      int payments = 1 + random.nextInt(MOST);
      switch (random.nextInt(10)) {
        case 0, 1 -> order(worker, thread, payments);
        case 2 -> makeWhenThereIsOne(worker, thread);
        case 3 -> makeOrOrder(worker, thread, payments);
        case 4 -> fail(worker.store(), thread, payments);
        case 5, 6, 7 -> look(worker.store(), random.nextInt(Books.ACCOUNTS));
        default -> make(worker, thread, payments);
      }
    }
  }

  /// As one transaction.
  protected <T> T section(Holdfast store, Transaction.Options options, Supplier<T> body) {
    return store.transaction(options, body);
  }

  private <T> T section(Worker worker, Supplier<T> body) {
    return section(worker.store(), Transaction.Options.defaults(), body);
  }

  private void order(Worker worker, int thread, int payments) {
    if (books.inbox().size() < BACKLOG) {
      acknowledgeOrder(worker, thread, section(worker, () -> books.order(thread, payments)));
    }
  }

  private void make(Worker worker, int thread, int payments) {
    List<Payment> made =
        section(
            worker,
            () -> {
              List<Payment> done = new ArrayList<>();
              for (int i = 0; i < payments; i++) {
                done.add(makeNext());
              }
              return done;
            });
    made.forEach(payment -> acknowledgeMade(worker, thread, payment));
  }

  /// @return `null` if there is none
  private Payment makeNext() {
    Payment payment = books.inbox().poll();
    if (payment != null) {
      books.make(payment);
    }
    return payment;
  }

  /// The first thread never waits: it orders what the others wait for.
  private void makeWhenThereIsOne(Worker worker, int thread) {
    if (thread != 0) {
      Payment made = section(worker, this::makeNextOrWait);
      acknowledgeMade(worker, thread, made);
    }
  }

  private Payment makeNextOrWait() {
    Payment payment = makeNext();
    return payment == null ? Transaction.retry() : payment;
  }

  /// Makes a payment if there is one, and orders some else. The first alternative drops what it did
  /// if it finds none.
  private void makeOrOrder(Worker worker, int thread, int payments) {
    long[] ordered = new long[1];
    Payment made =
        section(
            worker,
            () ->
                Transaction.orElse(
                    () -> {
                      long key = Long.MAX_VALUE - thread;
                      books.giro().put(NOBODY, 1L);
                      books.index().put(key, NOBODY);
                      Payment payment = makeNextOrWait();
                      books.giro().remove(NOBODY);
                      books.index().remove(key);
                      return payment;
                    },
                    () -> {
                      ordered[0] = books.order(thread, payments);
                      return null;
                    }));
    if (made == null) {
      acknowledgeOrder(worker, thread, ordered[0]);
    } else {
      acknowledgeMade(worker, thread, made);
    }
  }

  /// Does all kinds of things, and then fails.
  private void fail(Holdfast store, int thread, int payments) {
    try {
      section(
          store,
          Transaction.Options.defaults(),
          () -> {
            books.order(thread, payments);
            for (int i = 0; i < payments; i++) {
              makeNext();
            }
            books.savings().put(NOBODY, 1L);
            books.index().clear();
            books.inbox().add(new Payment(thread, 0, NOBODY, 0));
            throw new Refused();
          });
    } catch (Refused e) {
      // nothing is there of it
    }
  }

  /// One account as a rule, all books now and then.
  private void look(Holdfast store, int account) {
    section(
        store,
        LOOKING,
        () -> {
          if (account == 0) {
            checkAll();
          } else {
            checkAccount(account);
          }
          return null;
        });
  }

  /// For longer than others: a JVM that was just started runs few transactions.
  @Override
  public KillTiming timing() {
    return KillTiming.LONG_WORK;
  }

  private void checkAccount(int account) {
    long giro = books.giro().getOrDefault(account, 0L);
    Thread.yield(); // others come in between
    Integer indexed = books.index().get(Books.place(account, giro));
    long savings = books.savings().getOrDefault(account, 0L);
    Violation.unless(
        giro + savings == 0
            && (giro == 0 ? indexed == null : indexed != null && indexed == account),
        "T2 opaque: a transaction finds an account of two moments: account=%d, giro=%d, savings=%d,"
            + " index=%s",
        account,
        giro,
        savings,
        indexed);
  }

  private void checkAll() {
    long ordered = 0;
    for (long each : books.ordered().values()) {
      ordered += each;
    }
    long waiting = books.inbox().size();
    long made = books.made().size();
    Violation.unless(
        ordered == waiting + made,
        "T2 opaque: a transaction finds books of two moments: ordered=%d, inbox=%d, made=%d",
        ordered,
        waiting,
        made);
  }

  private static void acknowledgeOrder(Worker worker, int thread, long last) {
    worker.acknowledge(ordering(thread), last);
  }

  private static void acknowledgeMade(Worker worker, int thread, Payment payment) {
    if (payment != null) {
      worker.acknowledge(making(thread), payment.key());
    }
  }
}
