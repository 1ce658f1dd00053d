package io.holdfast.stress.example;

import com.example.bank.Account;
import com.example.bank.Bank;
import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.random.RandomGenerator;

/// Money is moved between accounts. Checked: there is as much as there was, and each account has
/// one balance, which is not negative.
public final class BankExample extends Example {
  private static final int ACCOUNTS = 8;
  private static final long OPENING_BALANCE = 1_000;

  private Bank bank;

  public BankExample() {
    super("bank");
  }

  private static List<PersistentQueue<Long>> balances(Holdfast store) {
    return names("balance", ACCOUNTS).stream().map(each -> store.queue(each, Long.class)).toList();
  }

  @Override
  Probe<?> tryOut() {
    Probe<Long> from = new Probe<>();
    Probe<Long> to = new Probe<>();
    from.add(1L);
    to.add(1L);
    new Bank(List.of(new Account(from), new Account(to))).transfer(0, 1, 1);
    return to;
  }

  @Override
  void fill(Worker worker) {
    List<Account> accounts = new ArrayList<>();
    for (Queue<Long> balance : balances(worker.store())) {
      if (balance.isEmpty()) {
        balance.add(OPENING_BALANCE);
      }
      accounts.add(new Account(balance));
    }
    bank = new Bank(accounts);
  }

  @Override
  public void work(Worker worker, int thread) {
    RandomGenerator random = worker.random(thread);
    while (true) {
      int from = random.nextInt(ACCOUNTS);
      int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
      bank.transfer(from, to, 1 + random.nextInt(300));
    }
  }

  @Override
  public void check(Holdfast store, int lives) {
    long sum = 0;
    int opened = 0;
    for (PersistentQueue<Long> balance : balances(store)) {
      long size = balance.validate();
      Violation.unless(size <= 1, "P1 atomic: an account has several balances: %s", balance);
      if (size == 1) {
        Violation.unless(balance.element() >= 0, "P1 atomic: overdrawn: %s", balance);
        sum += balance.element();
        opened++;
      }
    }
    Violation.unless(
        opened == 0 || opened == ACCOUNTS && sum == ACCOUNTS * OPENING_BALANCE,
        "P1 atomic: money was made or lost: accounts=%d, found=%d, expected=%d",
        opened,
        sum,
        ACCOUNTS * OPENING_BALANCE);
  }
}
