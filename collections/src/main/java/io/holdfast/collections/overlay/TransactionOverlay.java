package io.holdfast.collections.overlay;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.RootDeletedException;
import io.holdfast.core.section.HeldChanges;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.ThreadSections;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// What a transaction has read and would change, for all runs of its body.
///
/// - **T1 isolated** Before it stores, it locks the parts of all that it has read and will change,
///   in one order for all, and reads again what may have changed. Tests:
///   TransactionTest.t1NobodySeesWhatIsNotCommitted, TransactionTreeTest.t1NoWriteSkewOverRanges.
/// - **T2 opaque** At each read it makes sure that all reads so far are still so: they are of one
///   moment. Test: TransactionTest.t2NoBodySeesHalfOfAnother.
/// - **T6 progress** After some runs in vain it locks the collections that it has come to, whole,
///   before the body runs. Test: TransactionTest.t6ATransactionWhoseReadingsAlwaysChangeEnds.
/// - **T8 open sections** It reads what they have not changed: it comes before them, and what it
///   would change must not be claimed. If it is, a run that locks comes after them: it builds on
///   all that they have claimed of each collection that it comes to, and reads that, key by key and
///   in walks. Test: TransactionClaimsTest.
///
/// Confined to its thread.
public final class TransactionOverlay extends HeldBack {
  /// How often readings are repeated that others disturb.
  private static final int LOOKS_MAX = 100;

  /// Made before: the stack has ended where it is needed.
  private static final RuntimeException CUT_OFF =
      new HoldfastException(
          "the stack or the memory ended while a part of the transaction was undone. Nothing of the"
              + " transaction is there; run it again with more of both");

  /// What the enclosing section holds back; `null` if that is nothing.
  private final HeldChanges outer;

  /// Whether it is in a section that goes on after it.
  private final boolean isInner;

  private boolean isReadOnly;

  /// For when it is durable.
  private final List<Runnable> actions = new ArrayList<>(0);

  /// What the next reading or change throws, if the body has caught it; `null` as a rule.
  private RuntimeException ending;

  private long waitingSince;
  private boolean isWaiting;

  /// Whether it locks each collection that it comes to.
  private boolean isLocking;

  /// Whether it found something claimed that it would change (T8).
  private boolean hasMetClaims;

  /// This run, for {@link KeyedView#run}.
  private Object run = new Object();

  /// Whether all that it has read is still so, is locked, and what it did is to be stored.
  private boolean isValid;

  /// Changes of elements that this run has made.
  private long changes;

  /// How many transactions inside of the body the thread is in, which are parts of this one.
  private int parts;

  /// The last one that was locked.
  private long lastLocked;

  TransactionOverlay(HeldChanges outer, boolean isInner, boolean isReadOnly) {
    this.outer = outer;
    this.isInner = isInner;
    this.isReadOnly = isReadOnly;
  }

  /// Ends a run of the body.
  public static final class Abort extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Something that it has read has changed, or is being changed.
    static final Abort CONFLICT = new Abort("something that the transaction has read has changed");

    /// A collection is to be opened, without locks.
    static final Abort OPENING = new Abort("a collection is to be opened");

    /// The program asks to wait until something that it has read changes.
    static final Abort RETRY = new Abort("the transaction waits for a change");

