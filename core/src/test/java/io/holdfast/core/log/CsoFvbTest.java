package io.holdfast.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CsoFvbTest extends AppendLogContract {
  @Override
  protected LogFormat format() {
    return CsoFvb.CSO_FVB;
  }

  @Override
  protected int[] lengths() {
    return new int[] {3, 0, 1, 4, 7, 8, 15, 16, 40, 100, 150};
  }

  /// FVB-2: payloads are headers of the next lap, so that its tail always stands before one.
  @Test
  void dataThatLooksLikeAHeaderIsNoEntry() {
    for (long words : new long[] {0, 2, 3, 100, 0xffff_ffffL}) {
      RecordingMemory memory = memory();
      AppendLog log = AppendLog.create(memory, AT, 1024, CsoFvb.CSO_FVB, WhenFull.FAIL);
      List<List<Long>> expected = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        long nextLap = log.tail() / 1024 + 2;
        long[] payload = new long[1 + i * 7 % 30];
        Arrays.fill(payload, header(nextLap, words));
        log.append(payload, payload.length);
        expected.add(Arrays.stream(payload).boxed().toList());
        AppendLog opened = AppendLog.open(memory, AT, CsoFvb.CSO_FVB, WhenFull.FAIL);
        assertThat(opened.tail()).as("words=%d, append %d", words, i).isEqualTo(log.tail());
        assertThat(entries(opened)).isEqualTo(expected);
        if (expected.size() > 1) {
          log.trim(log.tail());
          expected.clear();
        }
      }
    }
  }

  static long header(long lap, long words) {
    return lap << 33 | words << 1 | lap & 1;
  }
}
