package io.holdfast.core.section.hooks;

import io.holdfast.core.section.HeldLocks;
import io.holdfast.core.section.LockKeys;
import io.holdfast.core.section.SectionRegion;
import io.holdfast.core.section.ThreadDependencies;
import io.holdfast.core.section.ThreadSections;
import io.holdfast.core.section.commit.FollowUps;
import io.holdfast.core.section.commit.RegionState;
import io.holdfast.core.section.commit.SectionRecord;
import io.holdfast.core.section.commit.UncommittedReleases;
import io.holdfast.core.section.commit.WaitingSections;
import io.holdfast.core.section.commit.WeakIdentityMap;
import java.lang.invoke.MethodHandles;
import java.util.List;

/// Initializes the classes that hooks need, before they need them.
///
/// Hooks run wherever a program takes a lock, at the end of its stack too, and a class whose
/// initializer a stack overflow cuts short can't be used as long as the JVM runs (JLS 12.4.2): with
/// it, no lock of the program's.
///
/// - **HOOKS-1** When the agent has woven a class, or a region has been opened, none of these
///   classes has an initializer that is still to run. The agent initializes {@link SectionHooks},
///   which does the rest. Test: StackOverflowTest.hooksSurviveAStackThatOverflows.
public final class HookClasses {
  private static final List<Class<?>> CLASSES =
      List.of(
          ThreadSections.class,
          HeldLocks.class,
          UncommittedReleases.class,
          UncommittedReleases.Node.class,
          UncommittedReleases.UncommittedRelease.class,
          SectionRecord.class,
          WaitingSections.class,
          SectionRegion.class,
          RegionState.class,
          FollowUps.class,
          ThreadDependencies.class,
          LockKeys.class,
          WeakIdentityMap.class,
          MonitorHooks.class,
          LockHooks.class,
          ConditionHooks.class,
          StampedLockHooks.class,
          EdgeHooks.class,
          ThreadHooks.class,
          TaskHooks.class,
          FindingHooks.class);

  public static void initialize() {
    try {
      for (Class<?> each : CLASSES) {
        MethodHandles.lookup().ensureInitialized(each);
      }
      ThreadSections.initializeParts();
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
    // At the first opening in a process nobody is exposed. Later the monitor could share a stripe
    // with a lock of the program's, and all that this thread does would depend on the sections that
    // have released it. Test: OpenSectionsTest.anOpeningDependsOnNoSection.
    ThreadSections thread = ThreadSections.current();
    if (!thread.inSection() && UncommittedReleases.isEmpty()) {
      thread.rehearse();
    }
  }

  private HookClasses() {}
}
