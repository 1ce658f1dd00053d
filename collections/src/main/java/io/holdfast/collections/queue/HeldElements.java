package io.holdfast.collections.queue;

import java.util.List;

/// A walk over the elements of a queue as a section or transaction saw them at one moment: first
/// those in place, then those that it has added.
///
/// Confined to its thread.
public final class HeldElements<E> {
  private final OverlaidQueue<E> queue;
  private final QueueEnds<E> ends;
  private final QueueSnapshot inPlace;
  private final List<QueueOffer> offers;

  /// The next one to look at: of those in place, then of the offers.
  private int next;

  private E element;
  private RuntimeException refused;
  private byte[] bytes;

  HeldElements(
      OverlaidQueue<E> queue, QueueEnds<E> ends, QueueSnapshot inPlace, List<QueueOffer> offers) {
    this.queue = queue;
    this.ends = ends;
    this.inPlace = inPlace;
    this.offers = offers;
  }

  /// Goes on to the next element that is still there.
  ///
  /// @return whether there is one
  public boolean advance() {
    boolean isThere = false;
    while (!isThere && next < inPlace.size() + offers.size()) {
      int index = next++;
      isThere = ends.reading(() -> look(index));
    }
    QueueOverlay<E> held = queue.view();
    if (held != null) {
      held.checkReadings();
    }
    return isThere;
  }

  private boolean look(int index) {
    QueueOverlay<E> held = queue.view();
    QueueHead<E> head = ends.chain().head();
    refused = null;
    element = null;
    if (index >= inPlace.size()) {
      QueueOffer offer = offers.get(index - inPlace.size());
      bytes = offer.bytes;
      if (!offer.isStored() && (held == null || !held.isPending(offer))) {
        return false;
      }
      decode(() -> head.decode(offer.bytes));
      return true;
    }
    QueueWalk.Place place = inPlace.place(ends.chain(), index);
    long number = inPlace.number(index);
    if (place == null || (held == null ? ends.isClaimed(number) : !held.isThere(number))) {
      return false;
    }
    bytes = null;
    decode(() -> head.decode(place.position()));
    if (refused != null) {
      bytes = head.bytes(place.position());
    }
    return true;
  }

  private interface Decoding<E> {
    E decode();
  }

  private void decode(Decoding<E> decoding) {
    try {
      element = decoding.decode();
    } catch (RuntimeException e) {
      refused = e;
    }
  }

  /// The element that {@link #advance} has come to; `null` if its codec can't read it.
  public E element() {
    return element;
  }

  /// Why its codec can't read it; `null` if it can.
  public RuntimeException refused() {
    return refused;
  }

  /// The bytes of an element that its codec can't read.
  public byte[] bytes() {
    return bytes;
  }

  /// The index of the element that {@link #advance} has come to, for {@link #remove}.
  public int index() {
    return next - 1;
  }

  /// Takes an element.
  ///
  /// @return false if it is gone, or others have claimed it
  public boolean remove(int index) {
    QueueOverlay<E> held = queue.forChange(0);
    if (index < inPlace.size()) {
      return remove(held, inPlace.word(index), inPlace.number(index), inPlace.rollbacks());
    }
    QueueOffer offer = offers.get(index - inPlace.size());
    if (held != null && held.isPending(offer)) {
      return held.remove(offer);
    }
    return offer.isStored() && remove(held, offer.word, offer.number, ends.chain().rollbacks());
  }

  private boolean remove(QueueOverlay<E> held, long word, long number, int rollbacks) {
    if (held != null) {
      return held.claim(word, number, rollbacks);
    }
    return ends.underBoth(
        section -> {
          QueueWalk.Place place = ends.chain().place(word, number, rollbacks);
          return place != null && ends.remove(section, place);
        });
  }
}
