package io.holdfast.core.log;

import io.holdfast.core.RegionDamagedException;

/// How an {@link AppendLog} tells an entry that is whole from one that a crash has cut off: what is
/// stored for an entry, in which order, and what a reader looks at.
///
/// A format has no state of its own but what it says about itself, and can serve many logs. What
/// holds for each:
///
/// - **LOG-A1** an entry that {@link #append} returned from is read, whole, until it is trimmed;
/// - **LOG-A2** one that was being appended is read whole or not at all;
/// - **LOG-A3** what is in free space, from former laps or from entries that were cut off, is never
///   read.
public abstract class LogFormat {
  /// What {@link #read} answers where there is no entry.
  public static final long NONE = -1;

  /// Which format this is, on media: 1 to 255.
  public abstract int number();

  /// The longest payload.
  public abstract int wordsMax();

  /// A word to keep in the header of a new ring.
  protected long ownWord() {
    return 0;
  }

  /// Whether a ring whose header holds such a word is of this format.
  protected boolean owns(long ownWord) {
    return true;
  }

  /// How many bytes an entry may take at most, from a position on.
  public abstract long room(LogRing ring, long position, int words);

  /// Stores an entry and makes it durable.
  ///
  /// @return the position after it
  public abstract long append(LogRing ring, long position, long[] payload, int words);

  /// The same for three words, half a line's payload.
  public long append(LogRing ring, long position, long w0, long w1, long w2) {
    return append(ring, position, new long[] {w0, w1, w2}, 3);
  }

  /// Reads the entry at a position.
  ///
  /// @return the position after it, or {@link #NONE} if there is no whole entry
  public abstract long read(LogRing ring, long position, LogEntry into);

  /// Sees to it that nothing that a crash has left behind the tail will ever be taken for an entry
  /// or a part of one. Durable when it returns.
  protected abstract void scrub(LogRing ring, long tail);

  /// Fills a new ring, in which there may be anything; does not make it durable.
  protected void initialise(LogRing ring) {
    ring.memory().zeroPlain(ring.at(0), ring.capacity());
  }

  /// Makes space ready that was trimmed; does not wait for it. The log does, before it uses it.
  ///
  /// @return whether a flush was started that a fence must follow before the space is used
  protected boolean recycle(LogRing ring, long from, long to) {
    return false;
  }

  /// Refuses a length that no entry can have: one that reaches beyond the ring's end.
  protected static void checkLength(LogRing ring, long position, long words) {
    if (words < 0 || !ring.isWhole(position, words * Long.BYTES)) {
      throw new RegionDamagedException(
          "%s: an entry is damaged: words=%d at position %d, offset 0x%X. Restore the file from a backup"
              .formatted(ring, words, position, ring.at(position)));
    }
  }

  @Override
  public String toString() {
    return getClass().getSimpleName();
  }
}
