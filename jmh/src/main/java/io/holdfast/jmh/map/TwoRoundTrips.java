package io.holdfast.jmh.map;

import io.holdfast.core.persistence.PersistenceDomain;
import io.holdfast.jmh.domain.ForwardingDomain;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A domain that makes of the map its own twin in two round trips (the CSO paper's baseline, 5.4:
/// one for the data, one for what makes them count): an entry's lines are durable before the word
/// that says it is whole is written, and that is written, flushed and fenced after.
///
/// The map flushes whole lines for entries alone, so that is how one is told. It stores the word
/// before this domain sees the flush; so here the same word is stored once more after the first
/// fence. What is on media is the same at each moment after that, and what it costs is that of two
/// round trips.
///
/// For one thread: what waits for its second round trip is not told apart by thread.
public final class TwoRoundTrips extends ForwardingDomain {
  private final boolean overlaps;
  private MemorySegment segment;
  private long first = -1;

  /// @param overlaps whether the first round trip may go on while the index is searched. In the
  ///   paper's baseline it may not, since there an entry has a link that must be durable with it
  public TwoRoundTrips(PersistenceDomain domain, boolean overlaps) {
    super(domain);
    this.overlaps = overlaps;
  }

  @Override
  public void flush(MemorySegment lines, long offset, long length) {
    domain.flush(lines, offset, length);
    if (length >= LINE_BYTES) {
      segment = lines;
      first = offset;
      if (!overlaps) {
        domain.fence();
      }
    }
  }

  @Override
  public void fence() {
    if (first >= 0) {
      if (overlaps) {
        domain.fence();
      }
      long word = segment.get(ValueLayout.JAVA_LONG, first);
      segment.set(ValueLayout.JAVA_LONG, first, word);
      domain.flush(segment, first, Long.BYTES);
      first = -1;
    }
    domain.fence();
  }

  @Override
  public String toString() {
    return domain + ", in two round trips";
  }
}
