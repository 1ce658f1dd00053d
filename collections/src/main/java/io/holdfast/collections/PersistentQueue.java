package io.holdfast.collections;

import io.holdfast.codec.Codec;
import io.holdfast.collections.queue.QueueChain;
import io.holdfast.collections.queue.QueueWalk;
import io.holdfast.core.recovery.Region;
import io.holdfast.core.section.SectionHooks;
import io.holdfast.core.section.SectionLock;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// A FIFO queue in a region: a {@link BlockingQueue} that is still there, and still right, after
/// the process was killed.
///
/// *Durability.* Each operation is a failure-atomic section of its own; when it returns it is
/// durable, unless it depends on a section that has not ended. Inside of an outer section it stands
/// and falls with that: if a crash cuts the section off, what was taken is there again, at its
/// place, and what was added is not.
///
/// *Threads.* Safe for any number of them, virtual ones included. One thread adds and one takes at
/// a time, and these two don't hinder each other. Waiting holds no lock, and interrupts harm
/// nothing. Iterators are weakly consistent. An element added by an unfinished section can be taken
/// by others at once; they then depend on that section.
///
/// *Elements.* Not `null`; at most 536,739,840 bytes when encoded. They are encoded when added and
/// decoded when looked at, so equality is that of decoded elements, and an element is never the
/// object that was added.
///
/// *Failures.* An operation that throws has left the queue as it was: {@link
/// io.holdfast.core.RegionFullException} when the device has no room, {@link
/// io.holdfast.codec.CodecException} when an element can't be encoded or decoded, {@link
/// io.holdfast.core.StoreClosedException} after the store was closed.
///
/// ## How it works
///
/// On media: `QueueLayout`. Two locks, as in Michael and Scott's two-lock queue (PODC 1996), which
/// is also Atlas's first benchmark (6.4.1). How many elements may be taken, and how many places are
/// left, are the permits of two semaphores in memory; a thread takes its permit *before* it locks.
/// That gives blocking, timeouts and interrupts, and it carries the dependency between the two
/// ends, which share no lock (**QUEUE-4**): a permit is released after the adder's section has
/// ended or has published its open release, and the taker, who has the permit, reads open releases
/// when it locks.
public final class PersistentQueue<E> extends AbstractQueue<E> implements BlockingQueue<E> {
  /// The kind of this collection, as its root says.
  public static final String KIND = "queue";

  private final Region region;
  private final QueueChain<E> chain;
  private final int capacity;

  /// Stands for the queue in dependencies: for both locks, since each end sees what the other does.
  private final Object key = new Object();

  private final SectionLock putLock = new SectionLock(key);
  private final SectionLock takeLock = new SectionLock(key);
  private final Semaphore elements;

  /// `null` without a bound. Negative if the queue was longer before than it may be now.
  private final Semaphore places;

  /// Opens a queue; programs call `Holdfast.queue`.
  ///
  /// @param root the queue's first block
  @SuppressWarnings("exports") // Region is for Holdfast's own modules, and so is this constructor
  public PersistentQueue(Region region, Codec<E> codec, long root, int capacity) {
    this.region = region;
    this.chain = new QueueChain<>(region, codec, root);
    this.capacity = capacity;
    int size = chain.sizeAtOpening();
    this.elements = new Semaphore(size);
    this.places = capacity == Integer.MAX_VALUE ? null : new Semaphore(capacity - size);
  }

  /// Makes an empty queue in the calling thread's section; called by the store.
  ///
  /// @return its first block
  @SuppressWarnings("exports") // as above
  public static long create(Region region) {
    return QueueChain.create(region);
  }

  /// How many elements the queue holds at most; `Integer.MAX_VALUE` if it was opened without a
  /// bound.
  public int capacity() {
    return capacity;
  }

  @Override
  public boolean offer(E element) {
    Objects.requireNonNull(element, "element");
    boolean hasPlace = places == null || places.tryAcquire();
    if (hasPlace) {
      append(element);
    }
    return hasPlace;
  }

  @Override
  public boolean offer(E element, long timeout, TimeUnit unit) throws InterruptedException {
    Objects.requireNonNull(element, "element");
    boolean hasPlace = places == null || places.tryAcquire(timeout, unit);
    if (hasPlace) {
      append(element);
    }
    return hasPlace;
  }

  @Override
  public void put(E element) throws InterruptedException {
    Objects.requireNonNull(element, "element");
    if (places != null) {
      places.acquire();
    }
    append(element);
  }

  /// Adds an element, for which there is a place.
  private void append(E element) {
    boolean appended = false;
    putLock.lock();
    try {
      region.sections().checkUsable();
      chain.tail().add(element);
      appended = true;
    } finally {
      // QUEUE-4: the permit behind the unlock, which ends the section or publishes its open
      // release. A
      // taker that got the permit earlier could be durable without the element it took.
      // Test: PersistentQueueDependencyTest.
      putLock.unlock();
      if (appended) {
        elements.release();
      } else {
        releasePlaces(1);
      }
    }
  }

  @Override
  public E poll() {
    return elements.tryAcquire() ? removeFirst() : nothing();
  }

  @Override
  public E poll(long timeout, TimeUnit unit) throws InterruptedException {
    return elements.tryAcquire(timeout, unit) ? removeFirst() : nothing();
  }

  @Override
  public E take() throws InterruptedException {
    elements.acquire();
    return removeFirst();
  }

  private E nothing() {
    region.sections().checkUsable();
    return null;
  }

