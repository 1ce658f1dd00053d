package io.holdfast.jmh;

import io.holdfast.jmh.call.Calls;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.queue.Queues;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.ThroughputTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;

/// How peers are set up, and the flags that each needs on JDK 25: found by leaving each out.
final class PeerTable {
  private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";
  private static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";
  private static final String REF = "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED";
  private static final String REFLECT = "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED";

  private static final String CHANNELS = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";

  /// In the order of the report.
  static final List<Peer> PEERS =
      List.of(
          new Peer(
              Maps.CHRONICLE_MAP,
              "chronicle-map",
              List.of(
                  "--add-opens=java.base/java.lang=ALL-UNNAMED",
                  REFLECT,
                  CHANNELS,
                  "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED"),
              List.of(NATIVE, UNSAFE, REF),
              "given its number of entries and their sizes; `putReturnsNull`; opened with its"
                  + " recovery",
              "none"),
          new Peer(
              Queues.CHRONICLE_QUEUE,
              "chronicle-queue",
              List.of(REFLECT, CHANNELS),
              List.of(NATIVE, UNSAFE, REF),
              "as it comes; raw bytes in a document context; a named tailer keeps its place, an"
                  + " unnamed one does not",
              "not measured"),
          new Peer(
              Maps.LMDB,
              "lmdbjava",
              List.of("--add-opens=java.base/java.nio=ALL-UNNAMED", CHANNELS),
              List.of(NATIVE, UNSAFE),
              "a transaction a put; `MDB_WRITEMAP`, `MDB_MAPASYNC`, `MDB_NOTLS`, for longs"
                  + " `MDB_INTEGERKEY`; reading transactions are renewed",
              "without `MDB_WRITEMAP` and `MDB_MAPASYNC`"),
          new Peer(
              Maps.ROCKSDB,
              "rocksdbjni",
              List.of(),
              List.of(NATIVE),
              "log without sync; 4 background jobs, Bloom filter of 10 bits, blocks of 16 KiB, a"
                  + " cache that holds everything; transfers with the options as they come",
              "`setSync(true)`"),
          new Peer(
              Maps.H2_MV_STORE,
              "h2",
              List.of(),
              List.of(),
              "a commit a put or transaction, no sync; cache of 256 MiB, retention time 0",
              "a `sync` after each commit; the default retention time"),
          new Peer(
              Maps.MAP_DB,
              "mapdb",
              List.of(),
              List.of(NATIVE),
              "none that is certain: a mapped file without its log",
              "`transactionEnable`, a commit a put"),
          new Peer(
              Maps.XODUS,
              "xodus-environment",
              List.of(),
              List.of(),
              "a transaction a put; `setLogDurableWrite(false)`, the default",
              "`setLogDurableWrite(true)`"),
          new Peer(
              Maps.ECLIPSE_STORE,
              "storage-embedded",
              List.of(),
              List.of(UNSAFE),
              "`LazyHashMap`, stored after each put under a read-write lock",
              "none"),
          new Peer(
              Calls.DB_SCHEDULER,
              "db-scheduler",
              List.of(),
              List.of(),
              "one-time tasks, executed at once by ten threads, over a file of H2's with"
                  + " `WRITE_DELAY=0`",
              "not measured"));

  private static final Properties VERSIONS = versions();

  private PeerTable() {}

  /// Somebody else's map or queue.
  ///
  /// @param artifact its name in Maven
  /// @param needed JVM flags without which it fails
  /// @param quieting flags without which JDK 25 warns
  /// @param processCrash how it is set up to survive the death of the process
  /// @param powerFailure what is different where the power may fail
  record Peer(
      String name,
      String artifact,
      List<String> needed,
      List<String> quieting,
      String processCrash,
      String powerFailure) {
    String version() {
      return VERSIONS.getProperty(artifact);
    }
  }

  private static Properties versions() {
    Properties versions = new Properties();
    try (InputStream in = PeerTable.class.getResourceAsStream("peers.properties")) {
      versions.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return versions;
  }

  /// Shows what was measured.
  static void print(Results results, PrintWriter out) {
    List<Peer> measured =
        PEERS.stream()
            .filter(peer -> results.all().stream().anyMatch(m -> m.name().contains(peer.name)))
            .toList();
    if (measured.isEmpty()) {
      return;
    }
    out.printf("%n## Peers%n%nFlags of JDK 25: what fails without them, and what warns.%n%n");
    ThroughputTable.heading(
        out, "peer", List.of("fails without", "warns without", "process crash", "power failure"));
    for (Peer peer : measured) {
      out.println(
          Page.row(
              List.of(
                  peer.name + " " + peer.version(),
                  flags(peer.needed),
                  flags(peer.quieting),
                  peer.processCrash,
                  peer.powerFailure)));
    }
  }

  private static String flags(List<String> flags) {
    return flags.isEmpty() ? "" : "`" + String.join("`, `", flags) + "`";
  }
}
