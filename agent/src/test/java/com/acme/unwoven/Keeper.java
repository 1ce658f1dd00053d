package com.acme.unwoven;

/// Takes its monitor for others. In no test's scope.
public class Keeper {
  public synchronized void keep(Runnable body) {
    body.run();
  }
}
