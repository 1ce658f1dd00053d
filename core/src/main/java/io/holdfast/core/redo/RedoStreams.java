package io.holdfast.core.redo;

import io.holdfast.core.StoreClosedException;
import io.holdfast.core.memory.RegionLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;

/// The stores to a region that no batch of its log has yet, in the order in which they were made.
///
/// Sixteen rings of records ({@link RedoRecord}); which one a store's is goes by its page. A thread
/// takes room in a ring by its ticket, the units that were ever taken there before; then it reads
/// the epoch; then it writes the record, the head last, with release; and then alone it stores to
/// the region ({@link RedoMemory}), and notes in the head that it has. One thread at a time, the
/// leader, gathers an epoch.
///
/// - **REDO-1** A record is published before its store can be seen. Tests:
///   RedoStreamsTest.cut1WhatHappenedBeforeIsIn, SeenInARegion.
/// - **REDO-2** Ticket, then epoch, then record. The leader raises the epoch, then reads all
///   tickets, then records, and takes those of the epoch that it has ended. Tests:
///   RedoStreamsTest.redo2NoStoreIsLost, CutOfARegion.
/// - **REDO-3** Records of a page are in one stream. Stores to one word that happen after one
///   another have tickets in that order.
/// - **CUT-1** What the batches up to an epoch contain is closed under happens-before. Let a store
///   `a` happen before `b`, and `b`'s record be in. Its thread read the epoch after its ticket, and
///   that after `a`'s record was published (REDO-1): so the leader, who read all tickets after it
///   had raised the epoch, has found `a`'s, whose epoch is no later. Test:
///   RedoStreamsTest.cut1WhatHappenedBeforeIsIn.
/// - **STREAM-1** Room is used again when a batch with what was there is durable, the store is
///   made, and after it was zeroed: so a word that is not 0 where a head is to be is one, and a
///   record whose store is under way is here ({@link #haveLanded}, {@link #hold}). Test:
///   RedoLogTest.stream1WhatIsBeingWrittenIsInItsStream.
/// - **STREAM-2** Who has a ticket is writing its record, or waits for room; the second goes by the
///   ticket alone, and so the leader, who lets nobody have room meanwhile, knows which. For the
///   first it waits; so it has no ticket itself. Test: RedoLogTest.stream2WhoHasATicketDoesNotLead.
/// - **STREAM-3** Behind the first {@link #failure} no store is taken. A store that was refused, or
///   whose record is there and it is not, is so the last one of its thread, and of each that has
///   seen what that left behind: as in a crash, whatever they do to clean up. Test:
///   RedoMemoryTest.stream3NothingIsStoredBehindAFailure.
final class RedoStreams {
  static final int COUNT = 16;
  static final int RING_BYTES = 1 << 15;
  static final int RING_UNITS = RING_BYTES / RedoRecord.UNIT_BYTES;
  private static final int MASK = RING_BYTES - 1;

  /// All that a batch can have.
  static final int BYTES = COUNT * RING_BYTES;

  /// A ticket that is no more than this above what is free has room for any record.
  private static final int ROOM = RING_UNITS - RedoRecord.UNITS_MAX;

  /// Who comes to it has the stream emptied, before anybody has to wait for that.
  private static final int HALF = RING_UNITS / 2;

  /// Who finds no room looks again so much later.
  private static final long NAP_NANOS = 50_000;

  /// Longs of a cache line: the numbers of two streams are in two.
  private static final int APART = 8;

  static final VarHandle WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
  private static final VarHandle NUMBERS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle FAILURE = failureHandle();

  /// So often a record is looked for while the store is closed: a second at least.
  private static final int AWAITED = 20_000;

