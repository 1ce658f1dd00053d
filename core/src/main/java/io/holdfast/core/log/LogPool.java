package io.holdfast.core.log;

import static io.holdfast.core.memory.RegionLayout.ANCHOR_LOG_GROUPS;
import static io.holdfast.core.memory.RegionLayout.FIRST_SLOTS;
import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SpanTable.Use;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/// The log slots of a region: 26 in its first span, and further groups of 31 as more sections are
/// open at once.
///
/// A slot's number is its place in the order in which slots came to be; it never changes, since
/// dependencies on media name it.
///
/// **POOL-1** A group is linked before its span's word says so. Recovery stores the word of every
/// group on the list, so a crash between leaks nothing, and no span is used twice.
///
/// **POOL-2** A group is given back when no entry that counts can name its slots: at closing, when
/// every section is durable. Its span's word goes first, then the link, so that the list knows
/// every group. How many sections its logs have had is added to the first log's number, which
/// counts on from there.
///
/// Of the idle logs the one with the lowest group is lent, so that a crowd that is gone leaves
/// groups at the end of the list idle, and their chunks are given back.
///
/// **LOG-5** The logs of a region that is closed, or has been recovered, own no chunks.
///
/// Not thread-safe, as {@link SectionLogs} are.
public final class LogPool implements SectionLogs {
  private final Memory memory;
  private final SpanTable spans;

  /// Idle logs by group, the one used last first: it is warm in the cache.
  private final List<Deque<SectionLog>> idle = new ArrayList<>();

  /// The groups that have idle logs.
  private final BitSet withIdle = new BitSet();

  private int slots;

  /// Takes over the logs of a region, all empty; writes nothing.
  ///
  /// @throws RegionDamagedException naming the place, if something can't be
  public LogPool(Memory memory, SpanTable spans) {
    this.memory = memory;
    this.spans = spans;
    List<Long> groups = groups(memory, spans);
    for (long base : bases(groups)) {
      checkNumbers(memory, base, LogSlot.NUMBER_MAX);
      long chunk = memory.readPlain(base + LogSlot.CHUNKS);
      if (chunk != 0) { // LOG-5. Test: RegionRefusalTest.damagedListsOfLogs.
        throw damaged(memory, base + LogSlot.CHUNKS, "the list of chunks of an empty log", chunk);
      }
    }
    add(bases(List.of()));
    for (long group : groups) {
      add(basesOfGroup(group));
    }
  }

  /// Where the further groups are, oldest first.
  ///
  /// @throws RegionDamagedException if the list can't be right: it leads elsewhere than to spans
  ///   that are a group's, or in a circle
  public static List<Long> groups(Memory memory, SpanTable spans) {
    SequencedSet<Long> groups = new LinkedHashSet<>();
    long at = ANCHOR_LOG_GROUPS;
    for (long group = memory.readPlain(at); group != 0; group = memory.readPlain(at)) {
      // FREE: the word may not be stored yet (POOL-1).
      if (!spans.isUsedFor(group, Use.LOG_GROUP, Use.FREE) || !groups.add(group)) {
        throw damaged(memory, at, "the list of log groups", group);
      }
      at = group + LogSlot.GROUP_NEXT;
    }
    return List.copyOf(groups.reversed());
  }

  static RegionDamagedException damaged(Memory memory, long at, String what, long found) {
    return new RegionDamagedException(
        "%s: the region is damaged: %s holds 0x%X at offset 0x%X. The file was not touched; restore it from a backup"
            .formatted(memory.name(), what, found, at));
  }

  /// Checks a slot's words.
  ///
  /// @param max what a number may be at most
  /// @throws RegionDamagedException if a number is none that a slot comes to
  static void checkNumbers(Memory memory, long base, long max) {
    for (int word : new int[] {LogSlot.DURABLE, LogSlot.ENDED}) {
      long number = memory.readPlain(base + word);
      if (number < 0 || number > max) {
        throw damaged(memory, base + word, "a log's section number", number);
      }
    }
  }

  /// Where the slots are, by number.
  static List<Long> bases(List<Long> groups) {
    List<Long> bases = new ArrayList<>();
    for (int i = 0; i < LogSlot.FIRST_GROUP; i++) {
      bases.add(FIRST_SLOTS + (long) i * LogSlot.BYTES);
    }
    for (long group : groups) {
      bases.addAll(basesOfGroup(group));
    }
    return bases;
  }

