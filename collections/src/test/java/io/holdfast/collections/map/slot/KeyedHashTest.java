package io.holdfast.collections.map.slot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyedHashTest {
  private static final KeyedHash HASH = new KeyedHash(3, 5);

  /// Computed beside it with Python's integers: a region is read by what these are.
  @ParameterizedTest
  @CsvSource({
    "0, 7bea9ca6b92c825e",
    "1, e98b56746666872a",
    "8, 53b3092a708695a9",
    "16, 35d8e9dfd555fa2e",
    "21, 470cdca698cb67d3",
    "32, e2bd46ab80b9cea3"
  })
  void isThatOfTheFormat(int length, String expected) {
    assertThat(Long.toHexString(HASH.hash(bytes(length), length))).isEqualTo(expected);
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i + 1);
    }
    return bytes;
  }

  @Test
  void aWordIsItsEightBytes() {
    Encoded word = Encoded.of(0x0123_4567_89AB_CDEFL);
    assertThat(HASH.hash(word.word())).isEqualTo(HASH.hash(word.bytes(), 8));
    assertThat(HASH.hash(word)).isNotEqualTo(new KeyedHash(3, 6).hash(word));
    assertThat(HASH.hash(word)).isNotEqualTo(new KeyedHash(4, 5).hash(word));
  }

  /// A bit of the key changes each bit of the hash in about half of the keys.
  @ParameterizedTest
  @ValueSource(ints = {8, 16, 21})
  void eachBitOfTheKeyChangesHalfOfTheHash(int length) {
    int keys = 500;
    for (int bit = 0; bit < length * 8; bit++) {
      int[] changes = new int[64];
      for (int number = 0; number < keys; number++) {
        byte[] key = bytes(length);
        key[0] = (byte) number;
        key[length - 1] = (byte) (number >>> 8);
        long before = HASH.hash(key, length);
        key[bit / 8] ^= (byte) (1 << bit % 8);
        long changed = before ^ HASH.hash(key, length);
        for (int i = 0; i < 64; i++) {
          changes[i] += (int) (changed >>> i & 1);
        }
      }
      assertThat(Arrays.stream(changes).min().orElseThrow()).as("bit %d", bit).isGreaterThan(170);
      assertThat(Arrays.stream(changes).max().orElseThrow()).as("bit %d", bit).isLessThan(330);
    }
  }

  /// Ascending keys, and keys that differ in their top bits alone, fill the buckets evenly.
  @ParameterizedTest
  @ValueSource(ints = {0, 20, 48})
  void keysInARowAreSpread(int shift) {
    int buckets = 1 << 8, keys = 1 << 16;
    int[] low = new int[buckets];
    int[] high = new int[buckets];
    int[] middle = new int[buckets];
    for (long i = 0; i < keys; i++) {
      long hash = HASH.hash(i << shift);
      low[(int) hash & buckets - 1]++;
      high[(int) (hash >>> 56)]++;
      middle[(int) (hash >>> 24) & buckets - 1]++;
    }
    for (int[] counts : new int[][] {low, middle, high}) {
      assertThat(Arrays.stream(counts).min().orElseThrow()).isGreaterThan(150);
      assertThat(Arrays.stream(counts).max().orElseThrow()).isLessThan(360);
    }
  }
}