  private static VarHandle failureHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(RedoStreams.class, "failure", Throwable.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Whether no record is here: all are durable.
  boolean isEmpty() {
    for (int i = 0; i < tails.length; i += APART) {
      long tail = (long) NUMBERS.getVolatile(tails, i);
      if ((long) NUMBERS.getAcquire(done, i) != tail) {
        return false;
      }
    }
    return true;
  }

  /// What the streams ask of who empties them.
  interface Drain {
    /// Has records become a batch soon, and waits for nothing.
    void drainSoon();
  }

  /// As {@link LiveFile} lays it out.
  private final MemorySegment bytes;

  private final Drain drain;

  /// By stream: the next ticket.
  private final long[] tails = new long[COUNT * APART];

  /// By stream: up to which ticket batches that are durable have the records.
  private final long[] done = new long[COUNT * APART];

  /// By stream: up to which ticket room is used again.
  private final long[] freed = new long[COUNT * APART];

  /// By stream: up to which ticket the leader has come; its own.
  private final long[] scanned = new long[COUNT];

  private volatile long epoch;

  /// Whether stores wait (REMAP-1).
  private volatile boolean isHeld;

  /// Why no store is taken any more; `null` if all are. What sets it may be at the end of its
  /// stack: so it is a field.
  volatile Throwable failure;

  /// Takes no store any more: the image is about to go.
  ///
  /// @param name the region's, for messages
  void end(String name) {
    Throwable closed = new StoreClosedException(name + ": the store is closed. Open it again");
    FAILURE.compareAndSet(this, (Throwable) null, closed);
  }

  /// Whether an error has ended it, and not {@link #end}.
  boolean hasFailed() {
    Throwable cause = failure;
    return cause != null && !(cause instanceof StoreClosedException);
  }

  /// @param live with no record
  RedoStreams(MemorySegment live, Drain drain) {
    this.bytes = live;
    this.drain = drain;
    this.epoch = (long) WORD.get(live, (long) LiveFile.EPOCH) + 1;
  }

  /// The epoch of stores that are made now; every store of this thread so far is of it, or of an
  /// earlier one.
  long epoch() {
    return epoch;
  }

  /// @return the record's place, for {@link #landed}
  long word(long offset, int kind, long value) {
    int stream = stream(offset);
    long at = take(stream, 1);
    put(stream, at + Long.BYTES, value);
    return publish(stream, at, offset, kind);
  }

  /// @return the record's place, for {@link #landed}
  long entry(long offset, long w0, long w1, long w2, long w3) {
    int stream = stream(offset);
    long at = take(stream, RedoRecord.ENTRY_UNITS);
    announce(stream, at, RedoRecord.ENTRY_UNITS);
    put(stream, at + 8, w0);
    put(stream, at + 16, w1);
    put(stream, at + 24, w2);
    put(stream, at + 32, w3);
    return publish(stream, at, offset, RedoRecord.ENTRY);
  }

  /// Bytes within a page.
  ///
  /// @return the record's place, for {@link #landed}
  long bytes(long offset, byte[] from, int start, int count) {
    int stream = stream(offset);
    int units = RedoRecord.units(count);
    long at = take(stream, units);
    announce(stream, at, units);
    put(stream, at + Long.BYTES, count);
    int place = (int) (at + RedoRecord.UNIT_BYTES) & MASK;
    int first = Math.min(count, RING_BYTES - place);
    MemorySegment.copy(from, start, bytes, ValueLayout.JAVA_BYTE, base(stream) + place, first);
    MemorySegment.copy(
        from, start + first, bytes, ValueLayout.JAVA_BYTE, base(stream), count - first);
    return publish(stream, at, offset, RedoRecord.BYTES);
  }

  /// The store of a record is made.
  void landed(long place) {
    WORD.setRelease(bytes, place, RedoRecord.landed((long) WORD.get(bytes, place)));
  }

  /// Takes room.
  ///
  /// @return where it is, in bytes that were ever taken
  private long take(int stream, int units) {
    if (failure != null) {
      drain.drainSoon(); // STREAM-3, and says why
      throw new StoreClosedException(failure.getMessage(), failure);
    }
    long ticket = (long) NUMBERS.getAndAdd(tails, stream * APART, (long) units);
    long used = ticket - (long) NUMBERS.getAcquire(freed, stream * APART);
    if (used > HALF && used - units <= HALF) {
      drain.drainSoon();
    }
    while (used > ROOM) {
      drain.drainSoon();
      LockSupport.parkNanos(this, NAP_NANOS);
      used = ticket - (long) NUMBERS.getAcquire(freed, stream * APART);
    }
    return ticket * RedoRecord.UNIT_BYTES;
  }

  /// LIVE-3.
  private void announce(int stream, long at, int units) {
    put(stream, at, RedoRecord.hole(units));
    VarHandle.storeStoreFence();
  }

  /// REDO-2: the epoch is read here.
  private long publish(int stream, long at, long offset, int kind) {
    long place = base(stream) + (at & MASK);
    WORD.setRelease(bytes, place, RedoRecord.head(offset, kind, epoch)); // STREAM-1
    VarHandle.storeStoreFence(); // REDO-1
    if (isHeld) {
      awaitRelease(place);
    }
    return place;
  }

  /// REMAP-1.
  private void awaitRelease(long place) {
    long head = (long) WORD.get(bytes, place);
    while (isHeld) {
      WORD.setVolatile(bytes, place, RedoRecord.held(head));
      while (isHeld) {
        LockSupport.parkNanos(this, NAP_NANOS);
      }
      WORD.setVolatile(bytes, place, head); // and looks again: it could be held anew
    }
  }

  private void put(int stream, long at, long value) {
    WORD.set(bytes, base(stream) + (at & MASK), value);
  }

  private static int stream(long offset) {
    return (int) (offset / RegionLayout.PAGE_BYTES * 0x9E3779B97F4A7C15L >>> Long.SIZE - 4);
  }

  private static long base(int stream) {
    return LiveFile.HEADER_BYTES + (long) stream * RING_BYTES;
  }

  /// What sees the page of each record that is gathered.
  interface Pages {
    void note(long page);
  }

  /// Ends the epoch, and appends its records to a buffer that has room for {@link #BYTES}. For the
  /// leader.
  ///
  /// @return the epoch that was ended
  long gather(ByteBuffer into, Pages pages) {
    long ended = epoch;
    epoch = ended + 1; // REDO-2: before the tickets are read
    MemorySegment target = MemorySegment.ofBuffer(into);
    long start = into.position();
    long end = 0;
    for (int stream = 0; stream < COUNT; stream++) {
      scanned[stream] = (long) NUMBERS.getVolatile(tails, stream * APART);
    }
    for (int stream = 0; stream < COUNT; stream++) {
      end = gather(stream, ended, target, end, pages);
    }
    into.position((int) (start + end));
    return ended;
  }

  private long gather(int stream, long ended, MemorySegment into, long at, Pages pages) {
    long tail = scanned[stream];
    long ticket = done[stream * APART];
    long limit = freed[stream * APART] + ROOM; // STREAM-2
    long end = at;
    while (ticket < tail && ticket <= limit) {
      long place = ticket * RedoRecord.UNIT_BYTES;
      long head = awaitHead(base(stream) + (place & MASK));
      long second = (long) WORD.get(bytes, base(stream) + (place + Long.BYTES & MASK));
      int units = RedoRecord.units(head, second);
      if (RedoRecord.epoch(head) == (ended & RedoRecord.EPOCH_MASK)) {
        int count = units * RedoRecord.UNIT_BYTES;
        copy(stream, place, into, end, count);
        WORD.set(into, end, RedoRecord.bare(head));
        pages.note(RedoRecord.offset(head) / RegionLayout.PAGE_BYTES);
        end += count;
      }
      ticket += units;
    }
    scanned[stream] = ticket;
    return end;
  }

  private void copy(int stream, long place, MemorySegment into, long at, int count) {
    int from = (int) place & MASK;
    int first = Math.min(count, RING_BYTES - from);
    MemorySegment.copy(bytes, base(stream) + from, into, at, first);
    MemorySegment.copy(bytes, base(stream), into, at + first, count - first);
  }

  private long awaitHead(long at) {
    long head = (long) WORD.getAcquire(bytes, at);
    for (int i = 0; !RedoRecord.isPublished(head); i++) {
      if (hasFailed() || i > AWAITED && failure != null) {
        throw new IllegalStateException("a store was cut off by an error", failure);
      }
      if (i < 100) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(this, 1_000); // it was parted from its processor
      }
      head = (long) WORD.getAcquire(bytes, at);
    }
    return head;
  }

