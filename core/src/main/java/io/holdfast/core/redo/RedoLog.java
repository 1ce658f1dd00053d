package io.holdfast.core.redo;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.disk.Blocks;
import io.holdfast.core.persistence.LoggedDisk;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// Makes stores durable for all who wait: one of them leads, gathers the stores of an epoch ({@link
/// RedoStreams}), and appends them to the log by one write, which waits for the device ({@link
/// BatchLog}). Who comes meanwhile waits for the next one.
///
/// - **ACK-1** {@link #await} returns only after the write of a batch that has the caller's stores.
///   Test: RedoLogTest.ack1NobodyReturnsBeforeTheWrite.
/// - **ACK-3** Virtual threads park, and never lead: a thread of the log's own does it for them. A
///   carrier that waits for a device is one that runs nobody. Test:
///   RedoLogTest.ack3VirtualThreadsDoNotLead.
/// - **ACK-4** Who waits is woken when it is served, or when it is to lead. Who takes the list, and
///   puts back those that are not served, looks then whether they are by now. Between a look at
///   what is durable and parking nobody waits for anything else, which would take the wake-up: for
///   no lock either. Test: RedoLogTest.ack4WhoIsServedIsWoken.
/// - **STALL-1** Where the log has room for little more than a checkpoint needs, and a copy that
///   keeps the checkpoint waiting, only these lead, and the streams' room is given to nobody: so
///   they always come to their end. Tests: RedoLogTest.stall1AFullLogWaitsForTheCheckpoint,
///   RedoLogTest.stall1ACopyDoesNotWaitForTheCheckpoint.
///
/// A failure is final, whatever its kind: it is told to everybody who waits and who comes later.
///
/// **ACK-5** An error of the JVM may strike anywhere, at the end of a stack, too, where no call is
/// possible. So what lets others go on is a store to a field; and who waits looks for itself each
/// second, since its wake-up may be lost. Test:
/// FailuresTest.ack5WhatFailsInTheLogsThreadsIsToldToAll.
///
/// Thread-safe.
final class RedoLog implements RedoStreams.Drain {
  private static final long NAP_NANOS = 50_000;
  private static final long LOOK_NANOS = 1_000_000_000;
  private static final VarHandle LEADING = leadingHandle();

  /// What nobody waits for is durable so much later at most, and the time that a write takes.
  static final long LAG_NANOS = 50_000_000;

  private final BatchLog log;
  private final RedoStreams streams;
  private final BatchPacker packer = new BatchPacker();
  private final AtomicReference<Waiter> waiters = new AtomicReference<>();
  private final Thread writer;
  private final Checkpoint checkpoint;
  private final LoggedDisk domain;

  /// Whether somebody leads.
  private volatile boolean leading;

  private volatile long durable;
  private volatile boolean closed;

  /// Whether there is something to be written that nobody may wait for.
  private volatile boolean isOwed;

  /// Whether a stream is to be emptied before it is full.
  private volatile boolean isDrained;

  /// Since when the log is full; 0 if it is not.
  private volatile long fullSince;

  /// All that are told which pages batches name; the leader's.
  private final List<NamedPages> followers = new ArrayList<>();

  /// One more than the last page that a record has named; changed by the leader.
  private volatile int pagesEnd;

  /// Since the image was mapped: the pages that are memory of this process's own.
  private final NamedPages own;

  /// How many of them are to be.
  private volatile int ownMax;

  private static final class Waiter {
    final Thread thread = Thread.currentThread();
    final long epoch;
    Waiter next;

    Waiter(long epoch) {
      this.epoch = epoch;
    }
  }

  /// @param live without a record
  /// @param pages that differ from what the region's file has of them, by the log's batches
  /// @param target to what checkpoints write
  /// @param ownMax how many pages may differ from what was mapped, before {@link
  ///   Checkpoint.Target#renew} is called
  /// @param domain counts the writes that waited for the device
  RedoLog(
      BatchLog log,
      MemorySegment live,
      String name,
      BitSet pages,
      Checkpoint.Target target,
      int ownMax,
      LoggedDisk domain) {
    this.log = log;
    this.streams = new RedoStreams(live, this);
    this.durable = streams.epoch() - 1;
    this.own = new NamedPages((BitSet) pages.clone());
    this.ownMax = ownMax;
    this.pagesEnd = pages.length();
    NamedPages unwritten = new NamedPages(pages);
    followers.add(own);
    followers.add(unwritten);
    this.domain = domain;
    this.checkpoint = new Checkpoint(this, target, unwritten);
    this.writer = daemon("holdfast-log-" + name, this::lead);
    boolean isWhole = false;
    try {
      checkpoint.start(name);
      isWhole = true;
    } finally {
      closed = !isWhole; // or the writer would stay
    }
  }

