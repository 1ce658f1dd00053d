package io.holdfast.core.persistence;

import io.holdfast.core.RegionAccessException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Syncs a device for all who wait: a thread that comes while a sync is under way waits for the
/// next one, which one of those who wait then does for all of them.
///
/// **GROUP-1** A sync serves those alone who came before it began.
///
/// **GROUP-2** A failure is final, whatever its kind: it is told to everybody who waits and who
/// comes later, because after a sync that failed the next one succeeds though the data are lost
/// (FACTS 4). A sync that did not return has served nobody.
///
/// Thread-safe; waiting is not ended by an interrupt.
final class GroupSync {
  private final DeviceSync device;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition synced = lock.newCondition();
  private long begun;
  private long done;
  private boolean syncing;
  private Throwable failure;

  GroupSync(DeviceSync device) {
    this.device = device;
  }

  /// Waits until everything is durable that was written before.
  ///
  /// @throws RegionAccessException if the device has failed, now or before
  void await() {
    lock.lock();
    try {
      long mine = begun + 1;
      while (done < mine && failure == null) {
        if (syncing) {
          synced.awaitUninterruptibly();
        } else {
          lead();
        }
      }
      if (failure != null) {
        throw new RegionAccessException(
            "%s: the device failed to make data durable, and does not say which: %s. Close the store and open it again; opening recovers what was durable"
                .formatted(device, failure),
            failure);
      }
    } finally {
      lock.unlock();
    }
  }

  private void lead() {
    syncing = true;
    begun++;
    lock.unlock();
    Throwable failed = null;
    try {
      device.sync();
    } catch (Throwable e) {
      failed = e; // GROUP-2. Test: DeviceTest.anErrorIsAFailureToo.
    }
    lock.lock();
    syncing = false;
    if (failed == null) {
      done = begun;
    } else {
      failure = failed;
    }
    synced.signalAll();
  }
}
