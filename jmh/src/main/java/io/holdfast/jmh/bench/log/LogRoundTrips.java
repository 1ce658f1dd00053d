package io.holdfast.jmh.bench.log;

import io.holdfast.core.persistence.PersistenceDomain;
import io.holdfast.jmh.count.CountingDomain;
import io.holdfast.jmh.domain.ForwardingDomain;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A domain in which the entries of section logs take a second round trip, as those of a list do: a
/// link must be stored after an entry that is durable, and be durable itself. Of Atlas's log that
/// is every other entry, those that begin a line; of a list without that trick every one ({@link
/// io.holdfast.jmh.log.AtlasLog}, {@link io.holdfast.jmh.log.TwoRounds}).
///
/// Sections have no links; so a word of the entry's line is stored once more in place of one. What
/// is on media is what it is without, and what it costs is what a list costs, but for the link's
/// own line, which here is the entry's. Of the first logs, as {@link CountingDomain} counts them.
///
/// Thread-safe: a log belongs to one thread.
final class LogRoundTrips extends ForwardingDomain {
  private final int everyNth;

  /// A thread's entries.
  private static final class Entries {
    private int written;
    private MemorySegment segment;

    /// Line of an entry that must be linked to; -1 if there is none.
    private long line = -1;
  }

  private final ThreadLocal<Entries> entries = ThreadLocal.withInitial(Entries::new);

  private LogRoundTrips(PersistenceDomain domain, int everyNth) {
    super(domain);
    this.everyNth = everyNth;
  }

  /// The domain in which section logs cost what a log of the CSO paper costs.
  ///
  /// @param log `CSO-VB`, which is that of sections, `AtlasLog` or `TwoRounds`
  static PersistenceDomain of(String log, PersistenceDomain domain) {
    return switch (log) {
      case "CSO-VB" -> domain;
      case "AtlasLog" -> new LogRoundTrips(domain, 2);
      case "TwoRounds" -> new LogRoundTrips(domain, 1);
      default -> throw new IllegalArgumentException("no such log of sections: name=" + log);
    };
  }

  @Override
  public void flush(MemorySegment segment, long offset, long length) {
    domain.flush(segment, offset, length);
    if (CountingDomain.isOfEntries(offset)) {
      Entries own = entries.get();
      if (own.written++ % everyNth == 0) {
        own.segment = segment;
        own.line = offset & -LINE_BYTES;
      }
    }
  }

  @Override
  public void fence() {
    Entries own = entries.get();
    if (own.line >= 0) {
      domain.fence();
      long word = own.segment.get(ValueLayout.JAVA_LONG, own.line);
      own.segment.set(ValueLayout.JAVA_LONG, own.line, word);
      domain.flush(own.segment, own.line, Long.BYTES);
      own.line = -1;
    }
    domain.fence();
  }

  @Override
  public String toString() {
    return "%s, every %d. entry of a log in two round trips".formatted(domain, everyNth);
  }
}
