package io.holdfast.core.memory;

import java.nio.file.Path;

/// In which run of the operating system a region's stores were left to its page cache: one word, at
/// `RegionLayout.RUN`.
///
/// | word | meaning |
/// |---|---|
/// | 0 | not known; also while the region is closed |
/// | -1 | none: the region was last opened for `POWER_FAILURE`, and all before that was durable |
/// | else | the run's {@link BootId} |
///
/// **RUN-1** When the system goes down, each page of a region that is open for `PROCESS_CRASH` is
/// on the device as it was at some moment of its own. A region that was not closed, and was last
/// open in another run or one that is not known, may be such a mixture. Nothing in it is believed
/// before all of it was verified. A copy, too, that was made of a file while that was open may have
/// pages of different moments; it is known by the note of who had it open ({@link RegionOwner}),
/// which names the file. Test: SystemCrashTest.run1ACopyIsVerified.
///
/// **RUN-2** The device knows that a region is open, and in which run, before the first section
/// stores something; and it has all that was ever stored before it may know that the region is
/// closed. Otherwise a mixture could say that it was closed. So the run stands there only when the
/// device knows. Tests: SystemRunTest.run2ClosedIsSaidWhenAllIsDurable,
/// SystemRunTest.run2OpenIsDurableFirst, SystemRunTest.run2AnOpeningThatWasCutOffIsNoWitness.
public final class SystemRun {
  /// What stands for no run.
  static final long NONE = -1;

  /// Whether pages of a region may be of different moments (RUN-1). Of what is no region: `false`.
  ///
  /// @param file whose bytes it has
  public static boolean mayMixMoments(Memory memory, Path file) {
    return RegionHeader.isOpen(memory)
        && !RegionHeader.isWithLog(memory) // which makes it of one moment
        && (!isOver(memory.readPlain(RegionLayout.RUN)) || RegionOwner.isOfAnother(memory, file));
  }

  private static boolean isOver(long run) {
    return run == NONE || run != 0 && run == BootId.current();
  }

  /// Records that a region, which says that it is open, is so in this run of the system, and for
  /// what. One that was killed in the same run says so already.
  public static void enter(Memory memory) {
    long run = memory.survivesPowerFailure() ? NONE : BootId.current();
    if (memory.readPlain(RegionLayout.RUN) != run || run == 0) {
      write(memory, run == NONE ? NONE : 0);
      memory.force(); // RUN-2, with the header
      write(memory, run); // not before: an opening after a kill believes it, and does not sync
    }
  }

  /// Forgets the run, before the region says that it is closed: a closed one of this run would be
  /// opened without the device's knowing (RUN-2). A crash in between has it verified, no more.
  public static void leave(Memory memory) {
    write(memory, 0);
  }

  private static void write(Memory memory, long run) {
    memory.unordered().writePlain(RegionLayout.RUN, run);
  }

  private SystemRun() {}
}
