package io.holdfast.core.redo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ImageRenewalTest {
  private static final int PAGE = RegionLayout.PAGE_BYTES;
  private static final int FIRST = 64; // of the region's own
  private static final int PAGES = 1 << 16; // 256 MiB
  private static final int BUDGET = 256;
  private static final int THREADS = 3;
  private static final int RENEWALS = 4;

  @TempDir Path directory;

  private static RegionFile open(Path path, Durability acknowledged) {
    ImageBudget budget = new ImageBudget(BUDGET, Integer.MAX_VALUE);
    return RegionFile.openOn(
        path,
        file -> LoggedFile.open(Disk.local(), file, LoggedFile.LOG_BYTES, budget, acknowledged));
  }

  /// REMAP-2: each thread has words of its own, in pages that it shares with the others, and finds
  /// at any time what it has stored last; so does who opens what a loss of power would leave.
  @Test
  void remap2NoStoreIsLost() throws Exception {
    Path path = directory.resolve("r.hf");
    AtomicInteger renewals = new AtomicInteger();
    long[][] expected = new long[THREADS][PAGES];
    try (RecordingStream events = new RecordingStream()) {
      events.enable("io.holdfast.Checkpoint");
      events.onEvent(
          "io.holdfast.Checkpoint",
          event -> renewals.addAndGet(event.getLong("heldNanos") > 0 ? 1 : 0));
      events.startAsync();
      try (RegionFile file = open(path, Durability.POWER_FAILURE);
          Region _ = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
        Memory memory = file.memory();
        memory.grow((long) (FIRST + PAGES) * PAGE);
        ConcurrentLinkedQueue<Throwable> thrown = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          int mine = i;
          threads.add(
              Thread.ofPlatform()
                  .start(
                      () -> {
                        try {
                          Random random = new Random(mine);
                          for (int n = 1; renewals.get() < RENEWALS; n++) {
                            store(memory, n, random, offset(0, mine), expected[mine]);
                          }
                        } catch (Throwable e) {
                          thrown.add(e);
                        }
                      }));
        }
        for (Thread thread : threads) {
          thread.join();
        }
        assertThat(thrown).isEmpty();
        check(memory, expected);
        memory.awaitDurable();
        Path cut = directory.resolve("cut.hf");
        Files.copy(LoggedFile.logOf(path), LoggedFile.logOf(cut)); // first: a checkpoint may run
        Files.copy(path, cut);
        try (RegionFile copy = open(cut, Durability.POWER_FAILURE)) {
          check(copy.memory(), expected);
        }
      }
      events.stop();
    }
  }

  private static long offset(int page, int thread) {
    return (long) (FIRST + page) * PAGE + 64L * thread;
  }

  /// @param first offset of the thread's word in the first page
  private static void store(Memory memory, int n, Random random, long first, long[] expected) {
    int page = (n / 16 + random.nextInt(64)) % PAGES; // what is stored to moves on
    long at = first + (long) page * PAGE;
    assertThat(memory.readPlain(at)).isEqualTo(expected[page]);
    memory.writePlain(at, n);
    expected[page] = n;
    if (n % 64 == 0) {
      memory.acknowledge();
    }
  }

  private static void check(Memory memory, long[][] expected) {
    for (int thread = 0; thread < THREADS; thread++) {
      for (int page = 0; page < PAGES; page++) {
        assertThat(memory.readPlain(offset(page, thread))).isEqualTo(expected[thread][page]);
      }
    }
  }

  /// A file that is stored to all over takes no more memory than it may, and what the log names. A
  /// log is as long as 64 MiB. So many bytes of pages may be left by a renewal, and twice as many
  /// are allowed then; as many again are named while the next checkpoint writes, while the image is
  /// renewed, and are copied to the fresh mapping.
  @Test
  @EnabledOnOs(OS.LINUX)
  void memoryIsGivenBack() throws IOException {
    Path path = directory.resolve("r.hf");
    try (RegionFile file = open(path, Durability.PROCESS_CRASH);
        Region _ = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      Memory memory = file.memory();
      int pages = 1 << 17; // 512 MiB
      memory.grow((long) (FIRST + pages) * PAGE);
      byte[] page = new byte[PAGE];
      long most = 0;
      for (int i = 0; i < pages; i++) {
        page[0] = (byte) i;
        memory.writeBytesPlain((long) (FIRST + i) * PAGE, page, 0, PAGE);
        if (i % 16 == 0) {
          memory.acknowledge();
        }
        if (i % 4096 == 0) {
          most = Math.max(most, own(path));
        }
      }
      assertThat(most).as("bytes of its own").isPositive().isLessThan(5L * (64 << 20) + (8 << 20));
    }
  }

  /// Bytes of this process's own in mappings of a file.
  private static long own(Path path) throws IOException {
    long kibibytes = 0;
    boolean isOfFile = false;
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        isOfFile = line.endsWith(path.toString());
      } else if (isOfFile && line.startsWith("Anonymous:")) {
        kibibytes += Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    return kibibytes << 10;
  }
}
