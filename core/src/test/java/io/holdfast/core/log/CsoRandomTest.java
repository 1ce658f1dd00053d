package io.holdfast.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CsoRandomTest extends AppendLogContract {
  @Override
  protected LogFormat format() {
    return CsoRandom.CSO_RANDOM;
  }

  @Override
  protected int[] lengths() {
    return new int[] {3, 0, 1, 4, 7, 8, 15, 16, 40, 100, 150};
  }

  /// RANDOM-2: read after an opening, and a second round trip.
  @Test
  void aCollisionTakesASentinel() {
    RecordingMemory memory = memory();
    AppendLog log = AppendLog.create(memory, AT, 1024, CsoRandom.CSO_RANDOM, WhenFull.FAIL);
    long random = LogRing.open(memory, AT, CsoRandom.CSO_RANDOM).own();
    List<List<Long>> expected = new ArrayList<>();
    Random sizes = new Random(1);
    for (int i = 0; i < 300; i++) {
      long[] payload = new long[1 + sizes.nextInt(20)];
      Arrays.setAll(payload, word -> sizes.nextInt(3) == 0 ? random : word);
      boolean last = sizes.nextBoolean();
      payload[payload.length - 1] = last ? random : 1;
      long before = memory.counts().fences();
      log.append(payload, payload.length);
      assertThat(memory.counts().fences() - before).isGreaterThanOrEqualTo(last ? 2 : 1);
      expected.add(Arrays.stream(payload).boxed().toList());
      AppendLog opened = AppendLog.open(memory, AT, CsoRandom.CSO_RANDOM, WhenFull.FAIL);
      assertThat(entries(opened)).isEqualTo(expected);
      assertThat(opened.tail()).isEqualTo(log.tail());
      if (expected.size() > 2) {
        log.trim(log.tail());
        expected.clear();
      }
    }
  }
}
