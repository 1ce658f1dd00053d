package io.holdfast.collections.queue;

import java.util.ConcurrentModificationException;

/// A walk over a queue's elements, weakly consistent: it may be left and taken up again while
/// elements come and go. Those that are taken meanwhile are passed over; those after the first
/// never move, so a place is good as long as its element's number is not below the first one's.
///
/// Guarded by both of the queue's locks.
public final class QueueWalk<E> {
  private final QueueHead<E> head;
  private final QueueRollbacks rollbacks;
  private int seenRollbacks;
  private Position at;
  private long number;
  private boolean onElement;

  QueueWalk(QueueHead<E> head, QueueRollbacks rollbacks) {
    this.head = head;
    this.rollbacks = rollbacks;
    this.seenRollbacks = rollbacks.count();
    this.at = head.position();
    this.number = head.number();
  }

  /// Goes on to the next element.
  ///
  /// @return whether there is one
  public boolean advance() {
    if (rollbacks.count() != seenRollbacks) {
      findAgain();
    }
    if (number < head.number()) {
      at = head.position();
      number = head.number();
    } else if (onElement) {
      step();
    }
    while (at.findElement() && QueueLayout.isRemoved(at.meta())) {
      step();
    }
    onElement = at.findElement();
    return onElement;
  }

  /// A block of the chain may be gone, and elements with it that this walk had come to.
  private void findAgain() {
    seenRollbacks = rollbacks.count();
    long reached = number;
    at = head.position();
    number = head.number();
    while (number < reached && at.findElement()) {
      step();
    }
    onElement = onElement && number == reached && at.findElement();
  }

  private void step() {
    at.pass();
    number++;
  }

  /// The number of the element that {@link #advance} found.
  long number() {
    return number;
  }

  /// Where it is, as HEAD would say it.
  long word() {
    return QueueLayout.position(at.block(), at.line());
  }

  /// Decodes the element that {@link #advance} found.
  public E element() {
    return head.decode(at);
  }

  /// The bytes of the element that {@link #advance} found.
  public byte[] bytes() {
    return head.bytes(at);
  }

  /// Where the element is that {@link #advance} found.
  public Place place() {
    return new Place(at.copy(), number, rollbacks);
  }

  /// An element's place, good until the element is taken.
  public static final class Place {
    private final Position at;
    private final long number;
    private final QueueRollbacks rollbacks;
    private final int seenRollbacks;

    private Place(Position at, long number, QueueRollbacks rollbacks) {
      this(at, number, rollbacks, rollbacks.count());
    }

    Place(Position at, long number, QueueRollbacks rollbacks, int seenRollbacks) {
      this.at = at;
      this.number = number;
      this.rollbacks = rollbacks;
      this.seenRollbacks = seenRollbacks;
    }

    long number() {
      return number;
    }

    /// Whether the element is still in the queue. Guarded by both locks.
    ///
    /// @throws ConcurrentModificationException if the element may have been taken back with the
    ///   section that added it
    public boolean isOccupied(QueueHead<?> head) {
      if (rollbacks.mayHaveTaken(number, seenRollbacks)) {
        throw new ConcurrentModificationException(
            "the section that added this element was rolled back, because the device was full");
      }
      return number >= head.number() && at.findElement() && !QueueLayout.isRemoved(at.meta());
    }

    Position position() {
      return at;
    }
  }
}
