package io.holdfast.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.fixture.Intruder;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.persistence.PersistenceDomain;
import io.holdfast.core.region.Region;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class MappedMemoryTest {
  private static final long STEP = 4L << 20;

  @TempDir Path directory;

  private Path empty() throws IOException {
    return Files.createFile(directory.resolve("m"));
  }

  @Test
  void growsFromNothing() throws IOException {
    Path path = empty();
    MappedMemory memory = new MappedMemory(path, 0, new PageCache());
    Random random = new Random(7);
    byte[] bytes = new byte[10_000];
    random.nextBytes(bytes);
    long before = 0;
    for (long length : new long[] {1 << 18, STEP - 64, STEP + 4096, 3 * STEP, 5 * STEP + 8}) {
      memory.grow(length);
      assertThat(memory.length()).isEqualTo(length);
      assertThat(memory.readPlain(length - 8)).isZero();
      assertThat(memory.readPlain(before)).isZero();
      memory.writePlain(length - 8, length);
      before = length;
    }
    assertThat(memory.readPlain((1 << 18) - 8)).isEqualTo(1 << 18);
    long across = STEP - 5_003;
    memory.writeBytesPlain(across, bytes, 0, bytes.length);
    byte[] back = new byte[bytes.length];
    memory.readBytes(across, back, 0, back.length);
    assertThat(back).isEqualTo(bytes);
    memory.zeroPlain(across, bytes.length);
    memory.readBytes(across, back, 0, back.length);
    assertThat(back).containsOnly(0);
    assertThat(Files.size(path)).isEqualTo(5 * STEP + 8);
    memory.close();
    memory.close();
  }

  @Test
  void closedMemoryRefusesAllAndLeavesTheFileAlone() throws IOException {
    Path path = empty();
    MappedMemory memory = new MappedMemory(path, 0, new PageCache());
    memory.grow(1 << 18);
    memory.close();
    byte[] other = new byte[1 << 19];
    new Random(7).nextBytes(other);
    Files.write(path, other); // another store's by now
    assertClosed(path, () -> memory.readPlain(0));
    assertClosed(path, () -> memory.readAcquire(0));
    assertClosed(path, () -> memory.writePlain(0, 1));
    assertClosed(path, () -> memory.writeRelease(0, 1));
    assertClosed(path, () -> memory.writeEntryRelease(0, 1, 1, 1, 1));
    assertClosed(path, () -> memory.readBytes(0, new byte[8], 0, 8));
    assertClosed(path, () -> memory.writeBytesPlain(0, new byte[8], 0, 8));
    assertClosed(path, () -> memory.zeroPlain(0, 8));
    assertClosed(path, () -> memory.grow(1 << 20));
    assertClosed(path, () -> memory.grow(1 << 17));
    assertThat(Files.readAllBytes(path)).isEqualTo(other);
  }

  private static void assertClosed(Path path, ThrowingCallable access) {
    assertThatThrownBy(access)
        .isInstanceOf(StoreClosedException.class)
        .hasMessage(path + ": the store is closed. Open it again");
  }

  @Test
  void readersSeeGrowth() throws Exception {
    readersSeeGrowth(new Noting(), Long.MAX_VALUE);
  }

  /// Each growth but a few maps the file anew, while the reader goes through older mappings.
  @Test
  void readersSeeGrowthWhereAddressesAreFew() throws Exception {
    Noting noting = new Noting();
    readersSeeGrowth(noting, 1 << 20);
    assertThat(noting.mappings).isGreaterThan(24);
  }

  /// @param ahead how many addresses may be mapped beyond the length
  private void readersSeeGrowth(Noting noting, long ahead) throws Exception {
    MappedMemory memory = new MappedMemory(empty(), 0, noting);
    memory.grow(4096);
    AtomicBoolean done = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    while (!done.get()) {
                      long last = memory.readAcquire(0); // published after the growth
                      if (last != 0) {
                        assertThat(memory.readPlain(last)).isEqualTo(last);
                      }
                    }
                  } catch (Throwable e) {
                    failure.set(e);
                  }
                });
    for (long length = 1 << 20; length <= 48 << 20; length += 1 << 20) {
      noting.most = Math.max(ahead, length + ahead);
      memory.grow(length);
      assertThat(memory.readPlain(0)).isEqualTo(Math.max(0, length - (1 << 20) - 8));
      memory.writePlain(length - 8, length - 8);
      memory.writeRelease(0, length - 8);
    }
    done.set(true);
    reader.join();
    memory.close();
    assertThat(failure.get()).isNull();
  }

  @Test
  void whatIsBehindTheEndIsZeroWhenTheRegionGrowsAgain() throws IOException {
    Path path = empty();
    MappedMemory memory = new MappedMemory(path, 0, new PageCache());
    memory.grow(3 * STEP);
    for (boolean givesBack : new boolean[] {false, true}) {
      for (long at = 4096; at < 3 * STEP; at += 4096) {
        memory.writePlain(at, at);
      }
      memory.shrink(STEP + 8192);
      assertThat(memory.length()).isEqualTo(STEP + 8192);
      assertThat(Files.size(path)).isEqualTo(3 * STEP);
      if (givesBack) {
        memory.giveBack();
        assertThat(Files.size(path)).isEqualTo(STEP + 8192);
      }
      memory.grow(3 * STEP);
      for (long at = 4096; at < 3 * STEP; at += 4096) {
        assertThat(memory.readPlain(at)).isEqualTo(at < STEP + 8192 ? at : 0);
      }
    }
    memory.close();
  }

  /// Shows MAPPING-1.
  @Test
  void whatIsPreparedIsNotYetTheRegions() throws Exception {
    Path path = empty();
    MappedMemory memory = new MappedMemory(path, 0, new PageCache());
    memory.grow(1 << 20);
    memory.prepare(5 * STEP);
    while (Files.size(path) < 5 * STEP) {
      assertThat(isPreparing(path)).isTrue();
      Thread.sleep(1);
    }
    assertThat(memory.length()).isEqualTo(1 << 20);
    memory.grow(5 * STEP);
    memory.writePlain(5 * STEP - 8, 1);
    memory.prepare(9 * STEP);
    memory.shrink(2 * STEP);
    memory.giveBack();
    memory.prepare(3 * STEP);
    memory.grow(3 * STEP);
    assertThat(memory.readPlain(3 * STEP - 8)).isZero();
    memory.close();
  }

  private static boolean isPreparing(Path path) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("holdfast-growth-" + path.getFileName()));
  }

  /// A region that becomes shorter while its next bytes are prepared: what it had there is not what
  /// it has there when it grows again.
  @Test
  void shrinkingWaitsForAPieceThatIsPrepared() throws Exception {
    Noting noting = new Noting();
    MappedMemory memory = new MappedMemory(empty(), 0, noting);
    noting.most = 2 << 20;
    memory.grow(2 << 20);
    memory.writePlain(3 << 19, 7);
    Thread shrinking = Thread.ofPlatform().daemon().unstarted(() -> memory.shrink(1 << 20));
    noting.most = 3 << 20;
    noting.met = shrinking;
    memory.prepare(3 << 20);
    while (shrinking.getState() == Thread.State.NEW) {
      Thread.onSpinWait();
    }
    shrinking.join();
    Intruder.awaitEndOrWait(noting.mapper); // else the growth could be what prepares the piece
    memory.grow(2 << 20);
    assertThat(memory.readPlain(3 << 19)).isZero();
    memory.close();
  }

  /// A growth that finds the piece that it needs under way.
  @Test
  void growingWaitsForAPieceThatIsPrepared() throws Exception {
    Noting noting = new Noting();
    MappedMemory memory = new MappedMemory(empty(), 0, noting);
    noting.most = 2 << 20;
    memory.grow(2 << 20);
    FutureTask<Void> growing = new FutureTask<>(() -> memory.grow(3 << 20), null);
    noting.most = 3 << 20;
    noting.met = Thread.ofPlatform().daemon().unstarted(growing);
    memory.prepare(3 << 20);
    growing.get();
    assertThat(memory.length()).isEqualTo(3 << 20);
    memory.close();
  }

  /// Whatever maps the file anew while the memory is closed: after that nobody accesses it.
  @Test
  void closingWaitsForAMapping() throws Exception {
    closeIn(MappedMemory::giveBack);
    closeIn(MappedMemory::watchStores);
    closeIn(MappedMemoryTest::growUnlessClosed);
  }

  private static void growUnlessClosed(MappedMemory memory) {
    try {
      memory.grow(3 << 20);
    } catch (StoreClosedException e) {
      // The closing that waited came before the growth looked once more.
    }
  }

  private void closeIn(Consumer<MappedMemory> mapping) throws Exception {
    Path path = Files.createTempFile(directory, "m", "");
    Noting noting = new Noting();
    MappedMemory memory = new MappedMemory(path, 0, noting);
    noting.most = 2 << 20;
    memory.grow(2 << 20);
    noting.most = 3 << 20;
    memory.shrink(1 << 20);
    noting.met = Thread.ofPlatform().daemon().unstarted(memory::close);
    mapping.accept(memory);
    noting.met.join();
    assertClosed(path, () -> memory.readPlain(0));
  }

  /// Maps as the page cache does, and notes how often, and how long that made the file.
  private static final class Noting extends PersistenceDomain {
    private final PageCache pageCache = new PageCache();
    long longest;
    int mappings;

    /// The longest mapping that there are addresses for.
    long most = Long.MAX_VALUE;

    /// Starts after the next mapping, which is not used yet, and ends or waits.
    volatile Thread met;

    /// Who has mapped before that.
    volatile Thread mapper;

    @Override
    public MemorySegment map(FileChannel channel, long start, long length, Arena arena)
        throws IOException {
      if (length > most) {
        throw new IOException("too few addresses");
      }
      MemorySegment mapping = pageCache.map(channel, start, length, arena);
      mappings++;
      longest = Math.max(longest, channel.size());
      if (met != null && met.getState() == Thread.State.NEW) {
        mapper = Thread.currentThread();
        met.start();
        Intruder.awaitEndOrWait(met);
      }
      return mapping;
    }

    @Override
    public void flush(MemorySegment segment, long offset, long length) {
      pageCache.flush(segment, offset, length);
    }

    @Override
    public void fence() {
      pageCache.fence();
    }

    @Override
    public boolean survivesPowerFailure() {
      return false;
    }

    @Override
    public PersistenceCounts counts() {
      return pageCache.counts();
    }
  }

  @Test
  void aRegionThatIsCreatedIsNeverLonger() throws IOException {
    Noting noting = new Noting();
    MappedMemory memory = new MappedMemory(empty(), 0, noting);
    memory.grow(RegionFile.INITIAL_BYTES);
    assertThat(noting.longest).isEqualTo(RegionFile.INITIAL_BYTES);
    memory.grow(2 * RegionFile.INITIAL_BYTES);
    assertThat(noting.longest).isGreaterThan(4 * STEP);
    memory.close();
  }

  /// MAPPING-3.
  @Test
  void nobodyFaultsWhenSpaceIsGivenBack() throws Exception {
    Path path = empty();
    MappedMemory memory = new MappedMemory(path, 0, new PageCache());
    memory.grow(1 << 20);
    AtomicBoolean done = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread inUse =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    for (long i = 1; !done.get(); i++) {
                      memory.writeRelease(64, i);
                      assertThat(memory.readAcquire(64)).isEqualTo(i);
                    }
                  } catch (Throwable e) {
                    failure.set(e);
                  }
                });
    Thread behindTheEnd =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    while (!done.get()) {
                      try {
                        memory.readPlain(2 * STEP + 4096);
                      } catch (IndexOutOfBoundsException e) {
                        // It is cut off, and nothing worse.
                      }
                    }
                  } catch (Throwable e) {
                    failure.set(e);
                  }
                });
    for (int i = 0; i < 100; i++) {
      memory.grow(3 * STEP);
      memory.prepare(4 * STEP);
      memory.shrink(1 << 20);
      memory.giveBack();
    }
    done.set(true);
    inUse.join();
    behindTheEnd.join();
    memory.close();
    assertThat(failure.get()).isNull();
  }

  @Test
  void interruptsHarmNothing() throws Exception {
    Path path = directory.resolve("i.hf");
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread worker =
        Thread.ofPlatform()
            .start(
                () -> {
                  Thread.currentThread().interrupt();
                  try (RegionFile file = RegionFile.open(path);
                      Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                    for (int i = 0; i < 60; i++) {
                      Words.atomically(() -> region.heap().allocate(1 << 20));
                    }
                    assertThat(region.heap().validator().blocks()).hasSize(60);
                  } catch (Throwable e) {
                    failure.set(e);
                  }
                });
    while (worker.isAlive()) {
      worker.interrupt();
      Thread.onSpinWait();
    }
    assertThat(failure.get()).isNull();
    try (RegionFile file = RegionFile.open(path);
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      assertThat(region.heap().validator().blocks()).hasSize(60);
    }
  }

  /// Fills a device; run in a process whose files may have 4 MiB at most.
  static final class Filler {
    public static void main(String[] arguments) {
      try (RegionFile file = RegionFile.open(Path.of(arguments[0]));
          Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
        Words.create(region, 1);
        int blocks = 0;
        try {
          while (true) {
            Words.atomically(() -> region.heap().allocate(100_000));
            blocks++;
          }
        } catch (RegionFullException e) {
          System.out.println(e.getMessage());
        }
        Words.atomically(() -> Words.write(region, 0, 1)); // the region stays usable
        System.out.println(blocks == region.heap().validator().blocks().size() - 2);
        System.out.println(Files.size(Path.of(arguments[0])) == file.memory().length());
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }

  @Test
  void aFullDeviceIsAnException() throws Exception {
    assumeThat(Files.isExecutable(Path.of("/bin/bash"))).isTrue();
    Path path = directory.resolve("full.hf");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process filler =
        new ProcessBuilder(
                "/bin/bash",
                "-c",
                "ulimit -f 4096; trap '' XFSZ; exec \"$@\"",
                "bash",
                java,
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                Filler.class.getName(),
                path.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(filler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(filler.waitFor()).as(output).isZero();
    String[] lines = output.split("\n");
    assertThat(lines[0])
        .as(output)
        .matches(
            "\\Q%s\\E: cannot grow the region: from=\\d+ bytes, to=\\d+ bytes \\(File too large\\)\\. Nothing is lost; make room on the device, or raise the quota or file-size limit, and call again"
                .formatted(path.toRealPath()));
    assertThat(lines[1]).as("blocks: " + output).isEqualTo("true");
    assertThat(lines[2]).as("given back: " + output).isEqualTo("true");
  }

  /// A thread comes to the end of its stack, and closes a memory from each of its last calls: one
  /// of them has room for the beginning of the closing, and none for its end.
  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void mapping6AClosingThatWasCutOffIsRepeated() throws Exception {
    Path path = empty();
    for (int round = 0; round < 50; round++) {
      MappedMemory memory = new MappedMemory(path, 0, new PageCache());
      AtomicBoolean isClosed = new AtomicBoolean();
      Runnable attempt =
          () -> {
            if (!isClosed.get()) {
              memory.close();
              isClosed.set(true);
            }
          };
      FutureTask<Void> task = new FutureTask<>(() -> atEachDepth(attempt), null);
      new Thread(null, task, "deep", 256 << 10).start();
      task.get();
      memory.close();
      assertThat(isClosed).as("round %d", round).isTrue();
    }
  }

  private static void atEachDepth(Runnable attempt) {
    try {
      atEachDepth(attempt);
    } catch (StackOverflowError e) {
      // The last call is over.
    }
    try {
      attempt.run();
    } catch (StackOverflowError e) {
      // One call up there is more room.
    }
  }
}
