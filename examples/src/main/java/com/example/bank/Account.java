package com.example.bank;

import java.util.Queue;

/// An account. Its balance is the one element of a queue, which is what a store offers for a value
/// that changes.
public final class Account {
  private final Queue<Long> balance;

  /// @param balance holds one number
  public Account(Queue<Long> balance) {
    this.balance = balance;
  }

  public synchronized long balance() {
    return balance.element();
  }

  synchronized void change(long amount) {
    balance.add(balance.remove() + amount);
  }
}
