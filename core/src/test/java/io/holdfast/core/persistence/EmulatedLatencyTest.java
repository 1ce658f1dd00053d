package io.holdfast.core.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class EmulatedLatencyTest {
  @Test
  void aFenceTakesNoLessThanWasAdded() {
    EmulatedLatency domain = new EmulatedLatency(new PageCache(), 800);
    for (int i = 0; i < 100; i++) {
      long before = System.nanoTime();
      domain.fence();
      assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(800);
    }
    assertThat(domain).hasToString("page cache, slower by 800 ns");
    assertThat(domain.survivesPowerFailure()).isFalse();
  }

  @Test
  void refusesWhatThePaperDoesNotHave() {
    for (int nanos : new int[] {-1, 801}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new EmulatedLatency(new PageCache(), nanos))
          .withMessageContaining("0 to 800");
    }
  }
}
