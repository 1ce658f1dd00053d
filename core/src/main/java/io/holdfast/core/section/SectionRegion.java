package io.holdfast.core.section;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.log.SectionLogs;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.commit.DurableActions;
import io.holdfast.core.section.commit.GroupCommit;
import io.holdfast.core.section.commit.RegionState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// What the sections of one region share.
///
/// Thread-safe.
public final class SectionRegion {
  /// The regions in use by this process. A section that makes an uncommitted release is entered in
  /// each of them, since it is not known which of them it will write.
  ///
  /// An array, replaced under the class's lock: LATCH-1 goes through it without a call.
  static volatile SectionRegion[] live = {};

  /// Whether one of them {@link #isWaitedFor}. Plain: who has stored something in one has seen it.
  static boolean isAnyWaitedFor;

  final Memory memory;

  /// Whether the memory makes stores durable for many at once.
  final boolean isWaitedFor;

  /// Whether the sections of one of them end at releases, and whether those of all do. Plain, too.
  static boolean doesAnyEndAtReleases, doAllEndAtReleases;

  /// Whether its sections end at each release of the program's ({@link
  /// io.holdfast.core.Regions#SYNCHRONIZATION_FREE}); said before the first one begins.
  boolean endsAtReleases;

  final RegionState state;
  final DurableActions actions;
  final GroupCommit groupCommit;
  final LogLeases leases;
  final Receipts receipts = new Receipts();

  /// How many dependencies its sections have had.
  final LongAdder dependencies = new LongAdder();

  SectionRegion(Memory memory, SectionLogs pool) {
    this.memory = memory;
    this.isWaitedFor = memory.hasLog();
    this.state = new RegionState(memory);
    this.actions = new DurableActions(memory.name(), this::awaitDurable);
    this.groupCommit = new GroupCommit(state, actions);
    this.leases = new LogLeases(state, pool);
  }

  /// Makes this one of the live regions, or takes it out of them.
  void setLive(boolean isLive) {
    synchronized (SectionRegion.class) {
      List<SectionRegion> changed = new ArrayList<>(List.of(live));
      changed.remove(this);
      if (isLive) {
        changed.add(this);
      }
      live = changed.toArray(new SectionRegion[0]);
      isAnyWaitedFor = changed.stream().anyMatch(region -> region.isWaitedFor);
      doesAnyEndAtReleases = changed.stream().anyMatch(region -> region.endsAtReleases);
      doAllEndAtReleases = changed.stream().allMatch(region -> region.endsAtReleases);
    }
  }

  void endAtReleases() {
    endsAtReleases = true;
    setLive(true);
  }

  /// Latches the region after a failure in a place that can't report it. What is not durable stays
  /// so.
  void fail(Throwable cause) {
    state.fail(cause);
    groupCommit.giveUp();
  }

  /// Refuses new sections.
  void close() {
    state.close();
    groupCommit.giveUp();
    setLive(false);
  }

  /// Waits for the memory ({@link Memory#awaitDurable}); what fails there fails the region.
  void awaitDurable() {
    guarded(memory::awaitDurable);
  }

  /// Behind an operation: {@link Memory#acknowledge}.
  void acknowledge() {
    guarded(memory::acknowledge);
  }

  private void guarded(Runnable wait) {
    try {
      wait.run();
    } catch (RegionAccessException e) {
      fail(e);
      receipts.refuse(() -> e);
      throw e;
    }
  }
}
