package io.holdfast.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.RecordingMemory;
import org.junit.jupiter.api.Test;

class CsoVbLineTest extends AppendLogContract {
  @Override
  protected LogFormat format() {
    return CsoVb.LINE;
  }

  @Override
  protected int[] lengths() {
    return new int[] {0, 3, 5, 7};
  }

  /// Its polarity would be right: it is the lap beside it that tells.
  @Test
  void anEntryOfAnOlderLapIsNoEntry() {
    RecordingMemory memory = memory();
    AppendLog log = AppendLog.create(memory, AT, 128, CsoVb.LINE, WhenFull.FAIL);
    long[] payload = {1, 2, 3, 4, 5, 6, 7};
    for (int i = 0; i < 5; i++) {
      log.trim(log.tail());
      log.append(payload, 7);
    }
    assertThat(log.tail()).isEqualTo(2 * 128 + 64); // in lap 3; the tail is at the second line
    memory.damage(AT + LogRing.HEADER_BYTES + 64 + 56, CsoVb.meta(1, 7));
    assertThat(entries(AppendLog.open(memory, AT, CsoVb.LINE, WhenFull.FAIL))).hasSize(1);
  }
}
