package io.holdfast.collections.overlay;

import io.holdfast.core.section.Sections;
import java.util.concurrent.atomic.AtomicLong;

/// What a thread's section or transaction holds back of one collection.
///
/// Confined to its thread.
public abstract class CollectionOverlay {
  private static final AtomicLong ORDERS = new AtomicLong();

  /// Those of the collection's store.
  protected final Sections sections;

  /// What this is of, as {@link HeldBack} knows it.
  Object collection;

  @SuppressWarnings("exports") // Sections is for Holdfast's own modules
  protected CollectionOverlay(Sections sections) {
    this.sections = sections;
  }

  /// A place in the order in which locks of several collections are taken, for one that is opened.
  public static long nextLockOrder() {
    return ORDERS.incrementAndGet();
  }

  /// The collection's place in that order.
  protected abstract long lockOrder();

  /// What may wait by itself, before the first {@link #hold}.
  protected void prepare() {
    // as a rule nothing
  }

  /// Locks what {@link #store} will change; of a transaction also what it has read.
  protected abstract void hold();

  /// Unlocks what was locked, without making an object (GIVE-1): nothing is stored yet.
  protected abstract void giveWay();

  /// Stores all in the thread's section, in place, while it is locked.
  ///
  /// @param isAll whether the section holds nothing else back (ALONE-1)
  /// @throws io.holdfast.core.RegionFullException if there is no room; the section was rolled back
  protected abstract void store(boolean isAll);

  /// All overlays of the section are stored: what it had claimed is so no more. Never fails.
  protected abstract void stored();

  /// Called for all overlays of the section before the first {@link #letGo}: readers that take no
  /// lock are to wait until this one's. Never fails.
  protected void letGoSoon() {
    // as a rule nobody does
  }

  /// Unlocks what it has locked, if anything, without making an object (GIVE-1); after the
  /// section's end, or that of a run.
  protected abstract void letGo();

  /// After {@link #letGo} of all overlays: gives back what was claimed by a section that was
  /// undone. Never throws.
  protected void giveBack() {
    // as a rule nothing
  }

  /// It is undone, or over: gives back what it has claimed, without making an object (GIVE-1). What
  /// it has locked stays so until {@link #letGo}.
  protected abstract void forget();

  /// Of a section: stores all in place as single operations do, and goes on empty.
  protected abstract void storeOpenly();

  /// Whether it would change anything.
  protected abstract boolean isChanging();

  // Of a transaction; a section comes to none of these

  /// Locks the whole collection, so that what is read stays so.
  protected void holdAll() {
    throw noTransaction();
  }

  /// Whether nothing has changed where it has read. Takes no lock.
  protected boolean isStill() {
    return true;
  }

  /// Reads again what may have changed.
  ///
  /// @return whether it is the same; then {@link #isStill} goes by this reading
  protected boolean isSame() {
    return true;
  }

  /// Whether an open section has claimed what this would change, without its building on that.
  /// While it is locked.
  protected boolean isClaimedByOthers() {
    return false;
  }

  /// Forgets what was read, and the changes; a queue keeps what it has claimed for the next run.
  protected void runAgain() {
    throw noTransaction();
  }

  /// The thread is about to wait for a change: gives back what it has claimed.
  protected void beforeWait() {
    // maps have nothing of the kind
  }

  /// What it would change now, for {@link #backTo}; `null` for nothing.
  protected Object mark() {
    return null;
  }

  /// Drops the changes since a mark, and keeps what was read.
  ///
  /// @param mark `null` for all changes
  protected void backTo(Object mark) {
    throw noTransaction();
  }

  private static AssertionError noTransaction() {
    return new AssertionError("a section is no transaction");
  }
}
