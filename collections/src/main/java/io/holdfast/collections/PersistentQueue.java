package io.holdfast.collections;

import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.codec.EncodedOutput;
import io.holdfast.collections.queue.HeldElements;
import io.holdfast.collections.queue.OverlaidQueue;
import io.holdfast.collections.queue.QueueChain;
import io.holdfast.collections.queue.QueueEnds;
import io.holdfast.collections.queue.QueueOverlay;
import io.holdfast.collections.queue.QueueWalk;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import java.util.AbstractQueue;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// A FIFO queue in a region: a {@link BlockingQueue} that is still there, and still right, after
/// the process was killed.
///
/// *Durability.* Each operation is a failure-atomic section of its own; when it returns it is
/// durable, unless it depends on a section that has not ended. Inside of an outer section or a
/// transaction it stands and falls with that: if it is undone, or a crash cuts it off, what was
/// taken is at its place again, and what was added is not there.
///
/// *Threads.* Safe for any number of them, virtual ones included. One thread adds and one takes at
/// a time, and these two don't hinder each other. Waiting holds no lock, and interrupts harm
/// nothing. Iterators are weakly consistent.
///
/// *Sections.* What an outer section has added is its own until it ends, and behind all other
/// elements. What it has taken is claimed until then: others pass it over, though {@link #size}
/// counts it, and a place in a queue with a bound is free when the section has ended. So sections
/// that take different elements share nothing, and none depends on another. When the section gives
/// up an inner lock, or waits here ({@link #take}, {@link #put}), others see what it has done so
/// far, and depend on it.
///
/// *Transactions.* The same, and what is read (that there is no element, or no place; the size;
/// what an iterator came to) is so until the end. To take an element is no reading. Elements that
/// an open transaction has taken are passed over, and a poll that finds no others returns `null`;
/// if that transaction fails, they are there again, like the rows that SQL's `SKIP LOCKED` skips.
/// Where {@link #take} or {@link #put} would wait, the transaction waits as by `Transaction.retry`,
/// whose exception tells of an interrupt, too; the time of {@link #poll(long, TimeUnit)} counts
/// from the first such wait of the transaction.
///
/// *Elements.* Not `null`; at most 2,147,483,639 bytes when encoded. They are encoded when added
/// and decoded when looked at, so equality is that of decoded elements, and an element is never the
/// object that was added. One that is removed from the middle keeps its room in the file until all
/// before it are gone.
///
/// *Your code.* An element is encoded before a lock is taken. While an operation decodes one, asks
/// its `equals`, or gives it to the target of {@link #drainTo}, the code that it calls must not use
/// this queue: such a call throws `IllegalStateException` ("Recursive update") and changes nothing.
/// A target that changes another collection of the store waits for that one's lock with this
/// queue's held, as a function of {@link PersistentHashMap} does. In a transaction it does not.
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
/// On media: `QueueLayout`. In memory, with the locks and what a thread sees of the other end:
/// `QueueEnds`. What open sections have taken: `QueueClaims`; what they hold back: `QueueOverlay`.
public final class PersistentQueue<E> extends AbstractQueue<E>
    implements BlockingQueue<E>, StoredCollection {
  /// The kind of this collection, as its root says.
  public static final String KIND = "queue";

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
  private final QueueEnds<E> ends;
  private final OverlaidQueue<E> overlaid;

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
    this.ends = new QueueEnds<>(region, chain, capacity);
    this.overlaid = new OverlaidQueue<>(region, ends);
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
    if (ends.isFull() && !overlaid.isAny()) {
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
    Section section = ends.lockPut();
    if (section == null) {
      byte[] copy = copy(element, encoded);
      QueueOverlay<E> held = overlaid.forChange(copy.length);
      if (held != null) {
        return region.sections().guarded(() -> held.offer(copy));
      }
      section = ends.lockPutInPlace();
    }
    boolean hasRoom;
    try {
      ends.checkUsable();
      hasRoom = ends.hasRoom(section);
      if (hasRoom) {
        EncodedOutput bytes = encoded;
        if (bytes == null) {
          bytes = buffer;
          bytes.reset();
          codec.encode(element, bytes);
        }
        ends.add(section, bytes);
      }
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    } finally {
      try {
        ends.endPut(section);
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        section.cut = e;
        section.breakOff(e); // where the very call fails, the lock is kept (LOCK-4); told below
      }
    }
    region.sections().checkCommitted();
    return hasRoom;
  }

  private byte[] copy(E element, EncodedOutput encoded) {
    EncodedOutput bytes = encoded;
    if (bytes == null) {
      bytes = new EncodedOutput();
      codec.encode(element, bytes);
    }
    return Arrays.copyOf(bytes.array(), bytes.length());
  }

  @Override
  public void put(E element) throws InterruptedException {
    throwIfInterrupted();
    while (!offer(element)) {
      if (!overlaid.letsOthersSee()) {
        throw overlaid.view().retry();
      }
      ends.awaitPlace(Long.MAX_VALUE);
    }
  }

  @Override
  public boolean offer(E element, long timeout, TimeUnit unit) throws InterruptedException {
    throwIfInterrupted();
    long deadline = System.nanoTime() + unit.toNanos(timeout);
    boolean added = offer(element);
    for (long left = timeout; !added && left > 0; added = offer(element)) {
      if (!overlaid.letsOthersSee()) {
        retryFor(unit.toNanos(timeout));
        return false;
      }
      left = ends.awaitPlace(deadline - System.nanoTime());
    }
    return added;
  }

  /// Has a transaction run again, unless its time is over.
  private void retryFor(long nanos) {
    QueueOverlay<E> held = overlaid.view();
    if (!held.isOver(nanos)) {
      throw held.retryFor(nanos);
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
    if (ends.isEmpty() && !overlaid.isAny()) { // without the lock, for those who ask in vain
      return null;
    }
    Section section = ends.lockTake();
    if (section == null) {
      QueueOverlay<E> held = overlaid.forChange(0);
      if (held != null) {
        return region.sections().guarded(held::poll);
      }
      section = ends.lockTakeInPlace();
    }
    E first;
    try {
      ends.checkUsable();
      first = ends.first(section);
      if (first != null) {
        ends.removeFirst(section);
      }
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    } finally {
      try {
        ends.endTake(section);
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        section.cut = e;
        section.breakOff(e); // as in an offer
      }
    }
    region.sections().checkCommitted();
    return first;
  }

  @Override
  public E take() throws InterruptedException {
    throwIfInterrupted();
    E element = poll();
    while (element == null) {
      if (!overlaid.letsOthersSee()) {
        throw overlaid.view().retry();
      }
      ends.awaitElement(Long.MAX_VALUE);
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
      if (!overlaid.letsOthersSee()) {
        retryFor(unit.toNanos(timeout));
        return null;
      }
      left = ends.awaitElement(deadline - System.nanoTime());
    }
    return element;
  }

  @Override
  public E peek() {
    callers.check();
    QueueOverlay<E> held = overlaid.view();
    return held == null
        ? region.sections().guarded(ends::peek)
        : region.sections().guarded(held::peek);
  }

  @Override
  public int size() {
    QueueOverlay<E> held = overlaid.view();
    return (int) Math.min(Integer.MAX_VALUE, held == null ? ends.size() : held.size());
  }

  @Override
  public boolean isEmpty() {
    QueueOverlay<E> held = overlaid.view();
    return held == null ? ends.size() == 0 : held.isEmpty();
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
    QueueOverlay<E> held = overlaid.forChange(0);
    return held == null ? drainInPlace(target, most) : drain(held, target, most);
  }

  private int drain(QueueOverlay<E> held, Collection<? super E> target, int most) {
    // Not those that others add meanwhile, without end.
    long available = Math.max(1, ends.knownSize() + held.pending());
    int moved = 0;
    E next = most > 0 ? held.lookAhead() : null;
    while (next != null) {
      E first = next;
      boolean isMoved = false;
      try {
        drain.run(() -> target.add(first));
        held.takeAhead();
        isMoved = true;
      } finally {
        if (!isMoved) {
          held.leaveAhead();
        }
      }
      moved++;
      next = moved < Math.min(most, available) ? held.lookAhead() : null;
    }
    return moved;
  }

  private int drainInPlace(Collection<? super E> target, int most) {
    return ends.underTake(
        section -> {
          long available = Math.min(ends.size(section), most);
          if (available > 1) {
            section.reserve(1); // begins it: several stores, so none is all that the section does
          }
          int moved = 0;
          for (; moved < available; moved++) {
            E first = ends.first(section);
            if (first == null) {
              break; // others have claimed what is left
            }
            drain.run(() -> target.add(first));
            try {
              ends.removeFirst(section);
            } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
              section.breakOff(e); // where the very call fails: a target in this store has it too
              throw e;
            }
          }
          return moved;
        });
  }

  /// Removes one element that equals the given one, in time proportional to the queue's length.
  @Override
  public boolean remove(Object element) {
    callers.check();
    QueueOverlay<E> held = overlaid.forChange(0);
    return held == null
        ? removeInPlace(element)
        : element != null && region.sections().guarded(() -> remove(held, element));
  }

  private boolean remove(QueueOverlay<E> held, Object element) {
    HeldElements<E> elements = held.elements();
    while (elements.advance()) {
      if (elements.refused() != null) {
        throw elements.refused();
      }
      E each = elements.element();
      if (equals.run(() -> element.equals(each)) && elements.remove(elements.index())) {
        return true;
      }
    }
    return false;
  }

  private boolean removeInPlace(Object element) {
    return ends.underBoth(
        section -> {
          boolean removed = false;
          QueueWalk<E> walk = chain.walk();
          while (element != null && !removed && ends.advance(walk)) {
            E each = walk.element();
            removed = equals.run(() -> element.equals(each)) && ends.remove(section, walk.place());
          }
          return removed;
        });
  }

  /// Not sized, unlike that of `Collection`, since others may add and take meanwhile.
  @Override
  public Spliterator<E> spliterator() {
    return new UndividedSpliterator<>(
        Spliterators.spliteratorUnknownSize(
            iterator(), Spliterator.CONCURRENT | Spliterator.ORDERED | Spliterator.NONNULL),
        region.sections());
  }

  @Override
  public Iterator<E> iterator() {
    callers.check();
    QueueOverlay<E> held = overlaid.view();
    return held == null
        ? new QueueIterator<>(chain, ends, overlaid, callers)
        : new HeldQueueIterator<>(held.elements(), callers);
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
    callers.check();
    QueueOverlay<E> held = overlaid.forChange(0);
    return held == null ? removeInPlace(taken) : removeUnreadable(held, taken);
  }

  private long removeUnreadable(QueueOverlay<E> held, Consumer<byte[]> taken) {
    long count = 0;
    HeldElements<E> elements = held.elements();
    while (elements.advance()) {
      if (elements.refused() instanceof CodecException) {
        byte[] bytes = elements.bytes();
        taking.run(
            () -> {
              taken.accept(bytes);
              return null;
            });
        count += elements.remove(elements.index()) ? 1 : 0;
      }
    }
    return count;
  }

  private long removeInPlace(Consumer<byte[]> taken) {
    QueueWalk<E> walk = ends.reading(chain::walk);
    long count = 0;
    while (ends.underBoth(section -> removeNextUnreadable(section, walk, taken))) {
      count++;
    }
    return count;
  }

  private boolean removeNextUnreadable(Section section, QueueWalk<E> walk, Consumer<byte[]> taken) {
    while (ends.advance(walk)) {
      if (QueueIterator.Decoded.of(walk).refused() instanceof CodecException) {
        byte[] bytes = walk.bytes();
        taking.run(
            () -> {
              taken.accept(bytes);
              return null;
            });
        try {
          return ends.remove(section, walk.place());
        } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
          section.breakOff(e); // as in drainInPlace
          throw e;
        }
      }
    }
    return false;
  }

  /// Checks all that the layout promises, reading the whole queue; meant for tests and tools.
  ///
  /// @return how many elements there are
  /// @throws io.holdfast.core.RegionDamagedException naming the first fault and its offset
  public long validate() {
    callers.check();
    return ends.reading(chain::validate);
  }

  @Override
  public long knownSize() {
    return ends.knownSize();
  }

  @Override
  public long changes() {
    return ends.changes();
  }

  @Override
  public void storeClosed() {
    ends.wakeAll();
  }

  @Override
  public void deleted(boolean isDeleted) {
    ends.deleted(isDeleted);
  }

  @Override
  public boolean delete(BooleanSupplier deletion) {
    callers.check();
    return ends.delete(deletion);
  }
}