  /// Notes what the log has: the records up to an epoch are durable. For the leader.
  ///
  /// @param next number of its next batch
  void written(long durable, long next) {
    WORD.setRelease(bytes, (long) LiveFile.EPOCH, durable);
    WORD.setRelease(bytes, (long) LiveFile.NEXT_BATCH, next);
    for (int stream = 0; stream < COUNT; stream++) {
      long ticket = done[stream * APART];
      while (ticket < scanned[stream]) {
        long head = head(stream, ticket);
        if (RedoRecord.epoch(head) == (durable + 1 & RedoRecord.EPOCH_MASK)) {
          break;
        }
        ticket += units(stream, ticket, head);
      }
      WORD.setRelease(bytes, (long) LiveFile.done(stream), ticket);
      NUMBERS.setRelease(done, stream * APART, ticket);
    }
  }

  /// Gives the room of records that are durable, and whose stores are made, to others (STREAM-1).
  /// For the leader.
  void free() {
    VarHandle.storeStoreFence(); // LIVE-2
    for (int stream = 0; stream < COUNT; stream++) {
      long from = freed[stream * APART];
      long ticket = landed(stream, done[stream * APART]);
      if (ticket > from) {
        zero(stream, from, ticket);
        WORD.setRelease(bytes, (long) LiveFile.freed(stream), ticket);
        NUMBERS.setRelease(freed, stream * APART, ticket);
      }
    }
  }

