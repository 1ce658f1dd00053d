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

/// The sections of a region that have ended and wait, each behind a *witness*: a section that it
/// depends on, directly or not, and that was open when it was chosen.
///
/// **WITNESS-1** When a witness ends and waits as well, what waits behind it stays there: witnesses
/// lead to an open section, over several that have ended. So an end costs the same however many
/// wait behind it; chains are made shorter when they are followed.
///
/// **WITNESS-2** When a witness is durable, each section behind it is looked at once: it is given
/// another witness, or nothing open is in its reach. Then what waits behind *it* is looked at.
///
/// So n sections behind each other take some n looks, in whatever order they end.
///
/// Guarded by the monitor of the region's {@link GroupCommit}.
public final class WaitingSections {
  /// Looked at for whom they wait, oldest first: some 100 µs in the monitor.
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
  /// @param behind how many of these wait for it
  public record Look(int sections, long longestNanos, SectionRecord blocker, int behind) {}

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
    Map<SectionRecord, Integer> behind = new HashMap<>();
    SectionRecord blocker = null;
    int most = 0;
    SectionRecord section = oldest;
    for (int i = 0; i < LOOKED_AT_MAX && section != null; i++) {
      SectionRecord witness = openOneFor(section);
      if (witness != null) {
        int count = behind.merge(witness, 1, Integer::sum);
        if (count > most) {
          most = count;
          blocker = witness;
        }
      }
      section = section.newer;
    }
    return new Look(size, now - oldest.since, blocker, most);
  }

  /// An open section that one waits for; itself if it is open, `null` if none is known.
  SectionRecord openOneFor(SectionRecord section) {
    SectionRecord open = section;
    while (open != null && open.ended) {
      open = open.witness;
    }
    if (open != null) {
      for (SectionRecord each = section; each != open && each.witness != open; ) {
        SectionRecord next = each.witness;
        await(each, open);
        each = next;
      }
    }
    return open;
  }

  private static void await(SectionRecord section, SectionRecord witness) {
    section.witness = witness;
    witness.awaitedBy(section);
  }

  /// What a section's end leaves nothing open for: the sections that are durable now, together.
  ///
  /// @param section is durable, or waits and has no witness yet
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
        added.witness = null; // nobody is led to it any more
        toLookAt.addAll(added.released());
      }
    }
    return closed;
  }

  /// Looks for open sections in the reach of one that has ended, and gives a witness to all on the
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
    Deque<SectionRecord> witnessed = new ArrayDeque<>();
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
        SectionRecord witness = openOneFor(other);
        if (witness != null) {
          await(next, witness);
          witnessed.add(next);
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
    for (SectionRecord next = witnessed.poll(); next != null; next = witnessed.poll()) {
      List<SectionRecord> leadHere = reached.remove(next);
      for (SectionRecord from : leadHere == null ? List.<SectionRecord>of() : leadHere) {
        // Also one that a chain of witnesses was made shorter for meanwhile: it is not closed.
        if (reached.containsKey(from)) {
          if (!isWitnessed(from)) {
            await(from, next.witness);
          }
          witnessed.add(from);
        }
      }
    }
    closed.addAll(reached.keySet());
    return List.copyOf(reached.keySet());
  }

  private static boolean isWitnessed(SectionRecord section) {
    return section.witness != null && !section.witness.ended;
  }
}
