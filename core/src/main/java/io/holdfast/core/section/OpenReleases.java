package io.holdfast.core.section;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// Who released what without being durable yet: Atlas's release table (4.2.3), reduced to open
/// releases.
///
/// A lock is known by the stripe that its identity hashes to. Locks that share a stripe share
/// dependencies: an unneeded one only delays durability, and the table needs neither entries that
/// must be forgotten nor references that keep a lock alive.
///
/// While no section is both open to others and not durable, the whole costs one read for an
/// acquire.
///
/// Thread-safe.
final class OpenReleases {
  /// 2^10 stripes: 4 KiB of references; with 32 locks in open releases at once, the chance that a
  /// given other lock meets one of them is 3 %.
  private static final int STRIPES = 1 << 10;

  private static final AtomicReferenceArray<List<OpenRelease>> TABLE =
      new AtomicReferenceArray<>(STRIPES);

  /// Records that are not durable and may be in the table.
  private static final AtomicInteger EXPOSED = new AtomicInteger();

  /// A release by a section that is not durable, at a point of Lamport's clock.
  record OpenRelease(SectionRecord section, long stamp) {
    OpenRelease noEarlierThan(long other) {
      return stamp >= other ? this : new OpenRelease(section, other);
    }
  }

  static int stripeOf(Object lock) {
    int hash = System.identityHashCode(lock);
    return (hash ^ hash >>> 15) & (STRIPES - 1);
  }

  /// Whether there may be an open release. A lock that was acquired orders this read behind what
  /// its releaser did, so an open release of that lock is seen.
  static boolean any() {
    return EXPOSED.get() != 0;
  }

  static void exposed() {
    EXPOSED.incrementAndGet();
  }

  static void becameDurable() {
    EXPOSED.decrementAndGet();
  }

  static List<OpenRelease> at(int stripe) {
    List<OpenRelease> releases = TABLE.get(stripe);
    return releases == null ? List.of() : releases;
  }

  /// Adds releases to a stripe; those that have become durable leave it.
  static void publish(int stripe, List<SectionRecord> sections, long stamp) {
    List<OpenRelease> found;
    List<OpenRelease> next;
    do {
      found = TABLE.get(stripe);
      if (found != null && saysAlready(found, sections, stamp)) {
        return;
      }
      next = new ArrayList<>(sections.size());
      if (found != null) {
        for (OpenRelease release : found) {
          if (!release.section().isSettled()) {
            next.add(release);
          }
        }
      }
      for (SectionRecord section : sections) {
        add(next, new OpenRelease(section, stamp));
      }
    } while (!TABLE.compareAndSet(stripe, found, next));
  }

  /// Like {@link SectionRecord#add}. The stamp is the greater one, whichever section stays.
  private static void add(List<OpenRelease> releases, OpenRelease added) {
    for (int i = 0; i < releases.size(); i++) {
      OpenRelease release = releases.get(i);
      if (added.section().isImpliedBy(release.section())) {
        releases.set(i, release.noEarlierThan(added.stamp()));
        return;
      }
      if (release.section().isImpliedBy(added.section())) {
        releases.set(i, added.noEarlierThan(release.stamp()));
        return;
      }
    }
    releases.add(added);
  }

  /// Drops what nobody need depend on any more: after a region was closed, so that the table does
  /// not keep all that the region was.
  static void forgetSettled() {
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      List<OpenRelease> found = TABLE.get(stripe);
      if (found != null && found.stream().allMatch(release -> release.section().isSettled())) {
        TABLE.compareAndSet(stripe, found, null); // else somebody has just replaced it
      }
    }
  }

  /// A section that goes through one lock several times says the same each time.
  private static boolean saysAlready(
      List<OpenRelease> found, List<SectionRecord> sections, long stamp) {
    return sections.size() == 1
        && found.size() == 1
        && found.get(0).section() == sections.get(0)
        && found.get(0).stamp() == stamp;
  }

  private OpenReleases() {}
}
