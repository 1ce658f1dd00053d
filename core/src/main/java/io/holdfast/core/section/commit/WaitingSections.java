package io.holdfast.core.section.commit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The sections of a region that have ended and wait, each for a *blocker*: a section that it
/// depends on, directly or not, and that was open when it was chosen.
///
/// **BLOCKER-1** When a blocker ends and waits as well, the sections that wait for it stay with it:
/// blockers lead to an open section, over several that have ended. So an end costs the same however
/// many wait for it; chains are made shorter when they are followed.
///
/// **BLOCKER-2** When a blocker is durable, each section that waited for it is looked at once: it
/// is given another blocker, or nothing open is in its reach. Then the sections that wait for *it*
/// are looked at.
///
/// So a chain of n sections takes some n looks, in whatever order they end.
///
/// Guarded by the monitor of the region's {@link GroupCommit}.
public final class WaitingSections {
  /// Looked at for what they wait for, oldest first: some 100 µs in the monitor.
  private static final int LOOKED_AT_MAX = 5_000;

  private int size;
  private SectionRecord oldest;
  private SectionRecord newest;

  /// How many sections were looked at, ever: for tests.
  private long looks;

  /// What waits, for people.
  ///
  /// @param sections how many
  /// @param longestNanos how long the oldest has waited
  /// @param blocker the open section that most of them wait for, of the oldest 5,000; `null` if
  ///   there is none
  /// @param waiters how many of these wait for it
  public record Look(int sections, long longestNanos, SectionRecord blocker, int waiters) {}

  /// A section has ended, and waits.
  void add(SectionRecord section) {
    section.since = System.nanoTime();
    section.older = newest;
    if (newest == null) {
      oldest = section;
    } else {
      newest.newer = section;
    }
    newest = section;
    size++;
  }

  /// A section that waited is durable.
  void remove(SectionRecord section) {
    if (section.older == null) {
      oldest = section.newer;
    } else {
      section.older.newer = section.newer;
    }
    if (section.newer == null) {
      newest = section.older;
    } else {
      section.newer.older = section.older;
    }
    section.older = null;
    section.newer = null;
    size--;
  }

  long looks() {
    return looks;
  }

  /// @return `null` if nothing waits
  Look look(long now) {
    if (oldest == null) {
      return null;
    }
    Map<SectionRecord, Integer> waiters = new HashMap<>();
    SectionRecord busiest = null;
    int most = 0;
    SectionRecord section = oldest;
    for (int i = 0; i < LOOKED_AT_MAX && section != null; i++) {
      SectionRecord blocker = openOneFor(section);
      if (blocker != null) {
        int count = waiters.merge(blocker, 1, Integer::sum);
        if (count > most) {
          most = count;
          busiest = blocker;
        }
      }
      section = section.newer;
    }
    return new Look(size, now - oldest.since, busiest, most);
  }

  /// An open section that one waits for; itself if it is open, `null` if none is known.
  SectionRecord openOneFor(SectionRecord section) {
    SectionRecord open = section;
    while (open != null && open.ended) {
      open = open.blocker;
    }
    if (open != null) {
      for (SectionRecord each = section; each != open && each.blocker != open; ) {
        SectionRecord next = each.blocker;
        await(each, open);
        each = next;
      }
    }
    return open;
  }

  private static void await(SectionRecord section, SectionRecord blocker) {
    section.blocker = blocker;
    blocker.awaitedBy(section);
  }

  /// What a section's end leaves nothing open for: the sections that are durable now, together.
  ///
  /// @param section is durable, or waits and has no blocker yet
  Set<SectionRecord> closedBy(SectionRecord section) {
    Set<SectionRecord> closed = new LinkedHashSet<>();
    Deque<SectionRecord> toLookAt = new ArrayDeque<>();
    if (section.isDurable()) {
      toLookAt.addAll(section.released());
    } else {
      toLookAt.add(section);
    }
    for (SectionRecord next = toLookAt.poll(); next != null; next = toLookAt.poll()) {
      for (SectionRecord added : reconsider(next, closed)) {
        added.blocker = null; // nobody is led to it any more
        toLookAt.addAll(added.released());
      }
    }
    return closed;
  }

  /// Looks for open sections in the reach of one that has ended, and gives a blocker to all on the
  /// way that have one.
  ///
  /// @param closed sections in whose reach there is none; those that are found are added
  /// @return those that are found
  private List<SectionRecord> reconsider(SectionRecord section, Set<SectionRecord> closed) {
    if (section.isDurable() || closed.contains(section) || openOneFor(section) != null) {
      return List.of();
    }
    // What is reached, and from where.
    Map<SectionRecord, List<SectionRecord>> reached = new LinkedHashMap<>();
    Deque<SectionRecord> blocked = new ArrayDeque<>();
    Deque<SectionRecord> toVisit = new ArrayDeque<>();
    reached.put(section, new ArrayList<>(1));
    toVisit.add(section);
    for (SectionRecord next = toVisit.poll(); next != null; next = toVisit.poll()) {
      looks++;
      next.forgetDurable();
      for (SectionRecord other : next.dependencies) {
        if (other.isDurable() || closed.contains(other)) {
          continue;
        }
        SectionRecord blocker = openOneFor(other);
        if (blocker != null) {
          await(next, blocker);
          blocked.add(next);
          break;
        }
        List<SectionRecord> from = reached.get(other);
        if (from == null) {
          from = new ArrayList<>(1);
          reached.put(other, from);
          toVisit.add(other);
        }
        from.add(next);
      }
    }
    for (SectionRecord next = blocked.poll(); next != null; next = blocked.poll()) {
      List<SectionRecord> leadHere = reached.remove(next);
      for (SectionRecord from : leadHere == null ? List.<SectionRecord>of() : leadHere) {
        // Also one that a chain of blockeres was made shorter for meanwhile: it is not closed.
        if (reached.containsKey(from)) {
          if (!hasBlocker(from)) {
            await(from, next.blocker);
          }
          blocked.add(from);
        }
      }
    }
    closed.addAll(reached.keySet());
    return List.copyOf(reached.keySet());
  }

  private static boolean hasBlocker(SectionRecord section) {
    return section.blocker != null && !section.blocker.ended;
  }
}
