package io.holdfast.core.log;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.log.UndoEntry.Kind;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// An undo log as recovery finds it: read and checked whole before anything is written.
///
/// The log ends at the first entry whose section number is smaller than that of the one before
/// (LOG-2), or at a link to a chunk that the slot does not own (LOG-3). Entries of durable sections
/// are passed over.
///
/// What must hold of every entry that may be undone is checked here: a known kind, and a target
/// that is a word of the region behind its headers. An entry that fails is damage, not a torn
/// write: a torn entry has no meta word yet (ENTRY-1).
public final class ScannedLog {
  /// A section that is not durable.
  ///
  /// @param first index of its first entry in the log
  /// @param dependencies what it is durable only with
  public record ScannedSection(SectionName name, long first, List<SectionName> dependencies) {}

  /// A section's name on media.
  public record SectionName(int slot, long number) {}

  private record Extent(long from, long to) {}

  private final Memory memory;
  private final int slot;
  private final long base;
  private final long durable;
  private final long ended;
  private final Set<Long> chunks;
  private final List<Extent> extents = new ArrayList<>();
  private final List<ScannedSection> sections = new ArrayList<>();
  private long entries;
  private long lastNumber;

  private ScannedLog(Memory memory, int slot, long base, SpanTable spans, int slots) {
    this.memory = memory;
    this.slot = slot;
    this.base = base;
    this.durable = memory.readPlain(base + LogSlot.DURABLE);
    this.ended = memory.readPlain(base + LogSlot.ENDED);
    this.chunks = readChunks(spans);
    scan(slots);
  }

  /// Reads every log of a region.
  ///
  /// @throws RegionDamagedException naming the place, if something can't be
  public static List<ScannedLog> scan(Memory memory, SpanTable spans) {
    checkGroups(memory, spans);
    List<Long> bases = LogPool.bases(memory, LogPool.groups(memory));
    List<ScannedLog> logs = new ArrayList<>();
    for (int slot = 0; slot < bases.size(); slot++) {
      logs.add(new ScannedLog(memory, slot, bases.get(slot), spans, bases.size()));
    }
    return logs;
  }

  private static void checkGroups(Memory memory, SpanTable spans) {
    Set<Long> seen = new HashSet<>();
    long at = RegionLayout.ANCHOR_LOG_GROUPS;
    for (long group = memory.readPlain(at); group != 0; group = memory.readPlain(at)) {
      if (!spans.isDataSpan(group) || !seen.add(group)) {
        throw damaged(memory, at, "the list of log groups", group);
      }
      at = group + LogSlot.GROUP_NEXT;
    }
  }

  private Set<Long> readChunks(SpanTable spans) {
    Set<Long> found = new HashSet<>();
    long at = base + LogSlot.CHUNKS;
    for (long chunk = memory.readPlain(at); chunk != 0; chunk = memory.readPlain(at)) {
      if (!spans.isDataSpan(chunk) || !found.add(chunk)) {
        throw damaged(memory, at, "a log's list of chunks", chunk);
      }
      at = chunk + LogSlot.CHUNK_NEXT;
    }
    return found;
  }

  private static RegionDamagedException damaged(Memory memory, long at, String what, long found) {
    return new RegionDamagedException(
        "%s: the region is damaged: %s holds 0x%X at offset 0x%X. The file was not touched; restore it from a backup"
            .formatted(memory.name(), what, found, at));
  }

  private void scan(int slots) {
    long from = base + LogSlot.ENTRIES;
    long limit = base + LogSlot.BYTES;
    long at = from;
    while (at < limit) {
      long meta = memory.readAcquire(at + UndoEntry.META);
      long number = UndoEntry.numberOf(meta);
      if (number == 0 || number < lastNumber) {
        break;
      }
      lastNumber = number;
      Kind kind = Kind.of(meta);
      if (kind == Kind.LINK) {
        long chunk = memory.readPlain(at + UndoEntry.TARGET);
        if (!chunks.contains(chunk)) {
          break;
        }
        extents.add(new Extent(from, at));
        from = chunk + LogSlot.ENTRIES;
        limit = chunk + RegionLayout.SPAN_BYTES;
        at = from;
        continue;
      }
      if (number > durable) {
        accept(kind, number, at, slots);
      }
      entries++;
      at += UndoEntry.BYTES;
    }
    extents.add(new Extent(from, at));
  }

  private void accept(Kind kind, long number, long at, int slots) {
    if (sections.isEmpty() || sections.getLast().name().number() != number) {
      sections.add(new ScannedSection(new SectionName(slot, number), entries, new ArrayList<>()));
    }
    long target = memory.readPlain(at + UndoEntry.TARGET);
    switch (kind) {
      case STORE, SET_BITS, CLEAR_BITS -> {
        boolean word =
            target >= RegionLayout.ANCHOR_ROOTS
                && target <= memory.length() - RegionLayout.WORD_BYTES
                && target % RegionLayout.WORD_BYTES == 0;
        if (!word) {
          throw damaged(memory, at, "an undo entry's target", target);
        }
      }
      case DEPENDENCY -> {
        if (target < 0 || target >= slots) {
          throw damaged(memory, at, "an undo entry's slot", target);
        }
        sections
            .getLast()
            .dependencies()
            .add(new SectionName((int) target, memory.readPlain(at + UndoEntry.VALUE)));
      }
      case null, default ->
          throw damaged(memory, at, "an undo entry", memory.readPlain(at + UndoEntry.META));
    }
  }

  /// The sections that are not durable, in order.
  public List<ScannedSection> sections() {
    return sections;
  }

  /// Whether a section of this log is durable.
  public boolean isDurable(long number) {
    return number <= durable;
  }

  /// Whether a section of this log has ended.
  public boolean hasEnded(long number) {
    return number <= ended;
  }

  /// Entries in the log.
  public long entries() {
    return entries;
  }

  /// The Lamport stamp of an entry.
  public long stamp(long index) {
    return memory.readPlain(address(index) + UndoEntry.STAMP);
  }

  /// Undoes an entry.
  public void undo(long index) {
    long at = address(index);
    long target = memory.readPlain(at + UndoEntry.TARGET);
    long value = memory.readPlain(at + UndoEntry.VALUE);
    switch (Kind.of(memory.readPlain(at + UndoEntry.META))) {
      case STORE -> memory.writePlain(target, value);
      case SET_BITS -> memory.writePlain(target, memory.readPlain(target) | value);
      case CLEAR_BITS -> memory.writePlain(target, memory.readPlain(target) & ~value);
      default -> {
        // A dependency says nothing about data.
      }
    }
  }

  private long address(long index) {
    long left = index;
    for (Extent extent : extents) {
      long count = (extent.to() - extent.from()) / UndoEntry.BYTES;
      if (left < count) {
        return extent.from() + left * UndoEntry.BYTES;
      }
      left -= count;
    }
    throw new IndexOutOfBoundsException("entry=%d, entries=%d".formatted(index, entries));
  }

  /// Makes the log empty: its sections count as durable, and its chunks are free again. Can be
  /// repeated.
  public void forget() {
    long last = Math.max(lastNumber, Math.max(durable, ended));
    // The chunks after the number, with release stores: entries must be ignored before their chunks
    // are anybody else's.
    // Test: RecoveryCrashTest.recoveryCanBeCutOffAnywhere.
    if (last > durable) {
      memory.writeRelease(base + LogSlot.DURABLE, last);
    }
    long chunk = memory.readPlain(base + LogSlot.CHUNKS);
    while (chunk != 0) {
      chunk = UndoLog.freeNewestChunk(memory, base, chunk);
    }
  }
}
