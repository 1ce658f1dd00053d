package io.holdfast.collections;

import io.holdfast.collections.queue.OverlaidQueue;
import io.holdfast.collections.queue.QueueChain;
import io.holdfast.collections.queue.QueueEnds;
import io.holdfast.collections.queue.QueueOverlay;
import io.holdfast.collections.queue.QueueWalk;
import java.util.Iterator;
import java.util.NoSuchElementException;

/// Goes through a queue while others change it. Always one element ahead, so that what `hasNext`
/// has promised can be returned, or why it can't be decoded can be thrown.
///
/// Confined to a thread.
final class QueueIterator<E> implements Iterator<E> {
  private final QueueEnds<E> ends;
  private final OverlaidQueue<E> overlaid;
  private final CallersCode callers;
  private final QueueWalk<E> walk;
  private Decoded<E> next;
  private QueueWalk.Place nextPlace;
  private QueueWalk.Place lastPlace;

  QueueIterator(
      QueueChain<E> chain, QueueEnds<E> ends, OverlaidQueue<E> overlaid, CallersCode callers) {
    this.ends = ends;
    this.overlaid = overlaid;
    this.callers = callers;
    this.walk =
        ends.reading(
            () -> {
              QueueWalk<E> begun = chain.walk();
              advance(begun);
              return begun;
            });
  }

  /// What a walk has come to: an element, or why its codec can't read it.
  record Decoded<E>(E read, RuntimeException refused) {
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

  private void advance(QueueWalk<E> from) {
    boolean isThere = ends.advance(from);
    nextPlace = isThere ? from.place() : null;
    next = isThere ? Decoded.of(from) : null;
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
    callers.check();
    return ends.reading(
        () -> {
          Decoded<E> here = next;
          lastPlace = nextPlace;
          advance(walk);
          return here.element();
        });
  }

  @Override
  public void remove() {
    if (lastPlace == null) {
      throw new IllegalStateException("next has not been called, or remove twice");
    }
    callers.check();
    QueueOverlay<E> held = overlaid.forChange(0);
    if (held == null) {
      ends.underBoth(section -> ends.remove(section, lastPlace));
    } else {
      held.claimAt(lastPlace);
    }
    lastPlace = null;
  }
}
