package io.holdfast.core.log;

import io.holdfast.core.memory.EndMark;
import io.holdfast.core.memory.Memory;
import java.util.List;

/// A section that has ended and waits for others, as those know it who make it durable: any thread,
/// one at a time.
///
/// The sections of a set become durable together in this order of stores, with a fence after each
/// step. What is done already costs nothing: a step that has nothing to flush does not wait.
///
/// | | what | if it came later |
/// |---|---|---|
/// | 1 | the data of all sections ({@link EndMark#takeData}) | recovery would keep a section that lacks stores |
/// | 2 | ENDED of all, if they are of several logs | of a cycle, recovery would undo those whose DURABLE was not stored yet |
/// | 3 | DURABLE of all | |
///
/// **COMMIT-2** Before ENDED or DURABLE of any section of the set is stored, the data of all are
/// durable; before DURABLE of any, ENDED of all (COMMIT-1), unless one store makes the whole set
/// durable because it is of one log.
///
/// Where memory holds nothing back, each section has done steps 1 and 2 at its end.
public final class EndedSection {
  private final SectionLog log;
  private final long number;
  private final EndMark mark;

  EndedSection(SectionLog log, long number, EndMark mark) {
    this.log = log;
    this.number = number;
    this.mark = mark;
  }

  /// Makes sections durable together. What they depend on is durable, or among them.
  ///
  /// @param sections of one region; at least one
  public static void commit(List<EndedSection> sections) {
    SectionLog first = sections.getFirst().log;
    Memory memory = first.memory();
    for (EndedSection section : sections) {
      section.mark.takeData();
    }
    // COMMIT-2: flushed and fenced by this thread, which has just taken the data over. When the
    // process crashes, the fence that each section's thread passed at its end does.
    // Tests: WaitingSectionsCrashTest.theThreadThatCommitsMakesDataDurable,
    // WaitingSectionsCrashTest.isCommittedByASectionWithoutStores.
    memory.makeDataDurable();
    if (sections.stream().anyMatch(section -> !section.log.equals(first))) {
      for (EndedSection section : sections) {
        section.mark.store();
      }
      // COMMIT-1. Test: WaitingSectionsCrashTest.aCycleIsDurableTogether.
      memory.releaseFence();
    }
    for (EndedSection section : sections) {
      section.log.storeDurable(section.number);
    }
    // After it they are acknowledged, and their entries can be overwritten (LOG-1).
    // Test: WaitingSectionsCrashTest.theThreadThatCommitsMakesDataDurable.
    memory.releaseFence();
  }
}
