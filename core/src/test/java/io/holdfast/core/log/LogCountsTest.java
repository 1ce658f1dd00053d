package io.holdfast.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.testkit.RecordingMemory;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What an append and a trim cost, counted. One flush-and-fence round trip for each append of the
/// paper's three logs, and no line flushed but the entry's own.
class LogCountsTest {
  private static final long AT = 4096;

  static List<Arguments> appends() {
    return List.of(
        // format, words, flushes, lines
        Arguments.of(CsoVb.HALF_LINE, 3, 1, 1),
        Arguments.of(CsoVb.LINE, 7, 1, 1),
        Arguments.of(CsoVb.TWO_LINES, 14, 1, 2),
        Arguments.of(new CsoVbFreeBit(3, 5, 2), 24, 3, 3),
        Arguments.of(CsoFvb.CSO_FVB, 3, 1, 1),
        Arguments.of(CsoFvb.CSO_FVB, 7, 1, 1),
        Arguments.of(CsoFvb.CSO_FVB, 14, 1, 2),
        Arguments.of(CsoFvb.CSO_FVB, 61, 1, 8),
        Arguments.of(CsoRandom.CSO_RANDOM, 3, 1, 1),
        Arguments.of(CsoRandom.CSO_RANDOM, 7, 1, 1),
        Arguments.of(CsoRandom.CSO_RANDOM, 15, 1, 2),
        Arguments.of(CsoRandom.CSO_RANDOM, 63, 1, 8));
  }

  private static PersistenceCounts counts(RecordingMemory memory, Runnable action) {
    PersistenceCounts before = memory.counts();
    action.run();
    return memory.counts().since(before);
  }

  private static AppendLog create(RecordingMemory memory, LogFormat format) {
    memory.grow(1 << 16);
    return AppendLog.create(memory, AT, 4096, format, WhenFull.FAIL);
  }

  /// In a new log, and in each place of a ring that is used for the second time and the third.
  @ParameterizedTest
  @MethodSource("appends")
  void anAppendIsOneRoundTripOfItsOwnLines(LogFormat format, int words, int flushes, int lines) {
    RecordingMemory memory = new RecordingMemory();
    AppendLog log = create(memory, format);
    long[] payload = new long[words];
    int[] appends = {0};
    while (log.tail() < 3 * 4096) {
      Arrays.fill(payload, 8L * ++appends[0]);
      boolean fits = log.tail() % 4096 + lines * 64L <= 4096 || format instanceof CsoVbFreeBit;
      PersistenceCounts counts = counts(memory, () -> log.append(payload, words));
      assertThat(counts.fences()).as("append %d", appends[0]).isEqualTo(1);
      if (fits && lines > 1 || words == 3 || words == 7) { // the others skip the ring's end
        assertThat(counts.flushes()).as("append %d", appends[0]).isEqualTo(flushes);
        assertThat(counts.lines()).as("append %d", appends[0]).isEqualTo(lines);
      }
      log.trim(log.tail());
    }
  }

  @Test
  void threeWordsAreOneRoundTripOfOneLine() {
    for (LogFormat format : List.of(CsoVb.HALF_LINE, CsoFvb.CSO_FVB, CsoRandom.CSO_RANDOM)) {
      RecordingMemory memory = new RecordingMemory();
      AppendLog log = create(memory, format);
      for (int i = 1; i < 400; i++) {
        int value = i;
        assertThat(counts(memory, () -> log.append(value, value, value)))
            .as("%s, append %d", format, i)
            .isEqualTo(new PersistenceCounts(1, 1, 1, 32));
        log.trim(log.tail());
      }
    }
  }

  /// HEAD's line; CSO-Random fills what was trimmed after that.
  @Test
  void aTrimIsOneRoundTripAndTwoWhereSpaceIsRefilled() {
    for (LogFormat format : List.of(CsoVb.HALF_LINE, CsoFvb.CSO_FVB)) {
      RecordingMemory memory = new RecordingMemory();
      AppendLog log = create(memory, format);
      log.append(8, 16, 24);
      assertThat(counts(memory, () -> log.trim(log.tail())))
          .isEqualTo(new PersistenceCounts(1, 1, 1, 8));
    }
    RecordingMemory memory = new RecordingMemory();
    AppendLog log = create(memory, CsoRandom.CSO_RANDOM);
    log.append(8, 16, 24);
    assertThat(counts(memory, () -> log.trim(log.tail())))
        .isEqualTo(new PersistenceCounts(2, 2, 2, 40));
    assertThat(counts(memory, () -> log.trim(log.tail()))).isEqualTo(PersistenceCounts.NONE);
  }
}
