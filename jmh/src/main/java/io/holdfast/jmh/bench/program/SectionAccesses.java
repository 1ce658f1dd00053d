package io.holdfast.jmh.bench.program;

import io.holdfast.core.log.UndoEntry;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.jmh.bench.program.Strategy.Logged;
import java.util.HashSet;
import java.util.Set;

/// The accesses of one section after the other, and what each {@link Strategy} would log of them.
/// Sections that store nothing log nothing and are not counted.
///
/// Not thread-safe, but for {@link Sum}.
final class SectionAccesses {
  /// The v_log, and the entry of the word that says whether it is durable.
  private static final int V_LOG_BYTES = RegionLayout.LINE_BYTES + UndoEntry.BYTES;

  /// A section waits for its data and its end.
  private static final int DATA_AND_END = 2;

  private final Set<Long> read = new HashSet<>();
  private final Set<Long> stored = new HashSet<>();
  private final Set<Long> objects = new HashSet<>();

  /// Since the idempotent part of the section has begun.
  private final Set<Long> readInPart = new HashSet<>();

  private final Set<Long> storedInPart = new HashSet<>();

  private long stores;
  private long oldWords;
  private long clobbers;
  private long objectBytes;
  private long locks;
  private long parts;

  void read(long word) {
    if (!stored.contains(word)) {
      read.add(word);
    }
    if (!storedInPart.contains(word)) {
      readInPart.add(word);
    }
  }

  /// A store to a word of a block that the section has allocated.
  void storeNew(long word) {
    store(word);
    stored.add(word);
  }

  /// A store to another word.
  ///
  /// @param object where the object begins that it is in
  /// @param bytes the object's size
  void storeOld(long word, long object, long bytes) {
    store(word);
    if (stored.add(word)) {
      oldWords++;
      clobbers += read.contains(word) ? 1 : 0;
    }
    objectBytes += objects.add(object) ? bytes : 0;
  }

  private void store(long word) {
    stores++;
    if (readInPart.contains(word) && !storedInPart.contains(word)) {
      parts++;
      readInPart.clear();
      storedInPart.clear();
    }
    storedInPart.add(word);
  }

  void lock() {
    locks++;
  }

  /// The section ends.
  void end(Sum sum) {
    if (stores > 0) {
      sum.add(this);
    }
    read.clear();
    stored.clear();
    objects.clear();
    readInPart.clear();
    storedInPart.clear();
    stores = 0;
    oldWords = 0;
    clobbers = 0;
    objectBytes = 0;
    locks = 0;
    parts = 0;
  }

  private long entries(Strategy strategy) {
    return switch (strategy) {
      case OBJECT_UNDO -> objects.size();
      case LOG_ALL, JUSTDO -> stores;
      case ATLAS -> oldWords + 2 * locks;
      case WORD_UNDO -> oldWords;
      case CLOBBER -> clobbers;
      case IDO -> 1 + parts;
    };
  }

  private long bytes(Strategy strategy) {
    long headers = entries(strategy) * UndoEntry.BYTES;
    return switch (strategy) {
      case OBJECT_UNDO -> headers + objectBytes;
      case CLOBBER -> headers + V_LOG_BYTES;
      default -> headers;
    };
  }

  private long fences(Strategy strategy) {
    long entries = entries(strategy);
    return DATA_AND_END + (strategy == Strategy.CLOBBER ? Math.max(1, entries) : entries);
  }

  /// Of many sections.
  static final class Sum {
    private static final int COUNT = Strategy.values().length;

    private final long[] entries = new long[COUNT];
    private final long[] bytes = new long[COUNT];
    private final long[] fences = new long[COUNT];
    private long sections;

    private synchronized void add(SectionAccesses section) {
      for (Strategy strategy : Strategy.values()) {
        int i = strategy.ordinal();
        entries[i] += section.entries(strategy);
        bytes[i] += section.bytes(strategy);
        fences[i] += section.fences(strategy);
      }
      sections++;
    }

    synchronized Logged of(Strategy strategy) {
      int i = strategy.ordinal();
      return new Logged(
          (double) entries[i] / sections,
          (double) bytes[i] / sections,
          (double) fences[i] / sections);
    }
  }
}