  /// Takes the first element, which this thread has a permit for.
  private E removeFirst() {
    boolean removed = false;
    takeLock.lock();
    try {
      region.sections().checkUsable();
      E element = chain.head().first();
      chain.head().removeFirst();
      removed = true;
      return element;
    } finally {
      takeLock.unlock();
      if (removed) {
        releasePlaces(1); // QUEUE-4
      } else {
        elements.release();
      }
    }
  }

  private void releasePlaces(int count) {
    if (places != null) {
      places.release(count);
    }
  }

  @Override
  public E peek() {
    takeLock.lock();
    try {
      region.sections().checkUsable();
      if (elements.availablePermits() == 0) {
        return null;
      }
      SectionHooks.observed(key); // QUEUE-4: the permit was seen after the lock was taken
      return chain.head().first();
    } finally {
      takeLock.unlock();
    }
  }

  @Override
  public int size() {
    region.sections().checkUsable();
    return elements.availablePermits();
  }

  @Override
  public int remainingCapacity() {
    return places == null ? Integer.MAX_VALUE : Math.max(0, places.availablePermits());
  }

  @Override
  public int drainTo(Collection<? super E> target) {
    return drainTo(target, Integer.MAX_VALUE);
  }

  /// Moves elements to another collection, in one section. If the target refuses one, that element
  /// and those behind it stay here.
  @Override
  @SuppressWarnings("ReferenceEquality") // the very same queue is meant, as in the JDK's
  public int drainTo(Collection<? super E> target, int most) {
    Objects.requireNonNull(target, "target");
    if (target == this) {
      throw new IllegalArgumentException("a queue can't be drained to itself");
    }
    int permits = acquireUpTo(most);
    int moved = 0;
    takeLock.lock();
    try {
      region.sections().checkUsable();
      for (; moved < permits; moved++) {
        target.add(chain.head().first());
        chain.head().removeFirst();
      }
      return moved;
    } finally {
      takeLock.unlock();
      releasePlaces(moved);
      elements.release(permits - moved);
    }
  }

  private int acquireUpTo(int most) {
    while (true) {
      int permits = Math.clamp(elements.availablePermits(), 0, Math.max(0, most));
      if (permits == 0 || elements.tryAcquire(permits)) {
        return permits;
      }
    }
  }

  /// Removes one element that equals the given one, in time proportional to the queue's length.
  @Override
  public boolean remove(Object element) {
    boolean removed = false;
    lockBoth();
    try {
      QueueWalk<E> walk = chain.walk();
      while (element != null && !removed && walk.advance()) {
        removed = element.equals(walk.element()) && remove(walk.place());
      }
      return removed;
    } finally {
      unlockBoth();
      if (removed) {
        releasePlaces(1);
      }
    }
  }

  /// Removes an element, unless it is gone or promised to a thread that is about to take it.
  private boolean remove(QueueWalk.Place place) {
    if (!place.isOccupied(chain.head()) || !elements.tryAcquire()) {
      return false;
    }
    boolean removed = false;
    try {
      chain.head().remove(place);
      removed = true;
      return true;
    } finally {
      if (!removed) {
        elements.release();
      }
    }
  }

  private void lockBoth() {
    region.sections().checkUsable();
    putLock.lock();
    takeLock.lock();
  }

  private void unlockBoth() {
    takeLock.unlock();
    putLock.unlock();
  }

  @Override
  public Iterator<E> iterator() {
    return new WeaklyConsistentIterator();
  }

  /// Always one element ahead, so that what `hasNext` has promised can be returned.
  private final class WeaklyConsistentIterator implements Iterator<E> {
    private final QueueWalk<E> walk;
    private E next;
    private QueueWalk.Place nextPlace;
    private QueueWalk.Place lastPlace;

    WeaklyConsistentIterator() {
      lockBoth();
      try {
        walk = chain.walk();
        advance();
      } finally {
        unlockBoth();
      }
    }

    private void advance() {
      if (walk.advance()) {
        next = walk.element();
        nextPlace = walk.place();
      } else {
        next = null;
        nextPlace = null;
      }
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public E next() {
      if (next == null) {
        throw new NoSuchElementException();
      }
      lockBoth();
      try {
        E element = next;
        lastPlace = nextPlace;
        advance();
        return element;
      } finally {
        unlockBoth();
      }
    }

    @Override
    public void remove() {
      if (lastPlace == null) {
        throw new IllegalStateException("next has not been called, or remove twice");
      }
      boolean removed = false;
      lockBoth();
      try {
        removed = PersistentQueue.this.remove(lastPlace);
        lastPlace = null;
      } finally {
        unlockBoth();
        if (removed) {
          releasePlaces(1);
        }
      }
    }
  }

  /// Checks all that the layout promises, reading the whole queue; meant for tests and tools.
  ///
  /// @return how many elements there are
  /// @throws io.holdfast.core.RegionDamagedException naming the first fault and its offset
  public int validate() {
    lockBoth();
    try {
      return chain.validate();
    } finally {
      unlockBoth();
    }
  }

  /// Wakes the threads that wait, which then find that the store is closed; called by the store
  /// when it is.
  public void storeClosed() {
    elements.release(PERMITS_FOR_ALL);
    if (places != null) {
      places.release(PERMITS_FOR_ALL);
    }
  }

  /// More than there can be threads, and far from overflowing a semaphore with any real queue's
  /// length.
  private static final int PERMITS_FOR_ALL = 1 << 24;
}
