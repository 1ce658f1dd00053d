package io.holdfast.collections;

import io.holdfast.collections.overlay.CollectionOverlay;
import io.holdfast.collections.overlay.SectionOverlay;
import io.holdfast.collections.overlay.TransactionOverlay;
import io.holdfast.core.section.HeldChanges;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.ThreadSections;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// The elements of a delay queue that a section or transaction takes, which nobody else may try to
/// take before its end. The changes themselves are held back by the queue's sorted map.
///
/// Confined to its thread.
final class DelayClaims extends CollectionOverlay {
  private final PersistentDelayQueue<?> queue;

  /// Whether it is a transaction's in a section that goes on after it.
  private final boolean isInner;

  private final List<UUID> keys = new ArrayList<>();

  private DelayClaims(PersistentDelayQueue<?> queue, Sections sections, boolean isInner) {
    super(sections);
    this.queue = queue;
    this.isInner = isInner;
  }

  /// Those of the section that the thread is in; `null` if what it does is there at once.
  static DelayClaims current(PersistentDelayQueue<?> queue, Sections sections) {
    ThreadSections thread = ThreadSections.current();
    if (!thread.holdsBack()) {
      return null;
    }
    HeldChanges held = thread.heldBack();
    return held instanceof TransactionOverlay transaction
        ? transaction.of(queue, () -> new DelayClaims(queue, sections, transaction.isInner()))
        : inSection(thread, queue, sections);
  }

  private static DelayClaims inSection(
      ThreadSections thread, PersistentDelayQueue<?> queue, Sections sections) {
    return SectionOverlay.current(thread, sections)
        .of(queue, () -> new DelayClaims(queue, sections, false));
  }

  void add(UUID key) {
    keys.add(key);
  }

  /// Takes back the last {@link #add}: somebody has taken that.
  void removeLast() {
    keys.removeLast();
  }

  @Override
  protected long lockOrder() {
    return queue.lockOrder();
  }

  @Override
  protected void hold() {
    // the map does
  }

  @Override
  protected void giveWay() {
    // the map does
  }

  /// Of an inner transaction: the section has taken them from now on.
  @Override
  protected void store(boolean isAll) {
    if (isInner) {
      inSection(ThreadSections.current(), queue, sections).keys.addAll(keys);
      keys.clear();
    }
  }

  @Override
  protected void stored() {
    // letGo says so, after the section's end
  }

  @Override
  protected void letGo() {
    queue.ended(keys);
    keys.clear();
  }

  @Override
  protected void forget() {
    letGo();
  }

  @Override
  protected void storeOpenly() {
    // the map does
  }

  @Override
  protected void holdAll() {
    // the map does
  }

  @Override
  protected boolean isChanging() {
    return false;
  }

  @Override
  protected void runAgain() {
    letGo();
  }

  @Override
  protected Object mark() {
    return keys.size();
  }

  /// What an alternative has taken is there for the next one, as its removal is dropped.
  @Override
  protected void backTo(Object mark) {
    List<UUID> dropped = keys.subList(mark == null ? 0 : (int) mark, keys.size());
    queue.ended(dropped);
    dropped.clear();
  }
}
