package io.holdfast.stress.demo;

import io.holdfast.Holdfast;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/// Lines moved through `Holdfast.atomically`. The locks keep the order of lines; sections they are
/// not.
public final class AtomicLines extends LineWorkload {
  private final Lock feeding = new ReentrantLock();
  private final Lock moving = new ReentrantLock();

  @Override
  public String name() {
    return "atomically";
  }

  @Override
  void feed(Holdfast store, Pipe to, Text from) {
    feeding.lock();
    try {
      store.atomically(() -> to.feed(from));
    } finally {
      feeding.unlock();
    }
  }

  @Override
  Line move(Holdfast store, Pipe through) {
    moving.lock();
    try {
      return store.atomically(through::move);
    } finally {
      moving.unlock();
    }
  }
}
