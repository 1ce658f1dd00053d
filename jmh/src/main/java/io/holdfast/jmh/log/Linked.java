package io.holdfast.jmh.log;

import io.holdfast.core.log.LogEntry;
import io.holdfast.core.log.LogRing;

/// What TwoRounds and AtlasLog have in common: a list. The last word of an entry links to the next
/// one, and an entry is in the log when it is linked to.
///
/// A link is the position of the next entry, which names the lap, and an odd number, so that zeros
/// link to nothing. So nothing is ever cleared: what is not linked to can hold anything, and no
/// other entry has the same link. One slot stays free, or the entry before the oldest, whose link
/// is still in force, would be overwritten. The first of all entries is linked to from the ring's
/// end.
abstract class Linked extends FixedSize {
  Linked(int number, int words) {
    super(number, words, words + 1);
  }

  @Override
  public final long room(LogRing ring, long position, int payloadWords) {
    return 2 * super.room(ring, position, payloadWords);
  }

  /// Where the link to an entry is.
  final long linkAt(LogRing ring, long position) {
    return ring.at(position - bytes()) + bytes() - Long.BYTES;
  }

  static long link(long position) {
    return position | 1;
  }

  /// Makes the data durable and then the link: two round trips.
  final void linkInTwoRounds(LogRing ring, long position) {
    // **LINKED-1** Else the link could be durable without all of the data. Test:
    // AppendLogCrashContract.entriesAreWholeOrNotThere.
    ring.persist(ring.at(position), bytes() - Long.BYTES);
    long linkAt = linkAt(ring, position);
    ring.memory().writeRelease(linkAt, link(position));
    ring.persist(linkAt, Long.BYTES);
  }

  @Override
  public final long read(LogRing ring, long position, LogEntry into) {
    if (ring.memory().readAcquire(linkAt(ring, position)) != link(position)) {
      return NONE;
    }
    into.become(wordsMax());
    into.copy(ring.memory(), ring.at(position));
    return position + bytes();
  }

  @Override
  protected final void scrub(LogRing ring, long tail) {
    // What is not linked to can hold anything.
  }
}
