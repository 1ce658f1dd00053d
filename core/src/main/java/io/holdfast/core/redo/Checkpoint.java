package io.holdfast.core.redo;

import io.holdfast.core.RegionFullException;
import io.holdfast.core.memory.RegionLayout;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.concurrent.locks.LockSupport;

/// Writes what the log has to the region's file, so that the log's beginning can be used again:
/// while others store, and one at a time.
///
/// - **WAL-1** No image of a page gets to the file before the log is durable up to the newest store
///   in it: the epoch is read after the copy, and waited for before the write. The system has
///   nothing of the image that it could write by itself. Test:
///   RedoLogTest.wal1WhatIsCopiedIsInTheLogFirst.
/// - **CHECK-1** A page may be newer than where replay begins. Replay stores the last value of each
///   word that has changed since, and the others are the same. So nobody is held, and a page of
///   which the device has some sectors alone is harmless: replay covers every byte that differs.
/// - **CHECK-2** A copy that tears a word under a store is repaired by that store's record, which
///   WAL-1 has made durable.
/// - **CHECK-4** A page is copied when the image has every store that the batches before START
///   have: a thread that was kept from its processor between its record and its store would have
///   its store in neither the file nor the log. Test:
///   RedoLogTest.check4WhatIsLoggedAndNotYetStoredIsWaitedFor.
/// - **CHECK-3** The log's beginning moves only after a sync of the file. Test:
///   RedoLogTest.wal1WhatIsCopiedIsInTheLogFirst.
final class Checkpoint {
  /// Pages that are copied at a time: 4 MiB.
  static final int PAGES = 1024;

  /// A log is doubled by each checkpoint up to this: what is in it is replayed in less than a
  /// second.
  private static final int LOG_BYTES_MAX = 1 << 26;

  private final RedoLog log;
  private final Target target;
  private final NamedPages unwritten;
  private Thread thread;
  private volatile boolean requested;
  private volatile boolean stopped;

  /// The region's file, and its image.
  interface Target {
    /// Appends a page of the image to a buffer.
    void copy(long page, ByteBuffer into);

    /// Writes pages to the file, which is durable with the next {@link #force}.
    void write(long page, ByteBuffer from) throws IOException;

    /// Writes to the file, as pages, how far its log must reach from now on: REACH-1.
    void mustReach(Mark mark) throws IOException;

    void force() throws IOException;

    /// Behind a checkpoint, where the image has more pages of its own than it may ({@link
    /// RedoLog#hasTooManyOwn}): has it have fewer.
    ///
    /// @param unwritten the pages that may differ from what the file has of them; the leader's
    /// @return for how long stores were held, in nanoseconds
    long renew(RedoLog log, NamedPages unwritten);
  }

  /// @param unwritten the pages that may differ from what the file has of them; the leader's
  Checkpoint(RedoLog log, Target target, NamedPages unwritten) {
    this.log = log;
    this.target = target;
    this.unwritten = unwritten;
  }

  void start(String name) {
    thread = RedoLog.daemon("holdfast-checkpoint-" + name, this::runWhenAsked);
  }

  /// Has one be made soon.
  void request() {
    if (!requested) {
      requested = true;
      LockSupport.unpark(thread);
    }
  }

  /// Makes no more, and gives up one that is under way: none is begun when this returns.
  void stop() {
    stopped = true;
    synchronized (this) {
      LockSupport.unpark(thread); // with no checkpoint under way
    }
  }

  private void runWhenAsked() {
    while (!stopped) {
      try {
        if (requested) {
          run(true);
          requested = false;
          log.resume();
        } else {
          LockSupport.park(this);
        }
      } catch (Throwable e) {
        log.streams().failure = e; // ACK-5: the writer tells of it
        requested = false;
      }
    }
  }

  /// Makes one. When it returns, the file has all that was stored before, durably.
  ///
  /// @throws io.holdfast.core.RegionAccessException if the device has failed, now or before. Test:
  ///   DiskFailureTest.whatReturnedIsThereBehindEachFailedCall
  void run() {
    run(false);
  }

  private synchronized void run(boolean isPaced) {
    if (stopped) {
      return;
    }
    CheckpointEvent event = new CheckpointEvent();
    event.begin();
    try {
      RedoLog.Begin begin = log.begin(unwritten);
      if (write(begin.pages(), isPaced)) {
        target.force();
        log.log().moveStart(begin.start()); // CHECK-3
        growLog();
        if (log.hasTooManyOwn()) {
          event.heldNanos = target.renew(log, unwritten);
        }
      }
      event.log = log.log().toString();
      event.bytes = (long) begin.pages().cardinality() * RegionLayout.PAGE_BYTES;
      event.stalledNanos = log.nanosFull();
      event.commit();
    } catch (IOException e) {
      log.fail(e);
      throw log.failure();
    }
  }

  /// What is done while there is no checkpoint.
  interface Held<T> {
    T run() throws IOException;
  }

  synchronized <T> T hold(Held<T> action) throws IOException {
    return action.run();
  }

  /// So that checkpoints are rare where much is stored, and logs small where little is.
  private void growLog() {
    int longer = 2 * log.log().ringBytes();
    try {
      if (longer <= LOG_BYTES_MAX && requested) {
        log.log().grow(longer);
      }
    } catch (RegionFullException e) {
      System.getLogger("io.holdfast")
          .log(Level.DEBUG, "no room for a longer log", e); // it goes on with this one
    }
  }

  /// @return whether all were written
  private boolean write(BitSet pages, boolean isPaced) throws IOException {
    int most = Math.min(PAGES, pages.cardinality());
    ByteBuffer copies = ByteBuffer.allocateDirect(most * RegionLayout.PAGE_BYTES);
    int page = pages.nextSetBit(0);
    while (page >= 0) {
      if (stopped) {
        return false;
      }
      copies.clear();
      BitSet copied = new BitSet();
      int first = page;
      for (; page >= 0 && copies.hasRemaining(); page = pages.nextSetBit(page + 1)) {
        target.copy(page, copies);
        copied.set(page - first);
      }
      log.awaitWithReserve(); // WAL-1
      Mark reach = log.log().mark();
      long started = System.nanoTime();
      writeRuns(first, copied, copies);
      target.mustReach(reach);
      if (isPaced) {
        target.force();
        pace(System.nanoTime() - started);
      }
    }
    return true;
  }

  /// Leaves the device to the log for as long as it has just been taken from it, unless the log is
  /// about to be full.
  private void pace(long nanos) {
    if (!log.isStalledSoon()) {
      LockSupport.parkNanos(this, nanos);
    }
  }

  /// One write for pages that follow one another.
  private void writeRuns(int first, BitSet copied, ByteBuffer copies) throws IOException {
    int at = 0;
    for (int from = copied.nextSetBit(0); from >= 0; ) {
      int to = copied.nextClearBit(from);
      int end = at + (to - from) * RegionLayout.PAGE_BYTES;
      copies.limit(end).position(at);
      target.write((long) first + from, copies);
      at = end;
      from = copied.nextSetBit(to);
    }
  }
}
