package io.holdfast.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.recovery.Verdict.Row;
import io.holdfast.core.recovery.Verdict.Standing;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {
  @Test
  void everyCombinationHasOneRow() {
    List<Row> all = new ArrayList<>();
    for (Standing standing : Standing.values()) {
      for (boolean met : new boolean[] {false, true}) {
        Verdict expected =
            switch (standing) {
              case OPEN -> Verdict.UNDO;
              case ENDED -> met ? Verdict.KEEP : Verdict.UNDO;
              case DURABLE -> Verdict.FORGET;
            };
        assertThat(Verdict.of(standing, met)).isEqualTo(expected);
        all.add(new Row(standing, met, expected, Verdict.row(standing, met).why()));
      }
    }
    assertThat(Verdict.TABLE).containsExactlyInAnyOrderElementsOf(all);
  }
}
