package io.holdfast.jmh.bench.log;

import io.holdfast.jmh.report.Results;
import java.util.List;

/// What {@link Results} calls the benchmarks of the logs: the parts of Figure 4 that each is.
///
/// Which logs there are depends on the size, so that one method measures half lines, a second what
/// fits two lines, and a third the rest.
public final class LogNames {
  static final List<Integer> ENTRY_BYTES = List.of(32, 64, 128, 256, 512);
  static final List<Integer> LATENCIES_NS = List.of(0, 200, 400, 600, 800);

  /// In the order of the paper's Table 1, the one that all are compared with last.
  static final List<String> LOGS =
      List.of(
          "CSO-VB",
          "CSO-FVB",
          "CSO-Random",
          "AtlasLog",
          "tornbit",
          "CRC32C",
          "CRC64",
          "MD5",
          "SHA-1",
          "TwoRounds");

  private LogNames() {}

  /// The logs that a first look has time for: MD5 and SHA-1 are not among them.
  public static List<String> quick(int entryBytes) {
    return LOGS.stream()
        .filter(log -> LogTable.has(log, entryBytes) && !log.equals("MD5") && !log.equals("SHA-1"))
        .toList();
  }

  static String appendOfSize(String log, int bytes) {
    return switch (bytes) {
      case 32 -> appendAtLatency(log, 0);
      case 64, 128 -> "LogBenchmark.twoLines(bytes=%d,log=%s)".formatted(bytes, log);
      default -> "LogBenchmark.longer(bytes=%d,log=%s)".formatted(bytes, log);
    };
  }

  public static String appendAtLatency(String log, int nanos) {
    return "LogBenchmark.halfLine(latency=%d,log=%s)".formatted(nanos, log);
  }

  static String floorOfSize(int bytes) {
    return bytes == 32 ? floorAtLatency(0) : "LogBenchmark.floorOfLines(bytes=%d)".formatted(bytes);
  }

  public static String floorAtLatency(int nanos) {
    return "LogBenchmark.floor(latency=%d)".formatted(nanos);
  }
}
