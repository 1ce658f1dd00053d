package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.Resumable;
import io.holdfast.Unfinished;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import io.holdfast.stress.kill.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/// Threads have payments made by a resumable function, whose effects are in two maps and an outbox:
/// with ids, which they use again, and without, at once, behind their back, by schedule, and in
/// sections. One payment of some fails. The next process makes what this one has left.
///
/// Checked after a kill, and again when what was left has been made: the sum of all accounts is 0
/// (P1), each id has been paid once at most and the outbox has a mail for each that was, and only
/// for it (X1, X2), and what returned, or is unfinished, is made in the end (P6, X1).
public class ExactlyOnce implements Workload {
  private static final int ACCOUNTS = 20;
  private static final String NAME = "pay";

  /// A payment of this many fails behind its last store.
  private static final int FAILS = 13;

  /// Why a payment fails. Without a stack: registration tells of each one that is left, and a kill
  /// loop registers after each kill.
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused() {
      super("refused", null, false, false);
    }
  }

  /// @param key a thread's number, below its payment's number
  record Order(long key, int account, int cents) {}

  /// The books.
  private record Paid(
      PersistentHashMap<Integer, Long> accounts,
      PersistentTreeMap<Long, Integer> made,
      PersistentQueue<Long> outbox) {
    static Paid in(Holdfast store) {
      return new Paid(
          store.hashMap("accounts", Integer.class, Long.class),
          store.treeMap("made", Long.class, Integer.class),
          store.queue("outbox", Long.class));
    }

    Long pay(Order order) {
      accounts.merge(order.account(), (long) -order.cents(), Long::sum);
      accounts.merge(ACCOUNTS, (long) order.cents(), Long::sum);
      made.merge(order.key(), 1, Integer::sum);
      outbox.add(order.key());
      if (fails(order.key())) {
        throw new Refused();
      }
      return accounts.get(ACCOUNTS);
    }
  }

  private static boolean fails(long key) {
    return number(key) % FAILS == 0;
  }

  private static long key(int thread, long number) {
    return ((long) thread << 48) + number;
  }

  private static long number(long key) {
    return key & (1L << 48) - 1;
  }

  private Resumable<Order, Long> pay;
  private PersistentHashMap<Integer, Long> next;

  // The model, in the parent.
  private final Set<Long> accepted = new HashSet<>();

  @Override
  public String name() {
    return "exactly-once";
  }

  /// Longer than a loop takes.
  protected Duration idsKeptFor() {
    return Duration.ofDays(1);
  }

  private Resumable<Order, Long> register(Holdfast store, Paid paid) {
    return store.resumable(
        NAME,
        Order.class,
        Long.class,
        Resumable.Options.<Order>defaults()
            .orderedBy(order -> order.key() >> 48)
            .keep(Long.MAX_VALUE, idsKeptFor()),
        paid::pay);
  }

  @Override
  public void setUp(Worker worker) {
    next = worker.store().hashMap("next", Integer.class, Long.class);
    pay = register(worker.store(), Paid.in(worker.store()));
  }

  @Override
  public void work(Worker worker, int thread) {
    RandomGenerator random = worker.random(thread);
    while (true) {
      long number = next.merge(thread, 1L, Long::sum); // one that a kill takes is not used again
      long key = key(thread, number);
      Order order = new Order(key, random.nextInt(ACCOUNTS), 1 + random.nextInt(1_000));
      String id = "payment " + key;
      switch (random.nextInt(6)) {
        case 0 -> attempt(key, () -> pay.run(order));
        case 1 -> pay.submit(id, order);
        case 2 -> attempt(key, () -> worker.store().transaction(() -> pay.run(id, order)));
        case 3 -> worker.store().atomically(() -> pay.submit(id, order));
        case 4 -> pay.at(id, Instant.EPOCH, order);
        default -> {
          attempt(key, () -> pay.run(id, order));
          attempt(key, () -> pay.run(id, order));
        }
      }
      worker.acknowledge(thread, key);
    }
  }

  private static void attempt(long key, Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      if (!fails(key) || e.getMessage() == null || !e.getMessage().contains("refused")) {
        throw e;
      }
    }
  }

  @Override
  public KillTiming timing() {
    return KillTiming.ACKNOWLEDGED_WORK;
  }

  @Override
  public void acknowledged(int channel, long key) {
    accepted.add(key);
  }

  @Override
  public void check(Holdfast store, int lives) {
    Paid paid = Paid.in(store);
    List<Unfinished> left = store.unfinished();
    Set<Long> leftKeys = new HashSet<>();
    for (Unfinished each : left) {
      long key = (Long) ((Map<?, ?>) each.argument()).get("key");
      leftKeys.add(key);
      Violation.unless(
          !paid.made().containsKey(key), "X1 once: a payment is made and unfinished: key=%d", key);
    }
    Violation.unless(
        leftKeys.size() == left.size(),
        "CALL-2: calls have one id: calls=%d, ids=%d",
        left.size(),
        leftKeys.size());
    checkBooks(paid);
    register(store, paid); // makes what is left, and what is scheduled
    for (long key : accepted) {
      Violation.unless(
          fails(key) || paid.made().containsKey(key),
          "X1 accepted, P6 acknowledged: a payment is gone: key=%d",
          key);
    }
    Violation.unless(
        store.unfinished().isEmpty(), "X1: calls stay unfinished: %s", store.unfinished());
    for (long key : leftKeys) {
      Violation.unless(
          fails(key) != paid.made().containsKey(key),
          "X1 accepted: what was left has not been made: key=%d",
          key);
    }
    checkBooks(paid);
  }

  private static void checkBooks(Paid paid) {
    long sum = paid.accounts().values().stream().mapToLong(each -> each).sum();
    Violation.unless(sum == 0, "P1 atomic: the sum of all accounts: found=%d, expected=0", sum);
    Map<Long, Long> mails = new HashMap<>();
    for (long key : paid.outbox()) {
      mails.merge(key, 1L, Long::sum);
    }
    paid.made()
        .forEach(
            (key, times) ->
                Violation.unless(
                    times == 1 && !fails(key) && mails.getOrDefault(key, 0L) == 1,
                    "X1 once: a payment: key=%d, made=%d, mails=%s, fails=%s",
                    key,
                    times,
                    mails.get(key),
                    fails(key)));
    Violation.unless(
        mails.size() == paid.made().size(),
        "X2 atomic: mails=%d, payments=%d",
        mails.size(),
        paid.made().size());
  }
}
