package io.holdfast.jmh.log;

import io.holdfast.core.log.LogRing;

/// The log of Atlas (CSO paper, 5.1 and section 6): entries of 24 bytes and a link. Of two entries
/// in a line the second is linked to in its own line, so that one flush makes both durable, the
/// data before the link (MEDIA-2). The first takes two round trips: 1.5 on average.
public final class AtlasLog extends Linked {
  private static final int WORDS = 3;

  public AtlasLog() {
    super(33, WORDS);
  }

  @Override
  public long append(LogRing ring, long position, long[] payload, int words) {
    long at = ring.at(position);
    writePayload(ring, at, payload, words);
    long linkAt = linkAt(ring, position);
    if (isInOneLine(at, linkAt)) {
      // LINKED-1, by the line's order alone.
      ring.memory().writeRelease(linkAt, link(position));
      ring.persist(at, bytes());
    } else {
      linkInTwoRounds(ring, position);
    }
    return position + bytes();
  }

  @Override
  public String toString() {
    return "AtlasLog";
  }
}
