package com.example.bank;

import java.util.List;

/// Moves money between accounts, two locks at a time, always in the same order.
///
/// Thread-safe.
public final class Bank {
  private final List<Account> accounts;

  public Bank(List<Account> accounts) {
    this.accounts = List.copyOf(accounts);
  }

  /// @return whether there was enough on the first account
  public boolean transfer(int from, int to, long amount) {
    synchronized (accounts.get(Math.min(from, to))) {
      synchronized (accounts.get(Math.max(from, to))) {
        if (accounts.get(from).balance() < amount) {
          return false;
        }
        accounts.get(from).change(-amount);
        accounts.get(to).change(amount);
        return true;
      }
    }
  }

  public int accounts() {
    return accounts.size();
  }
}
