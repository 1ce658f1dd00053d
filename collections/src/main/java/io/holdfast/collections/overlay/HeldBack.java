package io.holdfast.collections.overlay;

import io.holdfast.core.section.HeldChanges;
import io.holdfast.core.section.SectionLock;
import io.holdfast.core.section.ThreadSections;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// What a thread holds back, by collection, in the order in which these are locked.
///
/// Confined to its thread.
@SuppressWarnings("exports") // HeldChanges is for Holdfast's own modules
abstract class HeldBack implements HeldChanges {
  // What may have to be done when nothing can be made any more (GIVE-1).
  private static final Consumer<CollectionOverlay> GIVE_WAY = CollectionOverlay::giveWay;
  private static final Consumer<CollectionOverlay> LET_GO_SOON = CollectionOverlay::letGoSoon;
  private static final Consumer<CollectionOverlay> LET_GO = CollectionOverlay::letGo;
  private static final Consumer<CollectionOverlay> GIVE_BACK = CollectionOverlay::giveBack;
  private static final Consumer<CollectionOverlay> FORGET = CollectionOverlay::forget;

  /// How long it waits at first for one of several locks: far longer than most operations have one.
  private static final long FIRST_PATIENCE_NANOS = 10_000_000;

  private static final long LONGEST_PATIENCE_NANOS = 1_000_000_000;

  /// Few, as a rule: looked through one by one.
  private final List<CollectionOverlay> overlays = new ArrayList<>(4);

  /// The collection that was asked for last, and its overlay: as a rule the next one, too.
  private Object recent;

  private CollectionOverlay ofRecent;

  /// How long it waits for one of several locks before it gives way: twice as long each time, for
  /// where thousands of threads queue up, none would else have them all in time.
  private long patienceNanos = FIRST_PATIENCE_NANOS;

  /// What it holds back of a collection; `null` if that is nothing.
  @SuppressWarnings("ReferenceEquality") // this very collection
  public final CollectionOverlay of(Object collection) {
    return collection == recent ? ofRecent : find(collection);
  }

  @SuppressWarnings("ReferenceEquality") // this very collection
  private CollectionOverlay find(Object collection) {
    for (int i = 0; i < overlays.size(); i++) {
      if (overlays.get(i).collection == collection) {
        recent = collection;
        ofRecent = overlays.get(i);
        return ofRecent;
      }
    }
    return null;
  }

  /// The same, made if it is not there.
  public <O extends CollectionOverlay> O of(Object collection, Supplier<O> maker) {
    CollectionOverlay found = of(collection);
    if (found == null) {
      found = maker.get();
      int at = overlays.size();
      while (at > 0 && overlays.get(at - 1).lockOrder() > found.lockOrder()) {
        at--;
      }
      found.collection = collection;
      overlays.add(at, found);
    }
    @SuppressWarnings("unchecked") // a collection has overlays of one class in each kind of section
    O overlay = (O) found;
    return overlay;
  }

  final List<CollectionOverlay> overlays() {
    return overlays;
  }

  /// Forgets the collections that it has come to.
  final void clear() {
    overlays.clear();
    recent = null;
    ofRecent = null;
  }

  /// Whether it holds anything back.
  final boolean isChanging() {
    for (CollectionOverlay overlay : overlays()) {
      if (overlay.isChanging()) {
        return true;
      }
    }
    return false;
  }

  /// Locks all, in their order, and begins anew where another thread keeps one for long (HELD-4).
  ///
  /// @param how one is locked
  final void lockEach(Consumer<CollectionOverlay> how) {
    for (SectionLock kept = tryToLock(how); kept != null; kept = tryToLock(how)) {
      inEach(GIVE_WAY);
      kept.awaitFree();
    }
  }

  private SectionLock tryToLock(Consumer<CollectionOverlay> how) {
    return tryTo(() -> overlays.forEach(how), false);
  }

  /// Takes locks that can be given up again. Another thread that has one of them may wait for those
  /// that this one has, as in a function that computes a value and changes another collection.
  ///
  /// **HELD-4** The end of a section gives way, for only it can: nothing is stored yet. Test:
  /// GivesWayTest.
  ///
  /// @param holdsSome whether the thread has such locks already; without one it waits for the first
  ///   as any operation does
  /// @return what another thread keeps for so long that all that was taken is to be given up;
  ///   `null` if all are taken
  final SectionLock tryTo(Runnable taking, boolean holdsSome) {
    ThreadSections thread = ThreadSections.current();
    thread.patienceNanos = holdsSome ? patienceNanos : 0;
    thread.nextPatienceNanos = patienceNanos;
    try {
      taking.run();
      return null;
    } catch (SectionLock.Kept e) {
      patienceNanos = Math.min(2 * patienceNanos, LONGEST_PATIENCE_NANOS);
      return e.lock();
    } finally {
      thread.patienceNanos = 0;
      thread.nextPatienceNanos = 0;
    }
  }

  /// Locks what is to be stored.
  final void hold() {
    overlays.forEach(CollectionOverlay::prepare);
    lockEach(CollectionOverlay::hold);
  }

  final void storeLocked() {
    boolean isOne = overlays.size() == 1;
    for (int i = 0; i < overlays.size(); i++) {
      overlays.get(i).store(isOne);
    }
    for (int i = 0; i < overlays.size(); i++) {
      overlays.get(i).stored();
    }
  }

  @Override
  public final void letGo() {
    inEach(LET_GO_SOON);
    inEach(LET_GO);
    inEach(GIVE_BACK); // takes locks anew: in no order with those of others
  }

  /// It is undone, or over: gives up all that it has claimed.
  final void forget() {
    inEach(FORGET);
  }

  /// What fails in one collection must not keep what the next ones have locked or claimed. What
  /// that collection keeps would be missed for ever, so its store fails.
  private void inEach(Consumer<CollectionOverlay> action) {
    RuntimeException thrown = null;
    for (int i = 0; i < overlays.size(); i++) {
      CollectionOverlay overlay = overlays.get(i);
      try {
        action.accept(overlay);
      } catch (RuntimeException e) {
        thrown = e;
      } catch (VirtualMachineError | LinkageError e) {
        overlay.sections.breakOff(e); // LOCK-4
      }
    }
    if (thrown != null) {
      throw thrown;
    }
  }
}
