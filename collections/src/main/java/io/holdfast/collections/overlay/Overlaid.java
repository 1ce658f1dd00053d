package io.holdfast.collections.overlay;

import io.holdfast.core.heap.Heap;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.HeldChanges;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.ThreadSections;

/// A map or sorted map, for threads that hold changes of it back.
///
/// Thread-safe.
public final class Overlaid {
  private final KeyedStore store;
  private final Sections sections;
  private final Heap heap;

  /// Whether keys are compared by code of the caller's: a section holds nothing back of such a map,
  /// since that code may throw, and a lock that is given up can't say so. A transaction can.
  private final boolean comparesByCallersCode;

  public Overlaid(Region region, KeyedStore store, boolean comparesByCallersCode) {
    this.comparesByCallersCode = comparesByCallersCode;
    this.store = store;
    this.sections = region.sections();
    this.heap = region.heap();
  }

  Sections sections() {
    return sections;
  }

  /// The map as the calling thread sees it.
  ///
  /// @return `null` if it holds nothing of it back, as a rule
  public KeyedView view() {
    // As long as its class is not loaded, a method that returns it is never inlined.
    return sections.hasHeldBack() ? viewOf(sections.heldBack()) : null;
  }

  private KeyedView viewOf(HeldChanges held) {
    if (held instanceof TransactionOverlay transaction) {
      return transaction.view(store, this);
    }
    return held instanceof SectionOverlay section ? (KeyedView) section.of(store) : null;
  }

  /// Where the calling thread changes the map.
  ///
  /// @return `null` if that is in place
  public KeyedView forChange() {
    ThreadSections thread = ThreadSections.current();
    if (!thread.inSection()) {
      return null;
    }
    if (thread.heldBack() instanceof TransactionOverlay transaction) {
      return transaction.view(store, this);
    }
    return thread.holdsBack() ? inSection(thread) : null;
  }

  /// What the section holds back that the thread is in, or, where there might be no room to store
  /// it later, `null`: a lock that is given up can't say so.
  KeyedView inSection(ThreadSections thread) {
    if (comparesByCallersCode) {
      return null;
    }
    KeyedOverlay overlay =
        SectionOverlay.current(thread, sections)
            .of(store, () -> new KeyedOverlay(store, sections, heap));
    return overlay.heldBytes().admits(0, overlay) ? overlay : null;
  }
}
