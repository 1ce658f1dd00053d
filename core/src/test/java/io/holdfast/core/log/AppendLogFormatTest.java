package io.holdfast.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What append logs look like on media, format version 1, word for word. A change here is a new
/// format version.
class AppendLogFormatTest {
  private static final long AT = 64;

  /// The words that are not zero, as offset and value in hexadecimal.
  private static List<String> words(LogFormat format, int capacity, int... lengths) {
    RecordingMemory memory = new RecordingMemory();
    memory.grow(4096);
    AppendLog log = AppendLog.create(memory, AT, capacity, format, WhenFull.FAIL);
    for (int length : lengths) {
      long[] payload = new long[length];
      Arrays.setAll(payload, i -> 0xA0 + (i % 8 == 5 ? i & ~4 : i));
      log.trim(log.tail());
      log.append(payload, length);
    }
    long random = LogRing.open(memory, AT, format).own();
    List<String> words = new ArrayList<>();
    for (long at = 0; at < AppendLog.bytes(capacity); at += 8) {
      long word = memory.readPlain(AT + at);
      if (word != 0) {
        boolean isRandom = word == random && format == CsoRandom.CSO_RANDOM;
        words.add("%x %s".formatted(at, isRandom ? "random" : Long.toHexString(word)));
      }
    }
    return words;
  }

  @Test
  void halfLines() {
    assertThat(words(CsoVb.HALF_LINE, 128, 3, 1, 0, 2, 3))
        .containsExactly(
            "0 484f4c444c4f4701",
            "8 80",
            "10 80",
            "40 a0",
            "48 a1",
            "50 a2",
            "58 206",
            "60 a0",
            "78 103",
            "98 101",
            "a0 a0",
            "a8 a1",
            "b8 105");
  }

  @Test
  void lines() {
    assertThat(words(CsoVb.LINE, 128, 7, 3, 1))
        .containsExactly(
            "0 484f4c444c4f4702",
            "8 80",
            "10 80",
            "40 a0",
            "48 a1",
            "50 a2",
            "58 a3",
            "60 a4",
            "68 a1",
            "70 a6",
            "78 202",
            "80 a0",
            "88 a1",
            "90 a2",
            "b8 107");
  }

  @Test
  void twoLines() {
    assertThat(words(CsoVb.TWO_LINES, 256, 14, 9))
        .containsExactly(
            "0 484f4c444c4f4703",
            "8 100",
            "10 80",
            "40 11d",
            "48 a0",
            "50 a1",
            "58 a2",
            "60 a3",
            "68 a4",
            "70 a1",
            "78 a6",
            "80 a7",
            "88 a8",
            "90 a9",
            "98 aa",
            "a0 ab",
            "a8 ac",
            "b0 a9",
            "b8 11d",
            "c0 113",
            "c8 a0",
            "d0 a1",
            "d8 a2",
            "e0 a3",
            "e8 a4",
            "f0 a1",
            "f8 a6",
            "100 a7",
            "108 a8",
            "138 113");
  }

  @Test
  void freeBits() {
    assertThat(words(new CsoVbFreeBit(1, 5, 2), 128, 8, 8, 8))
        .containsExactly(
            "0 484f4c444c4f4704",
            "8 80",
            "10 80",
            "20 100000502",
            "40 a0",
            "48 a1",
            "50 a2",
            "58 a3",
            "60 a4",
            "68 a1",
            "70 a6",
            "78 a7",
            "80 a0",
            "88 a1",
            "90 a2",
            "98 a3",
            "a0 a4",
            "a8 a5",
            "b0 a6",
            "b8 a7");
  }

  @Test
  void flexibleBits() {
    assertThat(words(CsoFvb.CSO_FVB, 256, 3, 14, 4, 10))
        .containsExactly(
            "0 484f4c444c4f4705",
            "8 100",
            "10 e0",
            "40 400000014",
            "48 187",
            "50 a0",
            "58 a1",
            "60 a2",
            "68 a3",
            "70 a4",
            "78 a1",
            "80 a6",
            "88 a7",
            "90 a8",
            "98 a9",
            "a0 a6",
            "a8 a7",
            "b0 a8",
            "b8 a9",
            "c0 aa",
            "c8 ab",
            "d0 ac",
            "d8 a9",
            "e0 200000009",
            "e8 81",
            "f0 a0",
            "f8 a1",
            "100 a2",
            "108 a3",
            "120 3ffffffff");
  }

  @Test
  void randomWords() {
    assertThat(words(CsoRandom.CSO_RANDOM, 256, 3, 12, 4, 10))
        .containsExactly(
            "0 484f4c444c4f4706",
            "8 100",
            "10 e0",
            "20 random",
            "40 400000015",
            "48 a0",
            "50 a1",
            "58 a2",
            "60 a3",
            "68 a4",
            "70 a1",
            "78 a6",
            "80 a7",
            "88 a8",
            "90 a9",
            "98 random",
            "a0 random",
            "a8 random",
            "b0 random",
            "b8 random",
            "c0 random",
            "c8 random",
            "d0 random",
            "d8 random",
            "e0 random",
            "e8 random",
            "f0 random",
            "f8 random",
            "100 random",
            "108 random",
            "110 random",
            "118 random",
            "120 3ffffffff",
            "128 random",
            "130 random",
            "138 random");
  }
}