    private Abort(String message) {
      super(message, null, false, false);
    }
  }

  /// Whether it is in a section that goes on after it.
  public boolean isInner() {
    return isInner;
  }

  /// What the enclosing section holds back of a collection; `null` if that is nothing.
  public CollectionOverlay outerOf(Object collection) {
    return outer instanceof SectionOverlay section ? section.of(collection) : null;
  }

  KeyedView view(KeyedStore store, Overlaid map) {
    KeyedView found = (KeyedView) of(store);
    return found != null ? found : of(store, () -> new KeyedTransaction(this, store, map));
  }

  /// What it holds back of a collection.
  @Override
  public <O extends CollectionOverlay> O of(Object collection, Supplier<O> maker) {
    boolean isNew = isLocking && of(collection) == null;
    if (isNew) {
      beGoingOn();
    }
    O overlay = super.of(collection, maker);
    if (isNew) {
      ending = Abort.CONFLICT; // before any call: the next run locks it first
      lockNew(overlay);
    }
    return overlay;
  }

  /// An error that ends this, for want of stack or memory, ends the run, whatever the body makes of
  /// it: the run would take the collection for locked.
  private void lockNew(CollectionOverlay overlay) {
    try {
      if (overlay.lockOrder() < lastLocked || tryTo(() -> lock(overlay), true) != null) {
        throw Abort.CONFLICT;
      }
      ending = null;
    } catch (RootDeletedException e) {
      ending = null; // each use of it says so again
      throw e;
    } catch (Abort e) {
      throw e;
    } catch (RuntimeException e) {
      ending = e; // a damaged file, say
      throw e;
    }
  }

  private void lock(CollectionOverlay overlay) {
    overlay.holdAll();
    lastLocked = overlay.lockOrder();
  }

  /// Before the body runs, if it ran in vain too often.
  void lockAll() {
    isLocking = true;
    lockEach(this::lockIfThere);
  }

  /// What was deleted since an earlier run came to it refuses this one only if it comes to it, too.
  /// It stays deleted: this depends on the section that has done that.
  private void lockIfThere(CollectionOverlay overlay) {
    try {
      lock(overlay);
    } catch (RootDeletedException e) {
      // each use of it says so
    }
  }

  /// Whether this run locks what it comes to, and so records no readings of maps.
  boolean isLocking() {
    return isLocking;
  }

  /// Whether what it locks it builds on, instead of coming before what open sections hold back.
  boolean buildsOnClaims() {
    return hasMetClaims;
  }

  Object currentRun() {
    return run;
  }

  /// Before a collection is opened that may not be open yet. Who deletes one that this has locked
  /// keeps others from being opened, so then the next run locks nothing.
  public void beforeOpening() {
    if (isLocking) {
      throw abort(Abort.OPENING);
    }
  }

  /// When the transaction first had to wait, for some time at most; whatever its runs are.
  public long waitingSince() {
    if (!isWaiting) {
      waitingSince = System.nanoTime();
      isWaiting = true;
    }
    return waitingSince;
  }

  private Abort abort(Abort how) {
    ending = how;
    return how;
  }

  /// Ends this run, and the transaction with it, whatever the body does with the exception.
  void endBy(RuntimeException cause) {
    ending = cause;
  }

  /// Before a reading.
  ///
  /// @throws RuntimeException if this run is over
  public void beGoingOn() {
    if (ending != null) {
      throw ending;
    }
  }

  /// Before a change.
  ///
  /// @throws IllegalStateException if it may only read
  public void beWriting() {
    beGoingOn();
    if (isReadOnly) {
      throw new IllegalStateException(
          "a read-only transaction changes nothing. Run it without readOnly");
    }
    changes++;
  }

  /// After a reading.
  ///
  /// @throws Abort if the readings are not of one moment any more
  public void check() {
    List<CollectionOverlay> all = overlays();
    int looks = 0;
    for (int i = 0; i < all.size(); i++) {
      if (!all.get(i).isStill()) {
        if (!all.get(i).isSame() || ++looks > LOOKS_MAX) {
          throw abort(Abort.CONFLICT);
        }
        i = -1; // all of them again
      }
    }
  }

  /// Ends this run; the next one begins when something that it has read has changed.
  public Abort retry() {
    return abort(Abort.RETRY);
  }

  /// After the section, and before the thread waits for a change.
  void beforeWait() {
    overlays().forEach(CollectionOverlay::beforeWait);
  }

  /// Whether something that it has read has changed. Outside of the section.
  boolean hasChanged() {
    for (CollectionOverlay overlay : overlays()) {
      if (!overlay.isStill() && !overlay.isSame()) {
        return true;
      }
    }
    return false;
  }

  public void onDurable(Runnable action) {
    actions.add(action);
  }

  List<Runnable> actions() {
    return actions;
  }

  /// Stores all that it has changed, in the section; the locks stay held.
  ///
  /// @throws Abort if what it has read has changed
  void commit(Sections sections) {
    beGoingOn();
    boolean isChanging = false;
    for (CollectionOverlay overlay : overlays()) {
      isChanging |= overlay.isChanging();
    }
    if (!isChanging) {
      return; // its readings are of one moment
    }
    if (isInner) {
      ThreadSections.current().holdBack(outer); // which takes the changes
    }
    hold();
    for (CollectionOverlay overlay : overlays()) {
      boolean isSame = overlay.isStill() || overlay.isSame();
      boolean isClaimed = overlay.isClaimedByOthers();
      hasMetClaims |= isClaimed;
      if (!isSame || isClaimed) {
        throw abort(Abort.CONFLICT);
      }
    }
    if (isInner) {
      handOver(sections);
    } else {
      isValid = true;
      ThreadSections.current().storeHeldBack();
    }
  }

  private void handOver(Sections sections) {
    try {
      storeLocked();
    } catch (VirtualMachineError | LinkageError e) {
      sections.breakOff(e); // or the section could go on with a part of it (T3)
      throw e;
    }
  }

  /// Begins a further run, after the locks were let go.
  void runAgain() {
    run = new Object();
    ending = null;
    isLocking = false;
    lastLocked = 0;
    changes = 0;
    actions.clear();
    overlays().forEach(CollectionOverlay::runAgain);
  }

  long changes() {
    return changes;
  }

  /// Runs the body, or an alternative. A run that is over ends as such, whatever the program has
  /// made of the exception: one that it is wrapped in tells of nothing that the program did.
  <T> T runBody(Supplier<T> body) {
    try {
      return body.get();
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      if (ending instanceof Abort abort) {
        throw abort;
      }
      throw e;
    }
  }

  /// Runs a transaction inside of the body.
  <T> T runPart(Supplier<T> body, boolean onlyReads) {
    boolean before = isReadOnly;
    isReadOnly |= onlyReads;
    parts++;
    try {
      return body.get();
    } finally {
      parts--;
      isReadOnly = before;
    }
  }

  /// Whether the thread is in no part of it, and in no section that goes on after it.
  boolean isWhole() {
    return parts == 0 && !isInner;
  }

  /// After its end: it is another one from now on.
  void beginAnew() {
    forget();
    clear();
    isWaiting = false;
    hasMetClaims = false;
    runAgain();
  }

  /// Runs one of two alternatives: the second one if the first one asks to wait, whose changes are
  /// dropped.
  public <T> T orElse(Supplier<T> first, Supplier<T> second) {
    Savepoint begin = new Savepoint();
    try {
      T result = runPart(() -> runBody(first), false); // a cut of a job's would keep it
      beGoingOn();
      return result;
    } catch (Abort e) {
      if (ending != Abort.RETRY) {
        throw ending == null ? e : ending;
      }
      begin.backTo();
      ending = null; // last: what is dropped in part is not gone on with
      return runPart(second, false);
    }
  }

  /// Runs a part whose changes are dropped if it throws, whatever the body makes of the exception.
  /// What it has read stays read.
  public <T> T wholeOrNot(Supplier<T> part) {
    Savepoint begin = new Savepoint();
    boolean isDone = false;
    try {
      T result = runPart(part, false);
      isDone = true;
      return result;
    } finally {
      if (!isDone && ending == null) {
        ending = CUT_OFF; // where the stack ends before all is dropped, nothing of the run counts
        begin.backTo();
        ending = null;
      }
    }
  }

  /// What the transaction would do, to go back to.
  private final class Savepoint {
    private final List<CollectionOverlay> before = List.copyOf(overlays());
    private final List<Object> marks = before.stream().map(CollectionOverlay::mark).toList();
    private final int actionsBefore = actions.size();

    void backTo() {
      for (CollectionOverlay overlay : overlays()) {
        int at = before.indexOf(overlay);
        overlay.backTo(at < 0 ? null : marks.get(at));
      }
      actions.subList(actionsBefore, actions.size()).clear();
    }
  }

  /// The end of a run inside of a section that goes on: that holds back again what it did.
  void comeUp(ThreadSections thread) {
    if (thread.heldBack() == this) {
      thread.holdBack(outer);
    }
    letGo();
  }

  /// At the section's end nothing is left to be stored, or nothing is to be.
  @Override
  public void store() {
    if (isValid) {
      isValid = false;
      storeLocked();
    }
  }

  /// A lock of the program's is given up in the body: others see nothing of a transaction for that,
  /// but what its section has held back. What the body has read of that others may change from now
  /// on, and so this run is over.
  @Override
  public void storeOpenly() {
    if (outer instanceof SectionOverlay section && section.isChanging()) {
      section.storeOpenly();
      ending = Abort.CONFLICT;
    }
  }
}
