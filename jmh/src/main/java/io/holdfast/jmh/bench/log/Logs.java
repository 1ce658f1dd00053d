package io.holdfast.jmh.bench.log;

import io.holdfast.core.log.CsoFvb;
import io.holdfast.core.log.CsoRandom;
import io.holdfast.core.log.CsoVb;
import io.holdfast.core.log.LogFormat;
import io.holdfast.jmh.log.AtlasLog;
import io.holdfast.jmh.log.Checksummed;
import io.holdfast.jmh.log.Tornbit;
import io.holdfast.jmh.log.TwoRounds;

/// The logs by the names that papers give them.
final class Logs {
  private Logs() {}

  /// @param bytes of an entry in the log
  static LogFormat format(String name, int bytes) {
    int words = payloadWords(bytes);
    return switch (name) {
      case "CSO-VB" -> validityBit(bytes);
      case "CSO-FVB" -> CsoFvb.CSO_FVB;
      case "CSO-Random" -> CsoRandom.CSO_RANDOM;
      case "AtlasLog" -> new AtlasLog();
      case "tornbit" -> new Tornbit(words);
      case "CRC32C" -> Checksummed.crc32c(words);
      case "CRC64" -> Checksummed.crc64(words);
      case "MD5" -> Checksummed.md5(words);
      case "SHA-1" -> Checksummed.sha1(words);
      case "TwoRounds" -> new TwoRounds(words);
      default -> throw new IllegalArgumentException("no such log: name=" + name);
    };
  }

  private static LogFormat validityBit(int bytes) {
    return switch (bytes) {
      case 32 -> CsoVb.HALF_LINE;
      case 64 -> CsoVb.LINE;
      case 128 -> CsoVb.TWO_LINES;
      default ->
          throw new IllegalArgumentException("at most two lines: entry=%d bytes".formatted(bytes));
    };
  }

  /// The data of an entry of so many bytes: up to a line there is one word of metadata, in longer
  /// entries there are two (CSO paper, 5.1), and in those of eight lines three, because CSO-FVB has
  /// seven pairs there, of which a word holds six.
  static int payloadWords(int bytes) {
    return bytes / Long.BYTES - (bytes <= 64 ? 1 : bytes <= 256 ? 2 : 3);
  }
}
