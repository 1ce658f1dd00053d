package io.holdfast.core.section;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.log.LogPool;
import io.holdfast.core.log.UndoLog;
import io.holdfast.core.memory.Memory;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// The failure-atomic sections of one region.
///
/// A thread is inside a section from its first lock acquire to its last release, as {@link
/// SectionLock}s and woven monitors tell ({@link SectionHooks}), or during {@link #atomically}.
///
/// Platform threads keep the log that they took until they die or the pool runs dry; virtual
/// threads, of which there may be many more than logs, give it back after each section.
///
/// Thread-safe.
public final class Sections {
  /// The regions in use by this process. A section that makes an open release is entered in each of
  /// them, since it is not known which of them it will write.
  private static final List<Sections> LIVE = new CopyOnWriteArrayList<>();

  private final Memory memory;
  private final LogPool pool;
  private final Settlement settlement = new Settlement();
  private final List<Section> leaseholders = new ArrayList<>();
  private volatile boolean closed;
  private volatile Throwable failure;

  /// Closed or failed: one read for the path of every section.
  private volatile boolean unusable;

  public Sections(Memory memory, LogPool pool) {
    this.memory = memory;
    this.pool = pool;
    LIVE.add(this);
  }

  static List<Sections> live() {
    return LIVE;
  }

  Memory memory() {
    return memory;
  }

  Settlement settlement() {
    return settlement;
  }

  /// The calling thread's section.
  ///
  /// @throws IllegalStateException if the thread is outside of all sections
  public Section current() {
    ThreadSections thread = ThreadSections.current();
    if (!thread.inSection()) {
      throw new IllegalStateException(
          "%s: a persistent store outside of a section. Hold a lock, or use atomically"
              .formatted(memory.name()));
    }
    return thread.in(this);
  }

  /// Waits until everything that this thread did before is durable.
  ///
  /// @throws IllegalStateException inside of a section, which can't be durable before it ends
  public void sync() {
    ThreadSections thread = ThreadSections.current();
    if (thread.inSection()) {
      throw new IllegalStateException(
          "%s: sync inside of a section, which is durable only when it has ended. Call it after the last lock is released"
              .formatted(memory.name()));
    }
    for (SectionRecord section : List.copyOf(thread.before())) {
      if (section.region == this) {
        settlement.await(section);
      }
    }
    checkUsable();
  }

  UndoLog lease(Section section) {
    synchronized (leaseholders) {
      UndoLog log = pool.poll();
      if (log == null) {
        reclaimFromTheDead();
        log = pool.poll();
      }
      if (log == null) {
        pool.extend();
        log = pool.poll();
      }
      leaseholders.add(section);
      return log;
    }
  }

  private void reclaimFromTheDead() {
    for (Iterator<Section> each = leaseholders.iterator(); each.hasNext(); ) {
      Section section = each.next();
      if (section.isAbandoned()) {
        pool.giveBack(section.surrender());
        each.remove();
      }
    }
  }

  void giveBack(Section section) {
    synchronized (leaseholders) {
      pool.giveBack(section.surrender());
      leaseholders.remove(section);
    }
  }

  /// Refuses a region that is closed or has failed.
  public void checkUsable() {
    if (unusable) {
      throw refusal();
    }
  }

  /// Refuses to acknowledge a section that has ended, if an end could not be done: hooks can't say
  /// so themselves. A section whose store was closed under it is undone by the next opening.
  public void checkKept() {
    if (unusable && failure != null) {
      throw refusal();
    }
  }

  private HoldfastException refusal() {
    return closed
        ? new StoreClosedException(
            "%s: the store is closed. Open it again".formatted(memory.name()))
        : new HoldfastException(
            "%s: the store failed and takes no more changes: %s. Close it and open it again; opening recovers what was durable"
                .formatted(memory.name(), failure),
            failure);
  }

  /// Latches the region after a failure in a place that can't report it. What is not durable stays
  /// so.
  void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
      unusable = true;
      settlement.giveUp();
    }
  }

  boolean isClosed() {
    return closed;
  }

  /// Refuses new sections.
  public void close() {
    closed = true;
    unusable = true;
    settlement.giveUp();
    LIVE.remove(this);
    OpenReleases.forgetSettled();
  }

  /// Whether every section has ended and is durable, and none has failed. Certain only when the
  /// region's memory is closed, so that no thread can be on its way into one.
  public boolean isQuiet() {
    boolean idle;
    synchronized (leaseholders) {
      idle = leaseholders.stream().allMatch(Section::isIdle);
    }
    // A section whose end fails says so before it is idle. Read in the reverse order: a failure
    // between the two reads would pass for an end, and what is half done would be called closed.
    // Test: PersistentQueueTest.closingUnderThreadsThatAreBusy.
    VarHandle.acquireFence();
    return idle && failure == null;
  }
}
