package io.holdfast.jmh.stm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.jmh.stm.WordStm.Shape;
import io.holdfast.testkit.RecordingMemory;
import org.junit.jupiter.api.Test;

/// Transactions of two threads, by turns in one.
class WordStmTest {
  private static final int WORDS = 1024;

  /// Three transactions, a log of 8 lines.
  private static final Shape SHAPE = new Shape(2, 8, 10, 3);

  private final HookedMemory memory = new HookedMemory(new RecordingMemory());
  private final WordStm stm = open(StmLog.CSO_VB);
  private final WordTransaction first = stm.transaction(0);
  private final WordTransaction second = stm.transaction(1);
  private final long x = word(0);
  private final long y = word(1);

  private WordStm open(StmLog log) {
    return WordStm.open(memory, log, SHAPE, WORDS);
  }

  private long word(int number) {
    return stm.dataAt() + (long) number * Long.BYTES;
  }

  private static void write(WordTransaction transaction, long offset, long value) {
    transaction.run(
        t -> {
          t.write(offset, value);
          return 0;
        });
  }

  private static long read(WordTransaction transaction, long offset) {
    return transaction.run(t -> t.read(offset));
  }

  @Test
  void whatIsWrittenIsReadAndStoredAtTheEnd() {
    long read =
        first.run(
            t -> {
              t.write(x, 1);
              t.write(y, 2);
              t.write(x, 3);
              assertThat(memory.readPlain(x)).isZero();
              return t.read(x) + t.read(y);
            });
    assertThat(read).isEqualTo(5);
    assertThat(memory.readPlain(x)).isEqualTo(3);
    assertThat(read(second, x)).isEqualTo(3);
  }

  @Test
  void aTransactionWritesAsManyWordsAsItsLogHolds() {
    int most = 3 * SHAPE.lines();
    for (int round = 1; round <= 5; round++) {
      int added = round;
      first.run(
          t -> {
            for (int i = 0; i < most; i++) {
              t.write(word(i), i + added);
            }
            for (int i = 0; i < most; i++) {
              assertThat(t.read(word(i))).isEqualTo(i + added);
            }
            return 0;
          });
    }
    assertThat(read(second, word(most - 1))).isEqualTo(most + 4);
    assertThat(first.aborted()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                first.run(
                    t -> {
                      for (int i = 0; i <= most; i++) {
                        t.write(word(i), -1);
                      }
                      return 0;
                    }))
        .withMessageContaining("max=24");
    assertThat(read(first, x)).isEqualTo(5);
  }

  @Test
  void anExceptionLeavesNothing() {
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(
            () ->
                first.run(
                    t -> {
                      t.write(x, 1);
                      throw new UnsupportedOperationException();
                    }));
    assertThat(read(first, x)).isZero();
    write(second, x, 2);
    assertThat(read(first, x)).isEqualTo(2);
  }

  @Test
  void whatWasReadIsReadAgainInALaterStateOrTheTransactionBeginsAgain() {
    long[] runs = {0};
    long sum =
        first.run(
            t -> {
              long before = t.read(x);
              if (runs[0]++ == 0) {
                write(second, y, 10);
              }
              return before + t.read(y);
            });
    assertThat(sum).isEqualTo(10);
    assertThat(first.aborted()).isZero();
    runs[0] = 0;
    sum =
        first.run(
            t -> {
              long before = t.read(x);
              if (runs[0]++ == 0) {
                write(second, x, 1);
                write(second, y, 20);
              }
              return before + t.read(y);
            });
    assertThat(sum).isEqualTo(21);
    assertThat(first.aborted()).isEqualTo(1);
  }

  /// Shows STM-7.
  @Test
  void aWordIsOfTheStateThatItsRecordSays() {
    long difference =
        first.run(
            t -> {
              long before = t.read(y);
              if (first.aborted() == 0) {
                memory.beforeEachRead(
                    () -> {
                      memory.beforeEachRead(() -> {});
                      write(second, x, 5);
                      write(second, y, 5);
                    });
              }
              return t.read(x) - before;
            });
    assertThat(difference).isZero();
    assertThat(first.aborted()).isEqualTo(1);
  }

  @Test
  void aWordThatWasReadIsTheSameAtTheCommit() {
    long[] runs = {0};
    first.run(
        t -> {
          t.write(y, t.read(x) + 1);
          if (runs[0]++ == 0) {
            second.run(
                other -> {
                  other.write(x, other.read(y) + 1);
                  return 0;
                });
          }
          return 0;
        });
    assertThat(memory.readPlain(x)).isEqualTo(1);
    assertThat(memory.readPlain(y)).isEqualTo(2);
    assertThat(first.aborted()).isEqualTo(1);
    assertThat(first.committed()).isEqualTo(1);
  }

  @Test
  void whatWasCommittedIsThereWhenItIsOpenedAgain() {
    for (int i = 1; i <= 10; i++) {
      write(i % 2 == 0 ? first : second, x, i);
      write(first, word(i), i);
      assertThat(read(open(StmLog.CSO_VB).transaction(1), x)).isEqualTo(i);
    }
  }

  @Test
  void misuseIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> write(first, x - 8, 1))
        .withMessageContaining("no word of the data");
    assertThatIllegalArgumentException().isThrownBy(() -> write(first, x + 4, 1));
    assertThatIllegalStateException().isThrownBy(() -> first.run(_ -> read(first, x)));
    assertThatExceptionOfType(RegionDamagedException.class)
        .isThrownBy(() -> open(StmLog.TWO_ROUNDS))
        .withMessageContaining("open it as it was made");
    assertThatIllegalArgumentException().isThrownBy(() -> new Shape(65, 8, 10, 64));
  }
}
