package io.holdfast.jmh.bench.log;

import io.holdfast.core.log.AppendLog;
import io.holdfast.core.log.LogEntry;
import io.holdfast.core.log.WhenFull;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile.DomainFinder;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.persistence.PersistenceDomain;
import io.holdfast.core.persistence.PersistentMemory;
import io.holdfast.jmh.domain.EmulatedLatency;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.suite.Experiment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// The floor reads nothing back, so what the targets compare with it, {@link #append} and {@link
/// #appendToPageCache}, doesn't either. Which logs there are depends on the size: AtlasLog has half
/// lines only, CSO-VB two lines at most. The memory is an ordinary mapped file, so that `clwb` and
/// `sfence` cost what DRAM makes them cost. Payloads are random, and none is like the one that its
/// slot held before.
@Experiment(
    question =
        "what does an append cost, by log, by the size of the entry, by the latency of"
            + " the medium? The CSO paper's Figure 4, measured as there (5.1): appends, read"
            + " and discarded every 512 times",
    floor =
        "as many words stored to the next slot, a flush and a fence (`floor`,"
            + " `floorOfLines`); in the page cache, the stores alone (`plainStores`)",
    variables =
        "the log; bytes of an entry in the log, metadata included; nanoseconds added to"
            + " a fence")
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 250, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 250, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class LogBenchmark {
  /// Appends between two readings (CSO paper, 5.1).
  private static final int APPENDS = 512;

  /// Twice what is in the log at most.
  private static final int SLOTS = 2 * APPENDS;

  /// A prime, so that a slot gets another payload in each lap.
  private static final int PAYLOADS = 61;

  private static final int HALF_LINE = 32;
  private static final long AT = 4096;

  /// Flushes that cost what they cost, and make nothing durable: the file is on no such medium.
  private static PersistenceDomain cacheLine(Path file, int latency) throws IOException {
    PersistenceDomain domain = PersistentMemory.domainOf(file);
    return latency == 0 ? domain : new EmulatedLatency(domain, latency);
  }

  /// Memory in a file of its own, and what is stored to it.
  @State(Scope.Thread)
  public abstract static class Stores {
    private final long[][] payloads = new long[PAYLOADS][];
    private int nextPayload;
    private long nextSlot;
    private Scratch scratch;
    Memory memory;
    int entryBytes;

    final void open(int bytes, DomainFinder finder) {
      entryBytes = bytes;
      scratch = new Scratch();
      memory = scratch.memory(AT + AppendLog.bytes((long) SLOTS * bytes), finder);
      Random random = new Random(1);
      for (int i = 0; i < PAYLOADS; i++) {
        payloads[i] = random.longs(Logs.payloadWords(bytes)).toArray();
      }
    }

    @TearDown
    public final void close() {
      memory.close();
      scratch.close();
    }

    final long[] nextPayload() {
      nextPayload = nextPayload == PAYLOADS - 1 ? 0 : nextPayload + 1;
      return payloads[nextPayload];
    }

    final long nextAt() {
      long at = AT + nextSlot * entryBytes;
      nextSlot = nextSlot == SLOTS - 1 ? 0 : nextSlot + 1;
      return at;
    }

    /// Stores a payload to the next slot, and fills the slot up.
    ///
    /// @return where
    final long store() {
      long at = nextAt();
      long[] payload = nextPayload();
      for (int i = 0; i < payload.length; i++) {
        memory.writePlain(at + (long) i * Long.BYTES, payload[i]);
      }
      for (int i = payload.length; i < entryBytes / Long.BYTES; i++) {
        memory.writePlain(at + (long) i * Long.BYTES, nextSlot);
      }
      return at;
    }

    /// The same for half a line, without loops.
    final long storeHalfLine() {
      long at = nextAt();
      long[] payload = nextPayload();
      memory.writePlain(at, payload[0]);
      memory.writePlain(at + 8, payload[1]);
      memory.writePlain(at + 16, payload[2]);
      memory.writePlain(at + 24, nextSlot);
      return at;
    }
  }

  /// A log.
  public abstract static class Appended extends Stores implements AppendLog.Visitor {
    private AppendLog log;
    private long sum;

    final void open(String name, int bytes, DomainFinder finder) {
      open(bytes, finder);
      log =
          AppendLog.create(
              memory, AT, (long) SLOTS * bytes, Logs.format(name, bytes), WhenFull.FAIL);
    }

    final void append() {
      for (int i = 0; i < APPENDS; i++) {
        long[] payload = nextPayload();
        log.append(payload, payload.length);
      }
    }

    final void appendHalfLines() {
      for (int i = 0; i < APPENDS; i++) {
        long[] payload = nextPayload();
        log.append(payload[0], payload[1], payload[2]);
      }
    }

    final long readAndDiscard() {
      log.forEach(this);
      discard();
      return sum;
    }

    final void discard() {
      log.trim(log.tail());
    }

    @Override
    public void visit(long end, LogEntry entry) {
      for (int i = 0; i < entry.words(); i++) {
        sum += entry.word(i);
      }
    }
  }

  /// Half lines: all logs.
  public static class HalfLine extends Appended {
    @Param({
      "CSO-VB",
      "CSO-FVB",
      "CSO-Random",
      "AtlasLog",
      "tornbit",
      "CRC32C",
      "CRC64",
      "MD5",
      "SHA-1",
      "TwoRounds"
    })
    public String log;

    @Param({"0", "200", "400", "600", "800"})
    public int latency;

    @Setup
    public void open() {
      open(log, HALF_LINE, file -> cacheLine(file, latency));
    }
  }

  /// A line and two.
  public static class TwoLines extends Appended {
    @Param({
      "CSO-VB",
      "CSO-FVB",
      "CSO-Random",
      "tornbit",
      "CRC32C",
      "CRC64",
      "MD5",
      "SHA-1",
      "TwoRounds"
    })
    public String log;

    @Param({"64", "128"})
    public int bytes;

    @Setup
    public void open() {
      open(log, bytes, file -> cacheLine(file, 0));
    }
  }

  /// More.
  public static class Longer extends Appended {
    @Param({"CSO-FVB", "CSO-Random", "tornbit", "CRC32C", "CRC64", "MD5", "SHA-1", "TwoRounds"})
    public String log;

    @Param({"256", "512"})
    public int bytes;

    @Setup
    public void open() {
      open(log, bytes, file -> cacheLine(file, 0));
    }
  }

  /// Half lines that are not read.
  public static class Unread extends Appended {
    @Param({"CSO-VB", "CSO-FVB", "CSO-Random", "TwoRounds"})
    public String log;

    @Setup
    public void open() {
      open(log, HALF_LINE, file -> cacheLine(file, 0));
    }
  }

  /// Half lines in the page cache, not read.
  public static class InPageCache extends Appended {
    @Param({
      "CSO-VB",
      "CSO-FVB",
      "CSO-Random",
      "AtlasLog",
      "tornbit",
      "CRC32C",
      "CRC64",
      "MD5",
      "SHA-1",
      "TwoRounds"
    })
    public String log;

    @Setup
    public void open() {
      open(log, HALF_LINE, _ -> new PageCache());
    }
  }

  /// Stores of half lines.
  public static class HalfLineStores extends Stores {
    @Param({"0", "200", "400", "600", "800"})
    public int latency;

    @Setup
    public void open() {
      open(HALF_LINE, file -> cacheLine(file, latency));
    }
  }

  /// Stores of lines.
  public static class LineStores extends Stores {
    @Param({"64", "128", "256", "512"})
    public int bytes;

    @Setup
    public void open() {
      open(bytes, file -> cacheLine(file, 0));
    }
  }

  /// Stores of half lines to a mapped file, with nothing in between.
  public static class PlainStores extends Stores {
    private final Arena arena = Arena.ofShared();
    private MemorySegment mapping;

    @Setup
    public void open() {
      open(HALF_LINE, _ -> new PageCache());
      try (FileChannel channel =
          FileChannel.open(
              Path.of(memory.name()), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        mapping = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @TearDown
    public void unmap() {
      arena.close();
    }

    void storeToMapping() {
      long at = nextAt();
      long[] payload = nextPayload();
      mapping.set(ValueLayout.JAVA_LONG, at, payload[0]);
      mapping.set(ValueLayout.JAVA_LONG, at + 8, payload[1]);
      mapping.set(ValueLayout.JAVA_LONG, at + 16, payload[2]);
      mapping.set(ValueLayout.JAVA_LONG, at + 24, at);
    }
  }

  @Benchmark
  @OperationsPerInvocation(APPENDS)
  public long halfLine(HalfLine log) {
    log.appendHalfLines();
    return log.readAndDiscard();
  }

  @Benchmark
  @OperationsPerInvocation(APPENDS)
  public long twoLines(TwoLines log) {
    log.append();
    return log.readAndDiscard();
  }

  @Benchmark
  @OperationsPerInvocation(APPENDS)
  public long longer(Longer log) {
    log.append();
    return log.readAndDiscard();
  }

  @Benchmark
  @OperationsPerInvocation(APPENDS)
  public void append(Unread log) {
    log.appendHalfLines();
    log.discard();
  }

  @Benchmark
  @OperationsPerInvocation(APPENDS)
  public void appendToPageCache(InPageCache log) {
    log.appendHalfLines();
    log.discard();
  }

  @Benchmark
  @OperationsPerInvocation(APPENDS)
  public void floor(HalfLineStores stores) {
    for (int i = 0; i < APPENDS; i++) {
      stores.memory.flush(stores.storeHalfLine(), HALF_LINE);
      stores.memory.fence();
    }
  }

  @Benchmark
  @OperationsPerInvocation(APPENDS)
  public void floorOfLines(LineStores stores) {
    for (int i = 0; i < APPENDS; i++) {
      stores.memory.flush(stores.store(), stores.entryBytes);
      stores.memory.fence();
    }
  }

  @Benchmark
  @OperationsPerInvocation(APPENDS)
  public void plainStores(PlainStores stores) {
    for (int i = 0; i < APPENDS; i++) {
      stores.storeToMapping();
    }
  }
}
