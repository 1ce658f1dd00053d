package io.holdfast.jmh.stm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.core.memory.MappedMemory;
import io.holdfast.jmh.count.CountingDomain;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.stamp.StampProgram;
import io.holdfast.jmh.stm.WordStm.Shape;
import io.holdfast.testkit.RecordingMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs the programs small. What is wrong with the result their own checks say, so these are tried
/// too.
@Timeout(120)
class StmProgramTest {
  private static final int THREADS = 2;
  private static final Shape ALONE = new Shape(1, 512, 12, 64);

  /// Of a vacation, so few that transactions meet.
  private static final int ROWS = 16;

  private static int small(StmProgram program) {
    return program == StmProgram.SSCA2 ? 8 : 4_000;
  }

  /// A program's memory, for one thread.
  private static WordStm stm(long words) {
    return WordStm.open(new RecordingMemory(), StmLog.CSO_VB, ALONE, words);
  }

  @ParameterizedTest
  @EnumSource
  void itsInvariantsHold(StmProgram program) {
    for (StmLog log : StmLog.values()) {
      try (StmRun run =
          new StmRun(program, log, THREADS, small(program), _ -> new CountingDomain())) {
        assertThat(run.run()).isPositive();
        run.check();
      }
    }
  }

  @Test
  void vacationsInvariantsHoldWhenAllWantTheSame() {
    Shape shape = new Shape(THREADS, 512, 12, 64);
    long words = WordVacation.words(THREADS, 4_000, ROWS);
    Scratch scratch = new Scratch();
    MappedMemory memory = scratch.memory(WordStm.bytes(shape, words), _ -> new CountingDomain());
    try (scratch) {
      WordStm stm = WordStm.open(memory, StmLog.CSO_VB, shape, words);
      StampProgram program = new WordVacation(stm, THREADS, 4_000, ROWS);
      program.run();
      program.check();
    } finally {
      memory.close();
    }
  }

  private static void write(WordStm stm, long offset, long value) {
    stm.transaction(0)
        .run(
            t -> {
              t.write(offset, value);
              return 0;
            });
  }

  @Test
  void vacationsCheckFindsAnOfferThatIsNotWhole() {
    WordStm stm = stm(WordVacation.words(1, 200, ROWS));
    StampProgram program = new WordVacation(stm, 1, 200, ROWS);
    program.run();
    program.check();
    long root = stm.transaction(0).run(t -> t.read(stm.dataAt() + Seal.LINE));
    long free = stm.transaction(0).run(t -> t.read(root + TravelAgency.FREE));
    write(stm, root + TravelAgency.FREE, free + 1);
    assertThatIllegalStateException()
        .isThrownBy(program::check)
        .withMessageStartingWith("VACATION-1");
  }

  @Test
  void vacationsCheckFindsABookingThatIsMissing() {
    WordStm stm = stm(WordVacation.words(1, 200, ROWS));
    StampProgram program = new WordVacation(stm, 1, 200, ROWS);
    program.run();
    TravelAgency agency =
        new TravelAgency(
            stm.transaction(0),
            new LineHeap(stm.transaction(0), stm.dataAt()),
            stm.dataAt() + Seal.LINE);
    long[] customer = {0};
    agency.transaction.run(
        t -> {
          agency.tree.forEach(
              t.read(agency.root(3)),
              each -> {
                if (t.read(each + TravelAgency.BOOKINGS) != 0) {
                  customer[0] = each;
                }
              });
          return 0;
        });
    write(stm, customer[0] + TravelAgency.BOOKINGS, 0);
    assertThatIllegalStateException()
        .isThrownBy(program::check)
        .withMessageStartingWith("VACATION-2");
  }

  @Test
  void ssca2sCheckFindsAPlaceThatIsEmptyAndAnEdgeThatIsNoneOfTheList() {
    WordStm stm = stm(WordSsca2.words(6));
    StampProgram program = new WordSsca2(stm, 1, 6);
    program.run();
    program.check();
    long place = stm.dataAt() + (1L << 6) * Long.BYTES;
    long from = stm.transaction(0).run(t -> t.read(place));
    assertThat(from).isPositive();
    write(stm, place, 0);
    assertThatIllegalStateException().isThrownBy(program::check).withMessageStartingWith("SSCA-1");
    write(stm, place, from % 64 + 1);
    assertThatIllegalStateException().isThrownBy(program::check).withMessageStartingWith("SSCA-2");
  }
}