  /// How many sections of a region have become durable in logs, ever. A section of one store that
  /// needs no log is not among them.
  public static long durableSections(Memory memory, SpanTable spans) {
    long durable = 0;
    for (long base : bases(groups(memory, spans))) {
      durable += memory.readPlain(base + LogSlot.DURABLE);
    }
    return durable;
  }

  private static List<Long> basesOfGroup(long group) {
    List<Long> bases = new ArrayList<>();
    for (int i = 1; i <= LogSlot.FURTHER_GROUP; i++) {
      bases.add(group + (long) i * LogSlot.BYTES);
    }
    return bases;
  }

  /// All or nothing, since a slot's number is its place.
  private void add(List<Long> bases) {
    int next = slots;
    Deque<SectionLog> logs = new ArrayDeque<>();
    for (long base : bases) {
      logs.addLast(new UndoLog(memory, spans, next++, base));
    }
    withIdle.set(next); // the room for its bit
    withIdle.clear(next);
    idle.add(logs);
    withIdle.set(idle.size() - 1);
    slots = next;
  }

  /// Frees the chunks that logs own, and all groups but the first (POOL-2). Nobody uses the logs
  /// any more, and all their sections are durable.
  ///
  /// @return the spans that are free on media now
  public static List<Long> free(Memory memory, SpanTable spans) {
    List<Long> freed = new ArrayList<>();
    List<Long> groups = groups(memory, spans);
    for (long base : bases(groups)) {
      long chunk = memory.readPlain(base + LogSlot.CHUNKS);
      while (chunk != 0) {
        freed.add(chunk);
        chunk = UndoLog.freeNewestChunk(memory, base, chunk);
      }
    }
    for (long group : groups.reversed()) {
      freeNewestGroup(memory, group);
      freed.add(group);
    }
    return freed;
  }

  private static void freeNewestGroup(Memory memory, long group) {
    long sections = memory.readPlain(FIRST_SLOTS + LogSlot.DURABLE);
    for (long base : basesOfGroup(group)) {
      sections += memory.readPlain(base + LogSlot.DURABLE);
    }
    memory.writePlain(FIRST_SLOTS + LogSlot.DURABLE, sections);
    // POOL-2: the word, then the link. The other way round a crash between would leak the span.
    // Test: LogPoolCrashTest.pool2GroupsGoWhenTheRegionIsClosed.
    memory.writePlain(SpanTable.wordOf(memory, group), SpanTable.word(Use.FREE, 0));
    memory.writeRelease(ANCHOR_LOG_GROUPS, memory.readPlain(group + LogSlot.GROUP_NEXT));
  }

  @Override
  public SectionLog poll() {
    int group = withIdle.nextSetBit(0);
    if (group < 0) {
      return null;
    }
    SectionLog log = idle.get(group).pollFirst();
    if (idle.get(group).isEmpty()) {
      withIdle.clear(group);
    }
    return log;
  }

  @Override
  public void giveBack(SectionLog log) {
    int group =
        log.slot() < LogSlot.FIRST_GROUP
            ? 0
            : 1 + (log.slot() - LogSlot.FIRST_GROUP) / LogSlot.FURTHER_GROUP;
    idle.get(group).addFirst(log);
    withIdle.set(group);
  }

  /// Adds a group of slots.
  @Override
  public void extend() {
    long group = spans.take(1);
    try {
      memory.zeroPlain(group, SPAN_BYTES);
      add(basesOfGroup(group));
    } catch (RuntimeException | Error e) {
      spans.giveBack(group, 1); // no memory for 31 logs
      throw e;
    }
    memory.writePlain(group + LogSlot.GROUP_NEXT, memory.readPlain(ANCHOR_LOG_GROUPS));
    // POOL-1: the zeros, the link, the word. A group that is linked before it is zero could show
    // entries of a former life to recovery. Test:
    // LogPoolCrashTest.groupsAreZeroBeforeTheyAreLinked.
    memory.writeRelease(ANCHOR_LOG_GROUPS, group);
    memory.writeRelease(SpanTable.wordOf(memory, group), SpanTable.word(Use.LOG_GROUP, 0));
    LogGrowth.tell(memory.name(), -1);
  }
}
