package io.holdfast.jmh.bench;

import com.sun.management.ThreadMXBean;
import io.holdfast.Holdfast;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Queue;
import java.util.UUID;

/// *Questions:* what does an insert pay for a page that is new in the file, and what does opening a
/// file of 10 GiB take?
///
/// *Floor of the first:* the same inserts into the same file, whose pages are there. *Compared
/// with:* the first store to a page that was only made room for. By the processor time of the
/// thread that inserts: as rounds of one program, since JMH measures elapsed time, which on a
/// shared machine is that of others. Elapsed time is reported beside it.
///
/// *Second:* medians of opening in a JVM that has done it some hundred times; the file is full of
/// blocks that are holes on the device, and has a queue in it.
public final class FileCosts {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int PAGE = 4096;
  private static final int PAGES = 1 << 14;
  private static final int ROUNDS = 5;
  private static final int OPENINGS = 400;
  private static final long INSERTED_BYTES = 400L << 20;
  private static final long GIBIBYTE = 1L << 30;

  private final Path directory;
  private final PrintStream out;

  private FileCosts(Path directory, PrintStream out) {
    this.directory = directory;
    this.out = out;
  }

  /// Prints the tables.
  ///
  /// @param arguments a directory on the device in question; else a temporary one
  public static void main(String[] arguments) throws IOException {
    Path directory =
        arguments.length > 0 ? Path.of(arguments[0]) : Files.createTempDirectory("holdfast-files");
    FileCosts costs = new FileCosts(directory, System.out);
    costs.pages();
    costs.inserts();
    costs.openings();
  }

  private record Cost(double processorNanos, double elapsedNanos) {
    static Cost of(Runnable action) {
      long processor = THREADS.getCurrentThreadCpuTime();
      long started = System.nanoTime();
      action.run();
      long ended = System.nanoTime();
      return new Cost(THREADS.getCurrentThreadCpuTime() - processor, ended - started);
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private void pages() throws IOException {
    double[] only = new double[ROUNDS];
    double[] written = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      only[i] = firstStores(false);
      written[i] = firstStores(true);
    }
    out.printf("| first store to a page | ns of processor time |%n|---|---|%n");
    out.printf("| the file was made longer | %.0f |%n", median(only));
    out.printf("| written before | %.0f |%n", median(written));
  }

  private double firstStores(boolean written) throws IOException {
    Path path = directory.resolve("pages.tmp");
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        Arena arena = Arena.ofConfined()) {
      file.setLength((long) PAGES * PAGE);
      byte[] zeros = new byte[PAGE];
      for (int i = 0; written && i < PAGES; i++) {
        file.write(zeros);
      }
      MemorySegment pages =
          file.getChannel().map(MapMode.READ_WRITE, 0, (long) PAGES * PAGE, arena);
      Cost cost =
          Cost.of(
              () -> {
                for (long at = 0; at < pages.byteSize(); at += PAGE) {
                  pages.set(ValueLayout.JAVA_LONG, at, 1);
                }
              });
      return cost.processorNanos / PAGES;
    } finally {
      Files.delete(path);
    }
  }

  private void inserts() throws IOException {
    out.printf(
        "%n| bytes of an element | ns of processor time for an offer | growing | a new page, ns of"
            + " processor time | elapsed |%n|---|---|---|---|---|%n");
    for (int bytes : new int[] {64, 1_000, 4_000}) {
      int offers = (int) (INSERTED_BYTES / (bytes + 32));
      byte[] element = new byte[bytes];
      double[][] results = new double[4][ROUNDS];
      for (int i = -1; i < ROUNDS; i++) {
        Path path = directory.resolve("inserts.hf");
        try (Holdfast store = Holdfast.open(path)) {
          Queue<byte[]> queue = store.queue("q", byte[].class);
          Cost growing = offer(queue, offers, element);
          double pages = (double) Files.size(path) / PAGE;
          drain(queue);
          Cost again = offer(queue, offers, element);
          drain(queue);
          if (i >= 0) { // the first is a warm-up
            results[0][i] = again.processorNanos / offers;
            results[1][i] = growing.processorNanos / offers;
            results[2][i] = (growing.processorNanos - again.processorNanos) / pages;
            results[3][i] = (growing.elapsedNanos - again.elapsedNanos) / pages;
          }
        } finally {
          delete(path);
        }
      }
      out.printf(
          "| %d | %.0f | %.0f | %.0f | %.0f |%n",
          bytes, median(results[0]), median(results[1]), median(results[2]), median(results[3]));
    }
  }

  private static Cost offer(Queue<byte[]> queue, int offers, byte[] element) {
    return Cost.of(
        () -> {
          for (int i = 0; i < offers; i++) {
            queue.add(element);
          }
        });
  }

  private static void drain(Queue<byte[]> queue) {
    while (queue.poll() != null) {
      // The file stays as it is.
    }
  }

  private void openings() throws IOException {
    Path path = directory.resolve("openings.hf").toAbsolutePath();
    try {
      create(path);
      double[] clean = new double[OPENINGS];
      double[] killed = new double[OPENINGS];
      for (int warmUp = 0; warmUp < 2; warmUp++) {
        for (int i = 0; i < OPENINGS; i++) {
          clean[i] = open(path, Outcome.CLEAN);
          kill(path);
          killed[i] = open(path, Outcome.RECOVERED);
        }
      }
      out.printf(
          "%n| opening %d GiB | median, µs |%n|---|---|%n| clean | %.0f |%n| killed in a section |"
              + " %.0f |%n",
          Files.size(path) / GIBIBYTE, median(clean) / 1e3, median(killed) / 1e3);
    } finally {
      delete(path);
    }
  }

  private static double open(Path path, Outcome expected) {
    long started = System.nanoTime();
    Holdfast store = Holdfast.open(path);
    double nanos = System.nanoTime() - started;
    if (store.recovery().outcome() != expected) {
      throw new IllegalStateException("opening: " + store.recovery());
    }
    store.close();
    return nanos;
  }

  /// As a process that ends in the middle of a section.
  private static void kill(Path path) {
    try (RegionFile file = RegionFile.open(path)) {
      Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
      SectionHooks.enter();
      region.sections().current().write(region.heap().allocate(PAGE), 1);
      region.sections().close();
      region.memory().close();
      SectionHooks.exit();
    }
  }

  private static void create(Path path) throws IOException {
    long length = 11 * GIBIBYTE; // closing cuts off what is free at the end
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(length);
    }
    Memory memory = new MappedMemory(path, length, new PageCache());
    RegionHeader.create(memory, UUID.randomUUID());
    memory.close();
    try (RegionFile file = RegionFile.open(path);
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      long block = 0;
      while (block < length - GIBIBYTE) {
        SectionHooks.enter();
        block = region.heap().allocate(Heap.MAX_BYTES);
        SectionHooks.exit();
      }
    }
    try (Holdfast store = Holdfast.open(path)) {
      Queue<byte[]> queue = store.queue("q", byte[].class);
      for (int i = 0; i < 100_000; i++) {
        queue.add(new byte[1_000]);
      }
    }
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
      Files.deleteIfExists(path.resolveSibling(path.getFileName() + ".lock"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
