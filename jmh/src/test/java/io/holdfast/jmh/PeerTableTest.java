package io.holdfast.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.jmh.map.BenchmarkMap;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.map.MapShape;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.queue.BenchmarkQueue;
import io.holdfast.jmh.queue.Queues;
import io.holdfast.jmh.report.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PeerTableTest {
  static List<PeerTable.Peer> peers() {
    return PeerTable.PEERS;
  }

  /// With the flags of the table a peer works and nothing warns; those that it is said to fail
  /// without, it fails without.
  @ParameterizedTest
  @MethodSource("peers")
  void theFlagsAreThoseThatAreNeeded(PeerTable.Peer peer, @TempDir Path directory)
      throws IOException, InterruptedException {
    assumeThat(Maps.hasPeers()).as("the profile peers").isTrue();
    List<String> all = Stream.concat(peer.needed().stream(), peer.quieting().stream()).toList();
    assertThat(run(peer, all, directory)).endsWith("works\n").doesNotContain("WARNING:");
    for (String flag : peer.needed()) {
      List<String> fewer = all.stream().filter(other -> !other.equals(flag)).toList();
      assertThat(run(peer, fewer, directory)).as("without %s", flag).doesNotContain("works\n");
    }
    for (String flag : peer.quieting()) {
      List<String> fewer = all.stream().filter(other -> !other.equals(flag)).toList();
      assertThat(run(peer, fewer, directory)).as("without %s", flag).contains("WARNING:");
    }
  }

  private static String run(PeerTable.Peer peer, List<String> flags, Path parent)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(flags);
    command.addAll(
        List.of(
            "-Dchronicle.analytics.disable=true",
            "-cp",
            System.getProperty("java.class.path"),
            Use.class.getName(),
            peer.name(),
            Files.createTempDirectory(parent, "peer").toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }

  /// Uses a peer, in a process of its own.
  static final class Use {
    public static void main(String[] arguments) {
      Path directory = Path.of(arguments[1]);
      if (arguments[0].equals(Queues.CHRONICLE_QUEUE)) {
        try (BenchmarkQueue queue = Queues.create(arguments[0], directory, 10)) {
          BenchmarkQueue.Access access = queue.access();
          access.offer(new byte[64]);
          access.poll();
        }
      } else {
        try (BenchmarkMap map = Maps.open(arguments[0], directory, MapShape.ofYcsb(10, 100))) {
          map.fillBytes(10, 100);
          map.bytes().get(Items.key(5));
        }
      }
      System.out.println("works");
      System.exit(0); // RocksDB's and EclipseStore's threads may go on
    }
  }

  @ParameterizedTest
  @MethodSource("peers")
  void theVersionIsKnown(PeerTable.Peer peer) {
    assertThat(peer.version()).matches("\\d+(\\.\\d+)+");
  }

  @Test
  void whatWasMeasuredIsShown() {
    Results results = new Results(Map.of());
    results.add("MapBenchmark.put(map=LMDB)", "ns", List.of(1.0));
    StringWriter shown = new StringWriter();
    PeerTable.print(results, new PrintWriter(shown, true));
    assertThat(shown.toString()).contains("| LMDB", "java.nio").doesNotContain("RocksDB");
  }
}
