package io.holdfast.jmh.atlas;

import io.holdfast.core.Durability;
import io.holdfast.core.fixture.RegionOpener;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.CrashExplorer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Crashes at each store of sections that are executed again, and of the second execution. Shows
/// CLOBBER-1, CLOBBER-2 and CLOBBER-3.
class ClobberCrashTest {
  private static final RegionOpener OPENER = new RegionOpener();

  private record Opened(Region region, OneLock program) implements AutoCloseable {
    static Opened over(Region region, MicroProgram program) {
      OneLock opened = small(program, ClobberMemory.of(region));
      opened.resume();
      return new Opened(region, opened);
    }

    @Override
    public void close() {
      program.close();
    }

    /// No block is lost: the record of the root and the program's.
    void checkBlocks() {
      int found = region.heap().validator().blocks().size();
      if (found != 1 + program.blocks()) {
        throw new AssertionError("blocks=%d, used=%d".formatted(found, program.blocks()));
      }
    }
  }

  /// So that every crash can be tried.
  private static OneLock small(MicroProgram program, ProgramMemory memory) {
    return switch (program) {
      case TPCC -> new TpccNewOrder(memory, 1, 2);
      case TPCC_TABLES -> TpccTablesTest.small(memory);
      case TATP -> new TatpUpdateLocation(memory, 2);
      case SPS -> new ArraySwaps(memory, 3);
      default -> (OneLock) program.over(memory);
    };
  }

  private static CrashExplorer<Opened> explorer(MicroProgram program, Durability durability) {
    return explorer(program, durability, memory -> OPENER.open(memory, durability));
  }

  private static CrashExplorer<Opened> explorer(
      MicroProgram program, Durability durability, CrashExplorer.Opener<Region> opener) {
    return CrashExplorer.of(
            "clobber, " + program, (Memory memory) -> Opened.over(opener.open(memory), program))
        .surviving(durability)
        .state(opened -> opened.program().content())
        .check(
            (opened, _) -> {
              opened.checkBlocks();
              opened.program().operate(3);
              opened.program().content();
              opened.checkBlocks();
            });
  }

  /// The programs' contract, for this memory: a step that is cut off is completed or never was.
  private static void operate(CrashExplorer<Opened> explorer) {
    for (long i : new long[] {3, -5, 3}) {
      explorer.step("operation " + i, opened -> opened.program().operate(i * 0x9E3779B97F4A7C15L));
    }
    explorer.explore();
  }

  static Stream<MicroProgram> programs() {
    return Stream.of(MicroProgram.values());
  }

  @ParameterizedTest
  @MethodSource("programs")
  void clobber1And2TheSectionIsCompleted(MicroProgram program) {
    operate(explorer(program, Durability.PROCESS_CRASH));
  }

  @ParameterizedTest
  @MethodSource("programs")
  void clobber1And2TheSectionIsCompletedAfterALossOfPower(MicroProgram program) {
    operate(explorer(program, Durability.POWER_FAILURE));
  }

  /// The queue overwrites a word that it does not read, which has no entry.
  @ParameterizedTest
  @EnumSource
  void soItIsInEveryMode(FlushMode mode) {
    operate(
        explorer(
            MicroProgram.QUEUE,
            Durability.POWER_FAILURE,
            memory -> Region.open(mode.over(memory), RegionLayout.MIN_BYTES)));
  }

  /// Two crashes, one after the other, in the openings that follow the first.
  @ParameterizedTest
  @EnumSource
  void clobber3ACrashOfTheSecondExecution(Durability durability) {
    explorer(MicroProgram.TATP, durability)
        .crashesOfRecovery(2)
        .step("operation", opened -> opened.program().operate(3))
        .explore();
  }

  /// The creation of TATP's subscribers is sections as well.
  @ParameterizedTest
  @EnumSource
  void creationIsCompletedAfterACrash(Durability durability) {
    explorer(MicroProgram.TATP, durability).fromAnEmptyFile().crashesOfRecovery(0).explore();
  }
}
