package io.holdfast.stress.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LedgerTest {
  private final Text text = Text.ofLicense();
  private final Ledger ledger = new Ledger(text);

  private void add(long... numbers) {
    for (long number : numbers) {
      ledger.add(text.line(number));
    }
  }

  @Test
  void linesInOrderAreRightRoundAfterRound() {
    for (long i = 0; i < 3L * text.lines(); i++) {
      add(i);
    }
    ledger.expectUpTo(3L * text.lines());

    assertThat(ledger.isRight()).isTrue();
    assertThat(ledger.in()).isEqualTo(3L * text.lines());
    assertThat(ledger.out()).isEqualTo(3L * text.lines());
  }

  @Test
  void aLineInBetweenIsLost() {
    add(0, 1, 3);

    assertThat(ledger.lost()).isEqualTo(1);
    assertThat(ledger.isRight()).isFalse();
  }

  @Test
  void acknowledgedLinesAtTheEndAreLost() {
    add(0, 1);
    ledger.expectUpTo(5);

    assertThat(ledger.lost()).isEqualTo(3);
    assertThat(ledger.isRight()).isFalse();
  }

  @Test
  void aLineThatComesTwiceIsDuplicated() {
    add(0, 1, 1);

    assertThat(ledger.duplicated()).isEqualTo(1);
    assertThat(ledger.isRight()).isFalse();
  }

  @Test
  void aLineThatComesLateIsOutOfOrder() {
    add(0, 2, 1);

    assertThat(ledger.outOfOrder()).isEqualTo(1);
    assertThat(ledger.lost()).isZero();
    assertThat(ledger.isRight()).isFalse();
  }

  @Test
  void aLineWithAnotherTextIsDamaged() {
    ledger.add(new Line(0, "something else"));

    assertThat(ledger.damaged()).isEqualTo(1);
    assertThat(ledger.isRight()).isFalse();
  }
}
