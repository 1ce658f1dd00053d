package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Worker;
import io.holdfast.stress.kill.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// A program over all kinds of collections: its threads order payments, which go through a queue,
/// and make them, in sections of one to some hundreds. A payment moves money between two maps, and
/// keeps the index of one and the list of what was made. The lock of its account is given up while
/// the section goes on, so that sections depend on each other, in rings too.
///
/// Checked: a payment that was ordered is in the inbox or made, exactly once (P1, P2); the accounts
/// are those of the payments made (P1); the index is that of its map (P1, P2); nothing is gone that
/// was acknowledged after `sync` (P6).
///
/// One kill of three strikes while the store is opened: recovery is killed, and the next one.
public class Payments implements Workload {
  private static final int SOME = 3;
  private static final int MANY = 300;
  private static final int BACKLOG = 400;

  private final List<Lock> locks = Books.locks();
  private Books books;

  // The model, in the parent.
  private final Acknowledged acknowledged = new Acknowledged();

  @Override
  public String name() {
    return "payments";
  }

  @Override
  public void setUp(Worker worker) {
    books = Books.in(worker.store());
  }

  @Override
  public void work(Worker worker, int thread) {
    RandomGenerator random = worker.random(thread);
    while (true) {
      int payments = 1 + random.nextInt(random.nextInt(50) == 0 ? MANY : SOME);
      boolean tells = random.nextInt(6) == 0;
      if (random.nextBoolean() && books.inbox().size() < BACKLOG) {
        long last = section(worker.store(), () -> books.order(thread, payments));
        if (tells) {
          worker.store().sync();
          worker.acknowledge(ordering(thread), last);
        }
      } else {
        List<Payment> done = section(worker.store(), () -> make(payments));
        if (tells) {
          worker.store().sync();
          done.forEach(payment -> worker.acknowledge(making(thread), payment.key()));
        }
      }
    }
  }

  /// The channel of a thread's orders.
  static int ordering(int thread) {
    return 2 * thread;
  }

  /// The channel of the payments that a thread has made.
  static int making(int thread) {
    return 2 * thread + 1;
  }

  protected <T> T section(Holdfast store, Supplier<T> action) {
    return store.atomically(action);
  }

  private List<Payment> make(int most) {
    List<Payment> done = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      Payment payment = books.makeNext(locks);
      if (payment == null) {
        break;
      }
      done.add(payment);
    }
    return done;
  }

  /// What the workers have acknowledged so far, in the parent.
  final Acknowledged acknowledged() {
    return acknowledged;
  }

  @Override
  public KillTiming timing() {
    return KillTiming.WORK_AND_OPENING;
  }

  @Override
  public void acknowledged(int channel, long number) {
    if (channel % 2 == 0) {
      acknowledged.ordered().put(channel / 2, number);
    } else {
      acknowledged.made().add(number);
    }
  }

  @Override
  public void check(Holdfast store, int lives) {
    BooksCheck.check(Books.in(store), acknowledged);
  }
}
