package io.holdfast.collections.queue;

import io.holdfast.collections.overlay.CollectionOverlay;
import io.holdfast.collections.overlay.SectionOverlay;
import io.holdfast.collections.overlay.TransactionOverlay;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.HeldChanges;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.ThreadSections;

/// A queue, for threads that hold changes of it back.
///
/// Thread-safe.
public final class OverlaidQueue<E> {
  private final QueueEnds<E> ends;
  private final Sections sections;
  private final Heap heap;
  private final long lockOrder = CollectionOverlay.nextLockOrder();

  public OverlaidQueue(Region region, QueueEnds<E> ends) {
    this.ends = ends;
    this.sections = region.sections();
    this.heap = region.heap();
  }

  QueueEnds<E> ends() {
    return ends;
  }

  long lockOrder() {
    return lockOrder;
  }

  /// Whether the calling thread holds back anything, of any collection.
  public boolean isAny() {
    return sections.heldBack() != null;
  }

  /// The queue as the calling thread sees it.
  ///
  /// @return `null` if it holds nothing of it back, as a rule
  public QueueOverlay<E> view() {
    return switch (sections.heldBack()) {
      case TransactionOverlay transaction -> in(transaction);
      case SectionOverlay section -> in(section);
      case null, default -> null;
    };
  }

  @SuppressWarnings("unchecked") // this queue's
  private QueueOverlay<E> in(SectionOverlay section) {
    return (QueueOverlay<E>) section.of(ends);
  }

  @SuppressWarnings("unchecked") // this queue's
  private QueueOverlay<E> in(TransactionOverlay transaction) {
    return transaction.of(
        ends,
        () ->
            new QueueOverlay<>(
                this, heap, sections, transaction, (QueueOverlay<E>) transaction.outerOf(ends)));
  }

  /// Where the calling thread changes the queue.
  ///
  /// @param more how many bytes it adds
  /// @return `null` if that is in place
  public QueueOverlay<E> forChange(long more) {
    ThreadSections thread = ThreadSections.current();
    if (!thread.holdsBack()) {
      return null;
    }
    if (thread.heldBack() instanceof TransactionOverlay transaction) {
      return in(transaction);
    }
    QueueOverlay<E> overlay = inSection();
    return overlay.heldBytes().admits(more, overlay) ? overlay : null;
  }

  /// What the section holds back of the queue that the thread is in.
  QueueOverlay<E> inSection() {
    return SectionOverlay.current(ThreadSections.current(), sections)
        .of(ends, () -> new QueueOverlay<>(this, heap, sections, null, null));
  }

  /// Before the calling thread waits for others: they see what its section has held back.
  ///
  /// @return false in a transaction, which waits in its own way
  public boolean letsOthersSee() {
    HeldChanges held = sections.heldBack();
    if (held instanceof TransactionOverlay) {
      return false;
    }
    if (held != null) {
      held.storeOpenly();
    }
    return true;
  }
}
