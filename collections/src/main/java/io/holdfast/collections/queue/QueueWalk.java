package io.holdfast.collections.queue;

/// A walk over a queue's elements, weakly consistent: it may be left and taken up again while
/// elements come and go. Those that are taken meanwhile are passed over; those behind the first
/// never move, so a place is good as long as its element's number is not below the first one's.
///
/// Guarded by both of the queue's locks.
public final class QueueWalk<E> {
  private final QueueHead<E> head;
  private Position at;
  private long number;
  private boolean onElement;

  QueueWalk(QueueHead<E> head) {
    this.head = head;
    this.at = head.position();
    this.number = head.number();
  }

  /// Goes on to the next element.
  ///
  /// @return whether there is one
  public boolean advance() {
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

  private void step() {
    at.pass();
    number++;
  }

  /// Decodes the element that {@link #advance} found.
  public E element() {
    return head.decode(at);
  }

  /// Where the element is that {@link #advance} found.
  public Place place() {
    return new Place(at.copy(), number);
  }

  /// An element's place, good until the element is taken.
  public static final class Place {
    private final Position at;
    private final long number;

    private Place(Position at, long number) {
      this.at = at;
      this.number = number;
    }

    /// Whether the element is still in the queue. Guarded by both locks.
    public boolean isOccupied(QueueHead<?> head) {
      return number >= head.number() && at.findElement() && !QueueLayout.isRemoved(at.meta());
    }

    Position position() {
      return at;
    }
  }
}