  private static VarHandle leadingHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(RedoLog.class, "leading", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static Thread daemon(String name, Runnable work) {
    return Thread.ofPlatform().daemon().name(name).start(work);
  }

  RedoStreams streams() {
    return streams;
  }

  BatchLog log() {
    return log;
  }

  /// Waits until all is durable that this thread has stored, and all that it has seen. An interrupt
  /// does not end the wait.
  ///
  /// @throws RegionAccessException if the device has failed, now or before
  void await() {
    await(streams.epoch());
  }

  private void await(long epoch) {
    boolean interrupted = false;
    boolean listed = false;
    boolean mayLead = !Thread.currentThread().isVirtual();
    try {
      while (durable < epoch) {
        check();
        if (closed) {
          return; // what was stored before that is durable
        }
        if (mayLead && leads()) {
          continue;
        }
        if (listed) {
          LockSupport.parkNanos(this, LOOK_NANOS);
          interrupted |= Thread.interrupted();
          listed = false; // a thread that was cut off may have taken it off the list (ACK-5)
        } else {
          list(new Waiter(epoch)); // and looks again, or the wake-up could have been before it
          listed = true;
          if (!mayLead) {
            LockSupport.unpark(writer);
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// As {@link #await}, with the reserve: for who holds the checkpoint up, and where there is none
  /// any more.
  void awaitWithReserve() {
    long epoch = streams.epoch();
    while (durable < epoch) {
      check();
      if (!leadsAny()) {
        LockSupport.parkNanos(this, NAP_NANOS);
      }
    }
  }

  private void list(Waiter waiter) {
    waiters.getAndUpdate(
        first -> {
          waiter.next = first;
          return waiter;
        });
  }

  private void check() {
    RegionAccessException refusal = failure();
    if (refusal != null) {
      throw refusal;
    }
  }

  /// What is to be thrown; `null` if nothing has failed.
  RegionAccessException failure() {
    return streams.hasFailed() ? refusal(streams.failure) : null;
  }

  private RegionAccessException refusal(Throwable cause) {
    return new RegionAccessException(
        "%s: the log could not be written, and it is not known what of it is durable: %s. Close the store and open it again; opening recovers what was durable"
            .formatted(log, cause),
        cause);
  }

  /// Has what was stored so far be durable within {@link #LAG_NANOS}, as a rule.
  void writeSoon() {
    if (!isOwed) {
      isOwed = true;
      LockSupport.unpark(writer);
    }
    check();
  }

  /// The writer's work: to lead where nobody else may, or does.
  private void lead() {
    while (!closed) {
      try {
        leadOn();
      } catch (Throwable e) {
        streams.failure = e; // and everybody is told at the next look
      }
    }
  }

  private void leadOn() {
    boolean wasOwed = isOwed;
    LockSupport.parkNanos(this, wasOwed ? LAG_NANOS : LOOK_NANOS);
    if (streams.hasFailed()) {
      wake();
      return;
    }
    while ((waiters.get() != null || isDrained) && !streams.hasFailed() && !closed && leads()) {
      // for the next ones
    }
    if (wasOwed && !closed) {
      isOwed = false; // and then gathers
      if (!leads()) {
        isOwed = true;
      }
    }
  }

  /// Has a batch written, unless somebody does already, or the log has no room.
  private boolean leads() {
    boolean isStalled = isStalled();
    if (isStalled && fullSince == 0) {
      fullSince = System.nanoTime();
    }
    if (isStalled || log.bytesInUse() > enough(log) || hasTooManyOwn()) {
      checkpoint.request();
    }
    return !isStalled && leadsAny();
  }

  boolean isStalled() {
    return isStalled(log, pagesEnd);
  }

  static boolean isStalled(BatchLog log, int pagesEnd) {
    return log.bytesInUse() > most(log, pagesEnd);
  }

  /// STALL-1. A copy, a checkpoint, and another one if the first leaves the log stalled, append no
  /// more than the streams have; in two batches, and in one for each {@link Checkpoint#PAGES} pages
  /// that each of the two writes: those that records name, of the ring together and of the streams.
  /// A batch may leave a rest before the ring's end, and this one is not appended yet.
  ///
  /// @param pagesEnd one more than the last page that a record has named
  private static int most(BatchLog log, int pagesEnd) {
    int ring = log.ringBytes();
    int records = RedoStreams.BYTES / RedoRecord.UNIT_BYTES;
    long pages = Math.min(ring / RedoRecord.UNIT_BYTES, 2L * pagesEnd) + 2 * records;
    int batches = 4 + (int) (pages / Checkpoint.PAGES);
    return ring - 3 * RedoStreams.BYTES - batches * Blocks.BYTES;
  }

  /// Where a checkpoint begins.
  private static int enough(BatchLog log) {
    return log.ringBytes() / 2;
  }

  /// Whether the log may be stalled soon: it is halfway there from where a checkpoint begins.
  boolean isStalledSoon() {
    return log.bytesInUse() > (enough(log) + most(log, pagesEnd)) / 2;
  }

  private boolean leadsAny() {
    if (!LEADING.compareAndSet(this, false, true)) {
      return false;
    }
    try {
      write();
    } catch (Throwable e) {
      streams.failure = e; // LATCH-1
    } finally {
      leading = false;
    }
    wake();
    return true;
  }

  private void write() {
    if (streams.hasFailed()) {
      return;
    }
    isDrained = false;
    ByteBuffer payload = log.payload();
    long epoch = streams.gather(payload, this::note);
    packer.pack(payload);
    if (payload.position() > 0) {
      int bytes = payload.position();
      log.append(epoch, true);
      domain.written(bytes);
    }
    durable = epoch;
    streams.written(epoch, log.mark().number());
    if (!isStalled()) {
      streams.free();
    }
  }

  private void note(long page) {
    if (page >= pagesEnd) {
      pagesEnd = (int) page + 1;
    }
    for (NamedPages each : followers) {
      each.note((int) page);
    }
  }

  /// Wakes who is served, and the next leader if anybody is not.
  private void wake() {
    long served;
    boolean failed;
    Thread leader;
    do {
      served = durable;
      failed = streams.hasFailed();
      leader = wake(waiters.getAndSet(null), served, failed);
      // ACK-4: who was taken off the list was not there for others to find.
    } while (leader != null && (durable != served || failed != streams.hasFailed()));
    LockSupport.unpark(leader);
  }

  /// @return who is to lead for those that are not served; `null` if all are
  private Thread wake(Waiter first, long served, boolean failed) {
    Thread leader = null;
    Waiter waiter = first;
    while (waiter != null) {
      Waiter next = waiter.next;
      if (failed || served >= waiter.epoch) {
        LockSupport.unpark(waiter.thread);
      } else {
        list(waiter);
        leader = !waiter.thread.isVirtual() ? waiter.thread : leader == null ? writer : leader;
      }
      waiter = next;
    }
    return leader;
  }

  /// How long the log has been full by now (STALL-1): all who change something wait. For the
  /// checkpoint, which ends that.
  long nanosFull() {
    long since = fullSince;
    fullSince = 0;
    return since == 0 ? 0 : System.nanoTime() - since;
  }

  /// A checkpoint has ended: who was kept from leading may.
  void resume() {
    wake();
    LockSupport.unpark(writer);
  }

  @Override
  public void drainSoon() {
    check();
    if (closed) {
      throw new StoreClosedException("%s: the store is closed. Open it again".formatted(log));
    }
    isDrained = true; // by who has no ticket (STREAM-2)
    LockSupport.unpark(writer);
  }

  /// Whether the image has more pages of its own than it may.
  boolean hasTooManyOwn() {
    return own.count() > ownMax;
  }

  int own() {
    return own.count();
  }

  void allowOwn(int most) {
    ownMax = most;
  }

  /// The image was mapped anew, and pages were copied to that. For the leader.
  void renewed(BitSet pages, BitSet more) {
    pages.or(more);
    own.take();
    pages.stream().forEach(own::note);
  }

  /// What a checkpoint, or a copy, begins with: where replay has to begin once it has ended, and
  /// the pages that it has to write.
  record Begin(Mark start, BitSet pages) {}

  /// Between two batches. When it returns, the image has every store that the batches before have
  /// (CHECK-4).
  ///
  /// @param named of which the pages are taken
  Begin begin(NamedPages named) {
    long[][] gathered = new long[1][];
    Begin begin =
        betweenBatches(
            () -> {
              gathered[0] = streams.gathered();
              return new Begin(log.mark(), named.take());
            });
    while (!betweenBatches(() -> streams.haveLanded(gathered[0]))) {
      check();
      LockSupport.parkNanos(this, NAP_NANOS);
    }
    return begin;
  }

  /// @return what is told from now on which pages batches name
  NamedPages follow() {
    NamedPages follower = new NamedPages(new BitSet());
    betweenBatches(() -> followers.add(follower));
    return follower;
  }

  void unfollow(NamedPages follower) {
    betweenBatches(() -> followers.remove(follower));
  }

  /// For who may do between two batches what keeps all others from their next one.
  <T> T betweenBatches(Supplier<T> action) {
    while (!LEADING.compareAndSet(this, false, true)) {
      LockSupport.parkNanos(this, NAP_NANOS);
    }
    try {
      return action.get();
    } finally {
      leading = false;
      wake();
    }
  }

  /// Has something done while no checkpoint moves the log's beginning.
  <T> T withoutCheckpoints(Checkpoint.Held<T> action) throws IOException {
    return checkpoint.hold(action);
  }

  void fail(Throwable cause) {
    if (!streams.hasFailed()) {
      streams.failure = cause;
    }
    wake();
  }

  /// Has all that was stored be in the region's file, durably.
  void checkpoint() {
    await();
    checkpoint.run();
  }

  /// Ends checkpoints: the image is about to go.
  void endCheckpoints() {
    checkpoint.stop();
  }

  /// Makes what was stored so far durable, and lets go of the log. Nobody stores any more.
  void close() {
    try {
      if (!streams.hasFailed()) {
        awaitWithReserve();
      }
    } finally {
      closed = true;
      LockSupport.unpark(writer);
      log.close();
    }
  }
}
