package io.holdfast.jmh.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.Durability;
import io.holdfast.core.log.AppendLog;
import io.holdfast.core.log.LogFormat;
import io.holdfast.core.log.WhenFull;
import io.holdfast.core.memory.Memory;
import io.holdfast.testkit.CrashExplorer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// "An adversarial program can create arbitrary behavior" (CSO paper, Table 1): whoever chooses the
/// data of two entries that meet in a slot can have recovery return a mix of both.
///
/// A CRC is linear: it does not see a difference that it divides without remainder. A difference of
/// some bytes and their remainder is one. The slot's old entry and the new one differ by that in
/// their first line, so the new second line, checksum included, fits either of them.
class ChecksumCollisionTest {
  private static final long AT = 64;
  private static final int WORDS = 14;
  private static final int PAYLOAD_BYTES = WORDS * Long.BYTES;

  /// Where the second line of an entry starts.
  private static final int SECOND_LINE = 64;

  /// One entry of two lines.
  private static final int CAPACITY = 128;

  static Stream<Arguments> checksums() {
    Supplier<LogFormat> crc32c = () -> Checksummed.crc32c(WORDS);
    Supplier<LogFormat> crc64 = () -> Checksummed.crc64(WORDS);
    return Stream.of(
        Arguments.of(crc32c, new CRC32C(), Integer.BYTES, ByteOrder.LITTLE_ENDIAN),
        Arguments.of(crc64, new Ecma182(), Long.BYTES, ByteOrder.BIG_ENDIAN));
  }

  @ParameterizedTest
  @MethodSource("checksums")
  void aTornEntryPassesForAWholeOne(
      Supplier<LogFormat> format, Checksum checksum, int checksumBytes, ByteOrder order) {
    byte[] older = new byte[PAYLOAD_BYTES];
    Arrays.fill(older, (byte) 1);
    byte[] newer = new byte[PAYLOAD_BYTES];
    Arrays.fill(newer, 0, SECOND_LINE, (byte) 1);
    Arrays.fill(newer, SECOND_LINE, PAYLOAD_BYTES, (byte) 2);
    byte[] unseen = unseen(checksum, checksumBytes, order);
    for (int i = 0; i < unseen.length; i++) {
      newer[i] ^= unseen[i];
    }
    assertThatThrownBy(() -> explore(format, older, newer))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(hex(words(mix(older, newer))).toString());
  }

  /// Stevens's two blocks of 64 bytes with the same MD5 ("Single-block collision attack on MD5",
  /// 2012). A block is a line, so what follows does not tell which of both was there.
  @Test
  void aTornEntryPassesForAWholeOneWithMd5() {
    String block =
        "4dc968ff0ee35c209572d4777b721587d36fa7b21bdc56b74a3dc0783e7b9518afbfa2%02xa8284bf36e8e4b55b35f"
            + "427593d849676da0d1%02x5d8360fb5f07fea2";
    byte[] older = twoLines(block.formatted(0x00, 0x55), 1);
    byte[] newer = twoLines(block.formatted(0x02, 0xd5), 2);
    assertThatThrownBy(() -> explore(() -> Checksummed.md5(WORDS), older, newer))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(hex(words(mix(older, newer))).toString());
    explore(() -> Checksummed.sha1(WORDS), older, newer);
  }

  private static byte[] twoLines(String firstInHex, int rest) {
    byte[] bytes = Arrays.copyOf(HexFormat.of().parseHex(firstInHex), PAYLOAD_BYTES);
    Arrays.fill(bytes, SECOND_LINE, PAYLOAD_BYTES, (byte) rest);
    return bytes;
  }

  /// What the tests above find is not there by itself.
  @ParameterizedTest
  @MethodSource("checksums")
  void otherDifferencesAreSeen(
      Supplier<LogFormat> format, Checksum checksum, int checksumBytes, ByteOrder order) {
    byte[] older = new byte[PAYLOAD_BYTES];
    byte[] newer = new byte[PAYLOAD_BYTES];
    Arrays.fill(newer, (byte) 2);
    explore(format, older, newer);
  }

  private static void explore(Supplier<LogFormat> format, byte[] older, byte[] newer) {
    CrashExplorer.of("checksums", memory -> open(memory, format.get()))
        .surviving(Durability.POWER_FAILURE)
        .given(log -> log.trim(append(log, older)))
        .step("append", log -> append(log, newer))
        .state(ChecksumCollisionTest::read)
        .explore();
  }

  private static AppendLog open(Memory memory, LogFormat format) {
    if (memory.length() > 0) {
      return AppendLog.open(memory, AT, format, WhenFull.FAIL);
    }
    memory.grow(4_096);
    return AppendLog.create(memory, AT, CAPACITY, format, WhenFull.FAIL);
  }

  private static long append(AppendLog log, byte[] payload) {
    return log.append(words(payload), WORDS);
  }

  private static List<List<String>> read(AppendLog log) {
    List<List<String>> entries = new ArrayList<>();
    log.forEach((end, entry) -> entries.add(hex(entry.toArray())));
    return entries;
  }

  /// Bytes that change no checksum when data is xored with them: some, and their remainder.
  private static byte[] unseen(Checksum checksum, int checksumBytes, ByteOrder order) {
    byte[] some = "adverse!".getBytes(US_ASCII);
    // What a checksum begins and ends with cancels out.
    long remainder = sum(checksum, some) ^ sum(checksum, new byte[some.length]);
    ByteBuffer unseen = ByteBuffer.allocate(some.length + checksumBytes).order(order).put(some);
    if (checksumBytes == Integer.BYTES) {
      unseen.putInt((int) remainder);
    } else {
      unseen.putLong(remainder);
    }
    return unseen.array();
  }

  private static long sum(Checksum checksum, byte[] bytes) {
    checksum.reset();
    checksum.update(bytes, 0, bytes.length);
    return checksum.getValue();
  }

  private static byte[] mix(byte[] firstLine, byte[] rest) {
    byte[] mix = rest.clone();
    System.arraycopy(firstLine, 0, mix, 0, SECOND_LINE);
    return mix;
  }

  private static long[] words(byte[] payload) {
    long[] words = new long[payload.length / Long.BYTES];
    ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
    return words;
  }

  private static List<String> hex(long[] words) {
    return Arrays.stream(words).mapToObj(Long::toHexString).toList();
  }
}
