package io.holdfast.collections;

import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.codec.EncodedOutput;
import io.holdfast.collections.queue.QueueChain;
import io.holdfast.collections.queue.QueueWalk;
import io.holdfast.core.RootDeletedException;
import io.holdfast.core.heap.RootDirectory.Disposal;
import io.holdfast.core.heap.RootDirectory.Root;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionLock;
import io.holdfast.core.section.VolatileState;
import io.holdfast.core.section.hooks.SectionHooks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

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
/// *Elements.* Not `null`; at most 2,147,483,639 bytes when encoded. They are encoded when added
/// and decoded when looked at, so equality is that of decoded elements, and an element is never the
/// object that was added.
///
/// *Your code.* An element is encoded before a lock is taken. While an operation decodes one, asks
/// its `equals`, or gives it to the target of {@link #drainTo}, the code that it calls must not use
/// this queue: such a call throws `IllegalStateException` ("Recursive update") and changes nothing.
///
/// *Failures.* An operation that throws has left the queue as it was: {@link
/// io.holdfast.core.RegionFullException} when the device has no room (in an outer section, as it
/// was before the section), {@link io.holdfast.codec.CodecException} when an element can't be
/// encoded or decoded ({@link #removeUnreadable} is the way on), {@link
/// io.holdfast.core.StoreClosedException} after the store was closed, {@link
/// io.holdfast.core.RootDeletedException} after the queue was deleted, {@link
/// io.holdfast.core.RegionAccessException} when its file was truncated by another program. Then the
/// store takes no more calls.
///
/// ## How it works
///
/// On media: `QueueLayout`. Two locks, as in Michael and Scott's two-lock queue (PODC 1996), which
/// is also Atlas's first benchmark (6.4.1), and two counters in memory: how many elements were ever
/// published, stored by who holds the put lock, and how many are gone, stored by who holds the take
/// lock. Each end reads the other's counter.
///
/// **QUEUE-4** A counter is stored after the end of the section that it speaks of (or after its
/// uncommitted release) and before the lock is given up; who has read the other end's counter looks
/// for uncommitted releases before it changes anything. So a taker depends on the section that
/// added its element, as long as that is not durable, though they share no lock.
///
/// **QUEUE-5** If a section is rolled back, the counters go back to what they were (and after them
/// the number of rollbacks goes up). Who has seen a counter and then made sure of the section that
/// stored it looks whether there was a rollback in between, and if so looks again: else it could
/// rely on an element that is gone. Test: QueueRollbackTest.
///
/// Who has to wait, does so on a condition of the *other* end's lock, where the one who changes the
/// counter finds it without a further lock or fence.
public final class PersistentQueue<E> extends AbstractQueue<E>
    implements BlockingQueue<E>, StoredCollection {
  /// The kind of this collection, as its root says.
  public static final String KIND = "queue";

  private static final VarHandle PUBLISHED = counter("published");
  private static final VarHandle GONE = counter("gone");

  private final Region region;
  private final Codec<E> codec;
  private final Encoding<E> encoding;
  private final boolean encodesAlone;

  /// Guarded by the put lock.
  private final EncodedOutput buffer = new EncodedOutput();

  private final QueueChain<E> chain;
  private final CallersCode callers;
  private final CallersCode.Place equals;
  private final CallersCode.Place drain;
  private final CallersCode.Place taking;
  private final int capacity;

  /// Stands for the queue in dependencies: for both locks, since each end sees what the other does.
  private final Object key = new Object();

  private final SectionLock putLock;
  private final SectionLock takeLock;

  /// Whether it is in the store no more; stored under both locks.
  private volatile boolean deleted;

  /// How many elements were ever added; stored under the put lock.
  private volatile long published;

  /// How many elements are gone; stored under the take lock.
  private volatile long gone;

  /// Threads that wait for an element. The condition and the count are the put lock's.
  private final Condition hasElement;

  private int waitingForElement;

  /// Threads that wait for a place. The condition and the count are the take lock's.
  private final Condition hasPlace;

  private int waitingForPlace;

  /// What adding changes in memory.
  private final VolatileState putSide =
      new VolatileState() {
        private long saved;

        @Override
        public void save() {
          chain.tail().save();
          saved = published;
        }

        @Override
        public void restore() {
          chain.tail().restore();
          published = saved;
          rolledBack();
        }
      };

  /// What taking changes in memory.
  private final VolatileState takeSide =
      new VolatileState() {
        private long saved;

        @Override
        public void save() {
          chain.head().save();
          saved = gone;
        }

        @Override
        public void restore() {
          chain.head().restore();
          gone = saved;
          rolledBack();
        }
      };

  /// Opens a queue; programs call `Holdfast.queue`.
  ///
  /// @param root the queue's first block
  @SuppressWarnings("exports") // Region is for Holdfast's own modules, and so is this constructor
  public PersistentQueue(Region region, Codec<E> codec, long root, int capacity) {
    this.region = region;
    CollectionLabel label = new CollectionLabel(region, KIND, root);
    this.codec = codec;
    this.encoding = new Encoding<>(codec, label, "an element");
    this.encodesAlone = encoding.trust().encodesAlone();
    this.callers = new CallersCode(region, label);
    this.equals = callers.place("the equals that remove asks must not use it", false);
    this.drain = callers.place("the target of drainTo must not use it", false);
    this.taking = callers.place("what removeUnreadable calls must not use it", false);
    this.chain = new QueueChain<>(region, encoding.guarded(callers), root);
    this.capacity = capacity;
    this.published = chain.sizeAtOpening();
    this.putLock = new SectionLock(region.sections(), key);
    this.takeLock = new SectionLock(region.sections(), key);
    this.hasElement = putLock.waiting().newCondition();
    this.hasPlace = takeLock.waiting().newCondition();
  }

  private static VarHandle counter(String name) {
    try {
      return MethodHandles.lookup().findVarHandle(PersistentQueue.class, name, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Makes an empty queue in the calling thread's section; called by the store.
  ///
  /// @return its first block
  @SuppressWarnings("exports") // as above
  public static long create(Region region) {
    return QueueChain.create(region);
  }

  private void rolledBack() {
    chain.rolledBack(); // QUEUE-5: after the counter
    // Elements or places are there again that others have stopped to wait for. Their locks may be
    // held by who waits for this rollback, so not here.
    Thread.ofVirtual().name("holdfast-rollback").start(this::wakeAll);
  }

  private void checkUsable() {
    region.sections().checkUsable();
    if (deleted) {
      throw new RootDeletedException(
          "%s: the queue was deleted, or the section that created it was rolled back. Open or create it anew by its name"
              .formatted(region.memory().name()));
    }
  }

  /// How many elements the queue holds at most; `Integer.MAX_VALUE` if it was opened without a
  /// bound.
  public int capacity() {
    return capacity;
  }

  @Override
  public boolean offer(E element) {
    Objects.requireNonNull(element, "element");
    callers.check();
    if (capacity != Integer.MAX_VALUE && published - gone >= capacity && size() >= capacity) {
      return false; // without a lock, and without encoding it
    }
    if (encodesAlone) {
      return offer(element, null);
    }
    ThreadOutputs outputs = ThreadOutputs.current();
    EncodedOutput encoded = outputs.enter();
    try {
      encoding.store(element, encoded);
      return offer(element, encoded);
    } finally {
      outputs.leave();
    }
  }

  /// @param encoded `null` if nobody's code runs while the element is encoded: that is done under
  ///   the lock then, in the queue's own buffer, which is 10 ns quicker
  private boolean offer(E element, EncodedOutput encoded) {
    boolean added = false;
    Section section = putLock.lock();
    try {
      checkUsable();
      if (hasRoom(section)) {
        EncodedOutput bytes = encoded;
        if (bytes == null) {
          bytes = buffer;
          bytes.reset();
          codec.encode(element, bytes);
        }
        add(section, bytes);
        added = true;
      }
      return added;
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    } finally {
      endPut(section, added);
    }
  }

  private void add(Section section, EncodedOutput bytes) {
    try {
      chain.tail().add(section, bytes, putSide);
    } catch (VirtualMachineError e) {
      section.breakOff(e);
      throw e;
    }
  }

  private boolean hasRoom(Section section) {
    if (capacity == Integer.MAX_VALUE) {
      return true;
    }
    return size(section) < capacity;
  }

  /// QUEUE-4, QUEUE-5.
  private long size(Section section) {
    int rollbacks;
    long size;
    do {
      rollbacks = chain.rollbacks();
      size = published - gone;
      section.observe(key);
    } while (rollbacks != chain.rollbacks());
    return size;
  }

  private void endPut(Section section, boolean added) {
    try {
      putLock.endSection(section);
      if (added) {
        // QUEUE-4: after the section's end. A taker that saw the element earlier could be durable
        // without the section that added it.
        // Test: PersistentQueueDependencyTest.queue4NothingIsSeenBeforeItsSectionEnds.
        PUBLISHED.setRelease(this, published + 1);
        if (waitingForElement > 0) {
          hasElement.signal();
        }
      }
    } catch (VirtualMachineError e) {
      section.breakOff(e); // the counter could be wrong
      throw e;
    } finally {
      putLock.unlock(); // a fault can be thrown late (FAULT-1)
    }
    if (added) {
      region.sections().checkCommitted();
    }
  }

  @Override
  public void put(E element) throws InterruptedException {
    throwIfInterrupted();
    while (!offer(element)) {
      awaitPlace(Long.MAX_VALUE);
    }
  }

  @Override
  public boolean offer(E element, long timeout, TimeUnit unit) throws InterruptedException {
    throwIfInterrupted();
    long deadline = System.nanoTime() + unit.toNanos(timeout);
    boolean added = offer(element);
    for (long left = timeout; !added && left > 0; added = offer(element)) {
      left = awaitPlace(deadline - System.nanoTime());
    }
    return added;
  }

  /// Waits for a place; outside of the sections, with nothing but the take lock.
  ///
  /// @return the nanoseconds that are left
  private long awaitPlace(long nanos) throws InterruptedException {
    takeLock.waiting().lockInterruptibly();
    waitingForPlace++;
    try {
      long left = nanos;
      while (published - gone >= capacity && left > 0) {
        checkUsable();
        left = hasPlace.awaitNanos(left);
      }
      return left;
    } finally {
      waitingForPlace--;
      takeLock.waiting().unlock();
    }
  }

  private long awaitElement(long nanos) throws InterruptedException {
    putLock.waiting().lockInterruptibly();
    waitingForElement++;
    try {
      long left = nanos;
      while (published == gone && left > 0) {
        checkUsable();
        left = hasElement.awaitNanos(left);
      }
      return left;
    } finally {
      waitingForElement--;
      putLock.waiting().unlock();
    }
  }

  private static void throwIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  @Override
  public E poll() {
    callers.check();
    if (published == gone && isEmpty()) { // a look without the lock, for those who ask in vain
      return null;
    }
    E element = null;
    Section section = takeLock.lock();
    try {
      checkUsable();
      if (hasElement(section)) {
        E first = chain.head().first();
        removeFirst(section);
        element = first;
      }
      return element;
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    } finally {
      endTake(section, element == null ? 0 : 1);
    }
  }

  private void removeFirst(Section section) {
    try {
      chain.head().removeFirst(section, takeSide);
    } catch (VirtualMachineError e) {
      section.breakOff(e);
      throw e;
    }
  }

  private boolean hasElement(Section section) {
    return size(section) != 0;
  }

  private void endTake(Section section, int done) {
    int taken = 0;
    try {
      // Of several elements some may have been taken before the section was rolled back.
      taken = done > 0 && section.isUndone() ? 0 : done;
      takeLock.endSection(section);
      if (taken > 0) {
        GONE.setRelease(this, gone + taken); // QUEUE-4
        if (waitingForPlace > 0) {
          hasPlace.signalAll();
        }
      }
    } catch (VirtualMachineError e) {
      section.breakOff(e); // the counter could be wrong
      throw e;
    } finally {
      takeLock.unlock();
    }
    if (taken > 0) {
      region.sections().checkCommitted();
    }
  }

  @Override
  public E take() throws InterruptedException {
    throwIfInterrupted();
    E element = poll();
    while (element == null) {
      awaitElement(Long.MAX_VALUE);
      element = poll();
    }
    return element;
  }

  @Override
  public E poll(long timeout, TimeUnit unit) throws InterruptedException {
    throwIfInterrupted();
    long deadline = System.nanoTime() + unit.toNanos(timeout);
    E element = poll();
    for (long left = timeout; element == null && left > 0; element = poll()) {
      left = awaitElement(deadline - System.nanoTime());
    }
    return element;
  }

  @Override
  public E peek() {
    callers.check();
    Section section = takeLock.lock();
    try {
      checkUsable();
      return hasElement(section) ? chain.head().first() : null;
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    } finally {
      endTake(section, 0);
    }
  }

  @Override
  public int size() {
    checkUsable();
    int rollbacks;
    long size;
    do {
      rollbacks = chain.rollbacks();
      // The smaller counter first: the other only grows meanwhile, so the difference is never
      // negative, and where it is zero the queue was empty at that moment.
      long before = gone;
      size = published - before;
      // QUEUE-4: who has seen how long the queue is, or that it is empty, depends on the sections
      // that made it so. Test: PersistentQueueDependencyTest.p2WhatIsSeenIsDependedOn.
      SectionHooks.observed(key);
    } while (rollbacks != chain.rollbacks()); // QUEUE-5
    return (int) Math.min(Integer.MAX_VALUE, size);
  }

  @Override
  public boolean isEmpty() {
    return size() == 0;
  }

  @Override
  public int remainingCapacity() {
    return capacity == Integer.MAX_VALUE ? capacity : Math.max(0, capacity - size());
  }

  @Override
  public int drainTo(Collection<? super E> target) {
    return drainTo(target, Integer.MAX_VALUE);
  }

  /// Moves elements to another collection, in one section. If the target refuses one, that element
  /// and those after it stay here.
  @Override
  @SuppressWarnings("ReferenceEquality") // the very same queue is meant, as in the JDK's
  public int drainTo(Collection<? super E> target, int most) {
    Objects.requireNonNull(target, "target");
    if (target == this) {
      throw new IllegalArgumentException("a queue can't be drained to itself");
    }
    callers.check();
    int moved = 0;
    Section section = takeLock.lock();
    try {
      checkUsable();
      long available = size(section);
      if (Math.min(available, most) > 1) {
        section.reserve(1); // begins it: several stores, so none is all that the section does
      }
      for (; moved < Math.min(available, most); moved++) {
        E first = chain.head().first();
        drain.run(() -> target.add(first));
        removeFirst(section);
      }
      return moved;
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    } finally {
      endTake(section, moved);
    }
  }

  /// Removes one element that equals the given one, in time proportional to the queue's length.
  @Override
  public boolean remove(Object element) {
    boolean removed = false;
    Section section = lockBoth();
    try {
      QueueWalk<E> walk = chain.walk();
      while (element != null && !removed && walk.advance()) {
        E each = walk.element();
        removed = equals.run(() -> element.equals(each)) && remove(section, walk.place());
      }
      return removed;
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    } finally {
      unlockBoth(section, removed);
    }
  }

  private boolean remove(Section section, QueueWalk.Place place) {
    boolean isThere = place.isOccupied(chain.head());
    if (isThere) {
      try {
        chain.head().remove(section, place, takeSide);
      } catch (VirtualMachineError e) {
        section.breakOff(e);
        throw e;
      }
    }
    return isThere;
  }

  private Section lockBoth() {
    callers.check();
    checkUsable();
    putLock.take(); // one section is enough for both: they share their key
    Section section;
    try {
      section = takeLock.lock();
    } catch (Throwable e) {
      putLock.unlock(); // LOCK-4
      throw e;
    }
    if (deleted) { // while this thread waited for the locks
      unlockBoth(section, false);
      checkUsable();
    }
    return section;
  }

  private void unlockBoth(Section section, boolean removed) {
    try {
      endTake(section, removed ? 1 : 0);
    } finally {
      putLock.unlock();
    }
  }

  /// Not sized, unlike that of `Collection`, since others may add and take meanwhile.
  @Override
  public Spliterator<E> spliterator() {
    return Spliterators.spliteratorUnknownSize(
        iterator(), Spliterator.CONCURRENT | Spliterator.ORDERED | Spliterator.NONNULL);
  }

  @Override
  public Iterator<E> iterator() {
    return new WeaklyConsistentIterator();
  }

  /// Always one element ahead, so that what `hasNext` has promised can be returned, or why it can't
  /// be decoded can be thrown.
  private final class WeaklyConsistentIterator implements Iterator<E> {
    private final QueueWalk<E> walk;
    private Decoded<E> next;
    private QueueWalk.Place nextPlace;
    private QueueWalk.Place lastPlace;

    WeaklyConsistentIterator() {
      Section section = lockBoth();
      try {
        walk = chain.walk();
        advance();
      } catch (InternalError e) {
        throw region.sections().faulted(e);
      } finally {
        unlockBoth(section, false);
      }
    }

    private void advance() {
      if (walk.advance()) {
        nextPlace = walk.place();
        next = Decoded.of(walk);
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
      Section section = lockBoth();
      try {
        Decoded<E> here = next;
        lastPlace = nextPlace;
        advance();
        return here.element();
      } catch (InternalError e) {
        throw region.sections().faulted(e);
      } finally {
        unlockBoth(section, false);
      }
    }

    @Override
    public void remove() {
      if (lastPlace == null) {
        throw new IllegalStateException("next has not been called, or remove twice");
      }
      boolean removed = false;
      Section section = lockBoth();
      try {
        removed = PersistentQueue.this.remove(section, lastPlace);
        lastPlace = null;
      } catch (InternalError e) {
        throw region.sections().faulted(e);
      } finally {
        unlockBoth(section, removed);
      }
    }
  }

  /// What a walk has come to: an element, or why its codec can't read it.
  private record Decoded<E>(E read, RuntimeException refused) {
    static <E> Decoded<E> of(QueueWalk<E> walk) {
      try {
        return new Decoded<>(walk.element(), null);
      } catch (RuntimeException e) {
        return new Decoded<>(null, e);
      }
    }

    E element() {
      if (refused != null) {
        throw refused;
      }
      return read;
    }
  }

  /// Removes the elements that the codec can't read, each in a section of its own: those that an
  /// earlier program stored by a codec with a fault, or that a codec with a fault can't read now.
  /// Until then {@link #poll} and {@link #peek} throw when they come to one, an iterator throws for
  /// it and goes on, and `remove` of the iterator removes it.
  ///
  /// @param taken is given the bytes of each, under the queue's locks and in the section of its
  ///   removal: bytes that it puts into another collection of the store are in one of the two
  ///   whatever happens. If it throws, that element and those after it stay. It must not use this
  ///   queue
  /// @return how many were removed
  public long removeUnreadable(Consumer<byte[]> taken) {
    Objects.requireNonNull(taken, "taken");
    QueueWalk<E> walk = null;
    long count = 0;
    boolean isAtEnd = false;
    while (!isAtEnd) {
      boolean removed = false;
      Section section = lockBoth();
      try {
        walk = walk == null ? chain.walk() : walk;
        isAtEnd = !walk.advance();
        if (!isAtEnd && Decoded.of(walk).refused() instanceof CodecException) {
          byte[] bytes = walk.bytes();
          taking.run(
              () -> {
                taken.accept(bytes);
                return null;
              });
          removed = remove(section, walk.place());
        }
      } catch (InternalError e) {
        throw region.sections().faulted(e);
      } finally {
        unlockBoth(section, removed);
      }
      count += removed ? 1 : 0;
    }
    return count;
  }

  /// Checks all that the layout promises, reading the whole queue; meant for tests and tools.
  ///
  /// @return how many elements there are
  /// @throws io.holdfast.core.RegionDamagedException naming the first fault and its offset
  public int validate() {
    Section section = lockBoth();
    try {
      return chain.validate();
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    } finally {
      unlockBoth(section, false);
    }
  }

  @Override
  public long knownSize() {
    long before = gone; // the smaller one first, as in size()
    return published - before;
  }

  @Override
  public long changes() {
    return published + gone;
  }

  @Override
  public void storeClosed() {
    wakeAll();
  }

  @Override
  public void deleted(boolean isDeleted) {
    deleted = isDeleted;
  }

  @Override
  public boolean delete(BooleanSupplier deletion) {
    boolean isGone;
    Section section = lockBoth();
    try {
      isGone = deletion.getAsBoolean();
      deleted = isGone;
    } finally {
      unlockBoth(section, false);
    }
    wakeAll();
    return isGone;
  }

  /// Frees some blocks of a queue that was deleted; called by the store.
  ///
  /// @see Disposal
  @SuppressWarnings("exports") // as above
  public static boolean freeSome(Region region, Root root) {
    return QueueChain.freeSome(region, root.firstBlock(), Disposal.CHANGES_MAX);
  }

  private void wakeAll() {
    wakeAll(putLock, hasElement);
    wakeAll(takeLock, hasPlace);
  }

  private static void wakeAll(SectionLock lock, Condition condition) {
    if (lock.takeUnlessLost()) {
      try {
        condition.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
