package io.holdfast.collections;

import io.holdfast.collections.queue.HeldElements;
import java.util.Iterator;
import java.util.NoSuchElementException;

/// Goes through a queue of which the thread's section or transaction holds changes back. One
/// element ahead, as {@link QueueIterator} is.
///
/// Confined to a thread.
final class HeldQueueIterator<E> implements Iterator<E> {
  private final HeldElements<E> elements;
  private final CallersCode callers;
  private boolean hasNext;
  private int last = -1;

  HeldQueueIterator(HeldElements<E> elements, CallersCode callers) {
    this.elements = elements;
    this.callers = callers;
    this.hasNext = elements.advance();
  }

  @Override
  public boolean hasNext() {
    return hasNext;
  }

  @Override
  public E next() {
    if (!hasNext) {
      throw new NoSuchElementException();
    }
    callers.check();
    last = elements.index();
    E element = elements.element();
    RuntimeException refused = elements.refused();
    hasNext = elements.advance();
    if (refused != null) {
      throw refused;
    }
    return element;
  }

  @Override
  public void remove() {
    if (last < 0) {
      throw new IllegalStateException("next has not been called, or remove twice");
    }
    callers.check();
    elements.remove(last);
    last = -1;
  }
}
