package io.holdfast.jmh.map;

import io.holdfast.DurableLock;
import io.holdfast.Holdfast;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/// Opens accounts, one hash map for {@link Transfers} within it, by the names that benchmarks have
/// for the ways to make a transfer atomic and isolated. Threads share them.
public final class Accounts {
  /// In `transaction`.
  public static final String TRANSACTION = Maps.HOLDFAST;

  /// In `atomically` under a lock of the JDK's, one for all.
  public static final String UNDER_LOCK = "HoldfastUnderLock";

  /// Under a `DurableLock`, one for all.
  public static final String UNDER_DURABLE_LOCK = "HoldfastUnderDurableLock";

  /// Those that need no peer.
  public static final List<String> OWN = List.of(TRANSACTION, UNDER_LOCK, UNDER_DURABLE_LOCK);

  /// In the order of reports.
  public static final List<String> ALL =
      List.of(TRANSACTION, UNDER_LOCK, UNDER_DURABLE_LOCK, Maps.H2_MV_STORE, Maps.ROCKSDB);

  private Accounts() {}

  /// Creates accounts in a directory, which exists.
  public static Transfers create(String name, Path directory, long entries) {
    return switch (name) {
      case TRANSACTION -> new HoldfastAccounts(directory, entries, store -> store::transaction);
      case UNDER_LOCK -> new HoldfastAccounts(directory, entries, Accounts::underLock);
      case UNDER_DURABLE_LOCK -> {
        Lock lock = new DurableLock();
        yield new HoldfastAccounts(directory, entries, _ -> body -> under(lock, body));
      }
      default -> Maps.requirePeers(name).createAccounts(name, directory, entries);
    };
  }

  private static HoldfastAccounts.Section underLock(Holdfast store) {
    Lock lock = new ReentrantLock();
    return body -> under(lock, () -> store.atomically(body));
  }

  private static void under(Lock lock, Runnable body) {
    lock.lock();
    try {
      body.run();
    } finally {
      lock.unlock();
    }
  }
}
