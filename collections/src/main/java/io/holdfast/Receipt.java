package io.holdfast;

import io.holdfast.core.HoldfastException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// Tells when what a thread did is safe: it survives the failure that the store was opened for,
/// whatever operations wait for ({@link Holdfast.Options#acknowledge}).
///
/// Thread-safe.
public final class Receipt {
  private final CompletableFuture<Void> safe;

  Receipt(CompletableFuture<Void> safe) {
    this.safe = safe;
  }

  /// Whether it is safe by now.
  public boolean isSafe() {
    return safe.state() == CompletableFuture.State.SUCCESS;
  }

  /// Waits until it is safe. An interrupt does not end the wait.
  ///
  /// @throws io.holdfast.core.StoreClosedException if the store was closed before that
  /// @throws io.holdfast.core.RegionAccessException if the device has failed: it is not known
  ///   whether it is safe
  public void await() {
    try {
      safe.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof HoldfastException refusal) {
        throw refusal;
      }
      throw e;
    }
  }

  /// Has an action run when it is safe: at once if it is already, else in a thread that runs one
  /// action after the other. It never runs if it can't be known to be safe.
  public void onSafe(Runnable action) {
    safe.thenRun(action);
  }

  /// The same as a future: it ends with `null`, or with what {@link #await} would throw.
  public CompletableFuture<Void> toFuture() {
    return safe.copy();
  }

  @Override
  public String toString() {
    return "Receipt[%s]".formatted(safe.state());
  }
}
