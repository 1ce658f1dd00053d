package io.holdfast.core.section;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// What tells programs that something of theirs is durable, or that it never will be known.
///
/// **RECEIPT-1** Each is completed once: when what it is for is durable, or with the region's
/// refusal when that has ended before. Test: ReceiptTest.receipt1AStoreThatEndsTellsThemAll.
///
/// Thread-safe.
final class Receipts {
  private final Set<CompletableFuture<Void>> open = ConcurrentHashMap.newKeySet();

  /// @param whenDurable has an action run when what the receipt is for is durable
  CompletableFuture<Void> add(Consumer<Runnable> whenDurable) {
    CompletableFuture<Void> receipt = new CompletableFuture<>();
    open.add(receipt);
    try {
      whenDurable.accept(
          () -> {
            open.remove(receipt);
            receipt.complete(null);
          });
    } catch (RuntimeException | Error e) {
      open.remove(receipt);
      throw e;
    }
    return receipt;
  }

  /// Completes what is open; who waits for it runs in a thread that holds no lock. If the thread is
  /// refused, what is open stays so for the next call.
  ///
  /// @param refusal made if somebody is to be told
  void refuse(Supplier<? extends RuntimeException> refusal) {
    if (!open.isEmpty()) {
      RuntimeException why = refusal.get();
      Thread.ofVirtual()
          .name("holdfast-receipts")
          .start(
              () -> {
                for (CompletableFuture<Void> receipt : open) {
                  open.remove(receipt);
                  receipt.completeExceptionally(why);
                }
              });
    }
  }
}
