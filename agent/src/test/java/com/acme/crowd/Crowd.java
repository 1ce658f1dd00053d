package com.acme.crowd;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Virtual threads that wait for each other's monitors, two at a time, and make garbage meanwhile.
public final class Crowd {
  private static final int THREADS = 8;
  private static final int TRANSFERS = 20_000;
  private static final int ACCOUNTS = 8;

  private static final class Account {
    long balance;
    byte[] receipt;
  }

  private final List<Account> accounts = new ArrayList<>();

  private Crowd() {
    for (int i = 0; i < ACCOUNTS; i++) {
      accounts.add(new Account());
    }
  }

  private void transfer(int from, int to) {
    synchronized (accounts.get(Math.min(from, to))) {
      synchronized (accounts.get(Math.max(from, to))) {
        accounts.get(from).balance--;
        accounts.get(to).balance++;
        accounts.get(to).receipt = new byte[1_000];
      }
    }
  }

  private void work(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < TRANSFERS; i++) {
      transfer(random.nextInt(ACCOUNTS), random.nextInt(ACCOUNTS));
    }
  }

  private long sum() {
    return accounts.stream().mapToLong(each -> each.balance).sum();
  }

  public static void main(String[] arguments) throws InterruptedException {
    Crowd crowd = new Crowd();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int seed = i;
      threads.add(Thread.ofVirtual().start(() -> crowd.work(seed)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("sum " + crowd.sum());
  }
}
