package io.holdfast.core.disk;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/// Runs every task in the thread that brings it, before `execute` returns.
final class CallingThread extends AbstractExecutorService {
  @Override
  public void execute(Runnable task) {
    task.run();
  }

  @Override
  public void shutdown() {
    // there is no thread to end
  }

  @Override
  public List<Runnable> shutdownNow() {
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return true;
  }
}