  /// Up to which ticket of a stream the stores of records are made, at most to another one.
  private long landed(int stream, long end) {
    long ticket = freed[stream * APART];
    while (ticket < end) {
      long head = head(stream, ticket);
      if (!RedoRecord.hasLanded(head)) {
        break;
      }
      ticket += units(stream, ticket, head);
    }
    return ticket;
  }

  /// What {@link #haveLanded} is to look for: the records that batches have by now, and perhaps
  /// some more. For the leader.
  long[] gathered() {
    return scanned.clone();
  }

  /// Whether the stores are made of all records that batches had at a moment: a thread may be kept
  /// from its processor between the two. For the leader.
  boolean haveLanded(long[] gathered) {
    boolean have = true;
    for (int stream = 0; have && stream < COUNT; stream++) {
      have = landed(stream, gathered[stream]) >= gathered[stream];
    }
    Throwable cause = failure; // who has a record may never store
    if (!have && cause != null) {
      throw cause instanceof StoreClosedException closed
          ? closed
          : new IllegalStateException("a store was cut off by an error", cause);
    }
    return have;
  }

  /// Has stores to the region wait until {@link #release}.
  ///
  /// **REMAP-1** A thread takes its ticket and then looks whether it is to wait; who holds asks for
  /// that and then reads the tickets. So it finds the record of whoever has not seen it, and waits
  /// until that one's store is made. Test: RedoStreamsTest.remap1NobodyStoresWhileStoresAreHeld.
  ///
  /// For the leader.
  ///
  /// @param pages sees the pages of all records that are here
  /// @return whether no store is under way; `false` if one is after so long
  boolean hold(Pages pages, long nanos) {
    long end = System.nanoTime() + nanos;
    isHeld = true; // volatile, as the reads of the tickets: nothing goes between
    for (int stream = 0; stream < COUNT; stream++) {
      long tail = (long) NUMBERS.getVolatile(tails, stream * APART);
      long ticket = freed[stream * APART];
      long limit = ticket + ROOM; // who waits for room does not store (STREAM-2)
      while (ticket < tail && ticket <= limit) {
        long head = head(stream, ticket);
        if (RedoRecord.isSettled(head)) {
          pages.note(RedoRecord.offset(head) / RegionLayout.PAGE_BYTES);
          ticket += units(stream, ticket, head);
        } else if (System.nanoTime() - end > 0) {
          return false;
        } else {
          LockSupport.parkNanos(this, 1_000); // it may need this processor
        }
      }
    }
    return true;
  }

  void release() {
    isHeld = false;
  }

  private long head(int stream, long ticket) {
    return (long) WORD.getAcquire(bytes, base(stream) + (ticket * RedoRecord.UNIT_BYTES & MASK));
  }

  private int units(int stream, long ticket, long head) {
    long second = ticket * RedoRecord.UNIT_BYTES + Long.BYTES & MASK;
    return RedoRecord.units(head, (long) WORD.get(bytes, base(stream) + second));
  }

  private void zero(int stream, long from, long to) {
    int place = (int) (from * RedoRecord.UNIT_BYTES) & MASK;
    long count = (to - from) * RedoRecord.UNIT_BYTES;
    long first = Math.min(count, RING_BYTES - place);
    bytes.asSlice(base(stream) + place, first).fill((byte) 0);
    bytes.asSlice(base(stream), count - first).fill((byte) 0);
  }
}
