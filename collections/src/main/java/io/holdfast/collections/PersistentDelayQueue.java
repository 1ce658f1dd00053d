package io.holdfast.collections;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EncodedInput;
import io.holdfast.collections.overlay.CollectionOverlay;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.HeldChanges;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.ThreadSections;
import io.holdfast.core.section.hooks.SectionHooks;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A queue in a region whose elements can be taken when they are due: a {@link BlockingQueue}, as
/// the JDK's {@link java.util.concurrent.DelayQueue}, that is still there, and still right, after
/// the process was killed. What came due meanwhile is due at the next opening.
///
/// ```java
/// PersistentDelayQueue<Mail> later = store.delayQueue("later", Mail.class);
/// later.add(new Mail("bert", "…"), Instant.now().plus(Duration.ofHours(2)));
/// later.awaitDue(Duration.ofMinutes(1));
/// store.transaction(() -> {
///   Due<Mail> due = later.poll();          // null if there is none, or others have taken it
///   if (due != null) outbox.add(due.element());
/// });
/// ```
///
/// *Time* is that of the system's clock, in milliseconds. If somebody sets the clock, elements are
/// due by the new time, at most a second after that. Elements of one millisecond come in the order
/// in which they were added.
///
/// *Durability.* Each operation on an element is failure-atomic; when it returns it is durable,
/// unless it depends on a section that has not ended. Inside of an outer section or a transaction
/// it stands and falls with that. {@link #clear} is a section.
///
/// - **DELAY-1** An element is taken once: by one thread, whose section's end makes it so, or else
///   it is there again. Test: DelayQueueCrashTest.delay1AnElementIsTakenOnce.
/// - **DELAY-2** An element that an open section or transaction has taken is passed over by others,
///   so that those which take different elements share nothing. Test:
///   DelayQueueTest.delay2WhatASectionHasTakenOthersPassOver.
///
/// *Threads.* Safe for any number of them. An interrupt ends a wait. Iterators are weakly
/// consistent, and in the order of time.
///
/// *Sections and transactions.* What one has added others see after its end, and it is not taken by
/// the section itself. That no element is due is no reading: a transaction is not run again because
/// one came. {@link #take}, and {@link #poll(long, TimeUnit)} for more than no time, don't wait
/// there: they throw `IllegalStateException` where they would have to. {@link #awaitDue} waits
/// before.
///
/// *Elements* are not `null`, and have at most 2,147,483,639 bytes when encoded. What comes out is
/// never the object that went in. *Failures* are those of a {@link PersistentTreeMap}, which it is
/// built on.
public final class PersistentDelayQueue<E> extends AbstractQueue<Due<E>>
    implements BlockingQueue<Due<E>>, StoredCollection {
  /// The kind of this collection, as its root says.
  public static final String KIND = "delayQueue";

  /// The clock is looked at again after this time, since it may be set.
  private static final long WAIT_MILLIS_MAX = 1_000;

  private static final UUID LEAST = new UUID(Long.MIN_VALUE, Long.MIN_VALUE);

  private final Sections sections;
  private final long lockOrder = CollectionOverlay.nextLockOrder();

  private final Codec<UUID> keys;

  /// By the millisecond and a number: a UUID's halves are compared as signed numbers.
  private final PersistentTreeMap<UUID, E> elements;

  /// The last number that this process has given.
  private final AtomicLong lastNumber = new AtomicLong();

  /// Keys that threads are about to remove, or have removed in a section that has not ended, and by
  /// which thread: an end gives back none but its own.
  private final Map<UUID, Thread> claimed = new ConcurrentHashMap<>();

  /// Of threads that wait: how often something came that may be due.
  private final Object arrival = new Object();

  private volatile long arrivals;

  /// Opens a queue; programs call `Holdfast.delayQueue`.
  ///
  /// @param root the queue's first block
  @SuppressWarnings("exports") // Region is for Holdfast's own modules, and so is this constructor
  public PersistentDelayQueue(Region region, Codec<UUID> keys, Codec<E> codec, long root) {
    this.sections = region.sections();
    this.keys = keys;
    this.elements =
        new PersistentTreeMap<>(
            new CollectionLabel(region, "delay queue", root), region, keys, codec, null);
  }

  long lockOrder() {
    return lockOrder;
  }

  /// Adds an element that is due at a time, which may be in the past.
  ///
  /// @throws IllegalArgumentException if the time is more than 292 million years from 1970
  public void add(E element, Instant at) {
    offer(new Due<>(at, element));
  }

  /// Adds an element.
  ///
  /// @return true, since there is no bound
  @Override
  public boolean offer(Due<E> due) {
    Objects.requireNonNull(due, "due");
    DelayClaims held = DelayClaims.current(this, sections); // whose end tells those who wait
    long millis = due.at().toEpochMilli();
    elements.put(new UUID(millis, nextNumber(millis)), due.element());
    if (held == null) {
      tell();
    }
    return true;
  }

  @Override
  public void put(Due<E> due) {
    offer(due);
  }

  @Override
  public boolean offer(Due<E> due, long timeout, TimeUnit unit) {
    return offer(due);
  }

  /// Higher than any in this millisecond: those of earlier processes are in place, and this one's
  /// may be held back by sections.
  private long nextNumber(long millis) {
    UUID there = inPlace(() -> elements.floorKey(new UUID(millis, Long.MAX_VALUE)));
    long highest =
        there != null && there.getMostSignificantBits() == millis
            ? there.getLeastSignificantBits()
            : 0;
    return lastNumber.accumulateAndGet(highest, (last, other) -> Math.max(last, other) + 1);
  }

  private void tell() {
    synchronized (arrival) {
      arrivals = arrivals + 1;
      arrival.notifyAll();
    }
  }

  /// A section has ended that has added something, or taken these.
  void ended(List<UUID> keys) {
    for (int i = 0; i < keys.size(); i++) { // GIVE-1
      claimed.remove(keys.get(i), Thread.currentThread());
    }
    tell();
  }

  /// The first key after one that nobody is taking; `null` if there is none. In place: what the
  /// thread holds back is not looked at, and nothing is read for its transaction.
  private UUID next(UUID after) {
    UUID key = after;
    do {
      UUID before = key;
      key = inPlace(() -> elements.higherKey(before));
    } while (key != null && claimed.containsKey(key));
    return key;
  }

  private static <T> T inPlace(Supplier<T> look) {
    ThreadSections thread = ThreadSections.current();
    HeldChanges held = thread.heldBack();
    if (held == null) {
      return look.get();
    }
    thread.holdBack(null);
    try {
      return look.get();
    } finally {
      thread.holdBack(held);
    }
  }

  /// Takes an element, unless somebody else is doing that.
  ///
  /// @param before is given it while it is there
  /// @return `null` if it is not there
  private Due<E> take(UUID key, Consumer<? super Due<E>> before) {
    DelayClaims held = DelayClaims.current(this, sections);
    if (held != null) {
      held.add(key); // first, so that its end gives back what is cut off here (GIVE-1)
    }
    if (claimed.putIfAbsent(key, Thread.currentThread()) != null) {
      if (held != null) {
        held.removeLast(); // perhaps it is the section's around this transaction
      }
      return null;
    }
    boolean isHeld = false;
    try {
      E there = elements.get(key);
      if (there == null) {
        return null;
      }
      Due<E> due = due(key, there);
      before.accept(due);
      isHeld = held != null; // before the removal, which it is to outlast
      return elements.remove(key) == null ? null : due; // null if all were removed
    } finally {
      if (!isHeld) {
        try {
          claimed.remove(key);
        } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
          sections.breakOff(e); // or others would pass it over for good
        }
      }
    }
  }

  /// Takes the first element that is due.
  ///
  /// @return `null` if none is
  @Override
  public Due<E> poll() {
    return poll(_ -> {});
  }

  private Due<E> poll(Consumer<? super Due<E>> before) {
    long now = System.currentTimeMillis();
    UUID key = next(LEAST);
    while (key != null && key.getMostSignificantBits() <= now) {
      Due<E> taken = take(key, before);
      if (taken != null) {
        return taken;
      }
      key = next(key);
    }
    return null;
  }

  /// Takes the first element that is due, and waits until one is.
  ///
  /// @throws IllegalStateException inside of a section if none is
  @Override
  public Due<E> take() throws InterruptedException {
    return waiting(this::poll, Long.MAX_VALUE);
  }

  /// Takes the first element that is due, and waits for it.
  ///
  /// @return `null` if none is when the time is over
  /// @throws IllegalStateException inside of a section if it would have to wait
  @Override
  public Due<E> poll(long timeout, TimeUnit unit) throws InterruptedException {
    return waiting(this::poll, Math.max(0, unit.toNanos(timeout)));
  }

  /// Waits until an element is due that nobody is taking, and takes nothing: others may.
  ///
  /// @param longest for how long at most
  /// @return whether one is
  /// @throws IllegalStateException inside of a section if it would have to wait
  public boolean awaitDue(Duration longest) throws InterruptedException {
    return waiting(this::firstDue, Math.max(0, TimeUnit.NANOSECONDS.convert(longest))) != null;
  }

  private UUID firstDue() {
    UUID first = next(LEAST);
    return first != null && first.getMostSignificantBits() <= System.currentTimeMillis()
        ? first
        : null;
  }

  private <T> T waiting(Supplier<T> attempt, long nanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    long start = System.nanoTime();
    while (true) {
      long seen = arrivals;
      T found = attempt.get();
      long left = nanos == Long.MAX_VALUE ? nanos : nanos - (System.nanoTime() - start);
      if (found != null || left <= 0) {
        return found;
      }
      if (SectionHooks.inSection()) {
        throw new IllegalStateException(
            "a delay queue has no element that is due, and would be waited for inside of a section."
                + " Call awaitDue before the section, and poll in it");
      }
      await(seen, left);
    }
  }

  private void await(long seen, long nanos) throws InterruptedException {
    UUID first = next(LEAST);
    long millis = Math.min(WAIT_MILLIS_MAX, Math.ceilDiv(nanos, 1_000_000));
    if (first != null) {
      long now = System.currentTimeMillis();
      millis = Math.min(millis, Math.max(1, first.getMostSignificantBits() - now));
    }
    synchronized (arrival) {
      if (arrivals == seen) {
        arrival.wait(millis);
      }
    }
  }

  /// The first element that nobody is taking, due or not. In a transaction that is a reading.
  @Override
  public Due<E> peek() {
    UUID key = LEAST;
    while ((key = next(key)) != null) {
      E element = elements.get(key);
      if (element != null) {
        return due(key, element);
      }
    }
    return null;
  }

  /// How many elements there are, due or not. The first call after an opening looks at all of the
  /// queue.
  @Override
  public int size() {
    return elements.size();
  }

  @Override
  public boolean isEmpty() {
    return elements.isEmpty();
  }

  @Override
  public int remainingCapacity() {
    return Integer.MAX_VALUE;
  }

  @Override
  public int drainTo(Collection<? super Due<E>> target) {
    return drainTo(target, Integer.MAX_VALUE);
  }

  /// Moves elements that are due to another collection, one after the other. One that the target
  /// refuses stays, with those after it.
  @Override
  @SuppressWarnings("ReferenceEquality") // the very same queue is meant, as in the JDK's
  public int drainTo(Collection<? super Due<E>> target, int most) {
    Objects.requireNonNull(target, "target");
    if (target == this) {
      throw new IllegalArgumentException("a queue can't be drained to itself");
    }
    int moved = 0;
    while (moved < most && poll(target::add) != null) {
      moved++;
    }
    return moved;
  }

  /// Removes one element that is equal, due or not. Looks at those of its millisecond.
  @Override
  public boolean remove(Object due) {
    if (!(due instanceof Due<?> wanted)) {
      return false;
    }
    long millis = wanted.at().toEpochMilli();
    Map<UUID, E> sameTime =
        elements.subMap(
            new UUID(millis, Long.MIN_VALUE), true, new UUID(millis, Long.MAX_VALUE), true);
    for (Map.Entry<UUID, E> each : sameTime.entrySet()) {
      if (each.getValue().equals(wanted.element()) && take(each.getKey(), _ -> {}) != null) {
        return true;
      }
    }
    return false;
  }

  private static <E> Due<E> due(Map.Entry<UUID, E> entry) {
    return due(entry.getKey(), entry.getValue());
  }

  private static <E> Due<E> due(UUID key, E element) {
    return new Due<>(at(key), element);
  }

  /// Removes the elements that the codec can't read; see {@link PersistentQueue#removeUnreadable}.
  /// Until then what comes to one throws; an iterator throws for it and goes on, and its `remove`
  /// removes it.
  ///
  /// @param taken is given when each was due, and its bytes, under a lock of the queue and in the
  ///   section of its removal: what it puts into another collection of the store is in one of the
  ///   two whatever happens. If it throws, that element and the following ones stay. It must not
  ///   use this queue
  /// @return how many were removed
  public long removeUnreadable(BiConsumer<? super Instant, byte[]> taken) {
    Objects.requireNonNull(taken, "taken");
    return elements.removeUnreadable(
        (key, value) -> taken.accept(at(keys.decode(input(key))), value));
  }

  private static EncodedInput input(byte[] bytes) {
    EncodedInput input = new EncodedInput();
    input.reset(bytes, 0, bytes.length);
    return input;
  }

  private static Instant at(UUID key) {
    return Instant.ofEpochMilli(key.getMostSignificantBits());
  }

  /// Removes all elements, also those that others are taking, in a section.
  @Override
  public void clear() {
    elements.clear();
  }

  @Override
  public Iterator<Due<E>> iterator() {
    Iterator<Map.Entry<UUID, E>> entries = elements.entrySet().iterator();
    return new Iterator<>() {
      private UUID returned;

      /// Whether the last one can't be decoded; then nobody takes it.
      private boolean isUnreadable;

      @Override
      public boolean hasNext() {
        return entries.hasNext();
      }

      @Override
      public Due<E> next() {
        returned = null;
        isUnreadable = entries.hasNext(); // until it is decoded
        Map.Entry<UUID, E> entry = entries.next();
        isUnreadable = false;
        returned = entry.getKey();
        return due(entry);
      }

      @Override
      public void remove() {
        if (isUnreadable) {
          isUnreadable = false;
          entries.remove();
          return;
        }
        if (returned == null) {
          throw new IllegalStateException("there is no element to remove: next was not called");
        }
        take(returned, _ -> {});
        returned = null;
      }
    };
  }

  /// Without a size, which may be another one by the end.
  @Override
  public Spliterator<Due<E>> spliterator() {
    return new UndividedSpliterator<>(
        Spliterators.spliteratorUnknownSize(
            iterator(), Spliterator.CONCURRENT | Spliterator.ORDERED | Spliterator.NONNULL),
        sections);
  }

  /// Checks all that the layout promises, reading the whole queue; meant for tests and tools, while
  /// nobody changes it.
  ///
  /// @return how many elements there are
  /// @throws io.holdfast.core.RegionDamagedException naming the first fault and its offset
  public long validate() {
    return elements.validate();
  }

  @Override
  public long knownSize() {
    return elements.knownSize();
  }

  @Override
  public long changes() {
    return elements.changes();
  }

  @Override
  public void storeClosed() {
    tell();
  }

  @Override
  public void deleted(boolean isDeleted) {
    elements.deleted(isDeleted);
    tell();
  }

  @Override
  public boolean delete(BooleanSupplier deletion) {
    boolean deleted = elements.delete(deletion);
    tell();
    return deleted;
  }
}
