package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.collections.PersistentQueue;
import io.holdfast.core.Durability;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.persistence.PersistentMemory;
import io.holdfast.core.section.hooks.SectionHooks;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A file that another program truncates while the store is open: the store takes no more calls and
/// says why, the JVM and other stores go on, and nothing is made up for what is lost.
///
/// Shows FAULT-1.
@Timeout(120)
class TruncationTest {
  private static final int WARM = 30_000;

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("shop.hf");
  }

  private void truncate(long length) throws IOException {
    cut(file, length);
  }

  private static void cut(Path file, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(length);
    }
  }

  private static void use(PersistentQueue<String> queue, int rounds) {
    for (int i = 0; i < rounds; i++) {
      queue.add("element " + i);
      if (i % 2 == 0) {
        queue.remove();
      }
    }
  }

  /// The length is a multiple of pages: nothing of the file, headers alone, logs and no data.
  @ParameterizedTest
  @ValueSource(longs = {0, 0x3000, 0x10000, 0x20000})
  void theStoreLatches(long length) throws Exception {
    try (Holdfast other = Holdfast.open(directory.resolve("other.hf"))) {
      PersistentQueue<String> otherQueue = other.queue("q", String.class);
      use(otherQueue, WARM);
      int size = otherQueue.size();
      Holdfast store = Holdfast.open(file);
      PersistentQueue<String> queue = store.queue("q", String.class);
      use(queue, WARM);
      truncate(length);
      awaitLatch(queue);
      for (int i = 0; i < 3; i++) {
        assertTold(() -> queue.add("x"), length);
        assertTold(queue::poll, length);
        assertTold(queue::peek, length);
        assertTold(queue::size, length);
        assertTold(queue::iterator, length);
        assertTold(() -> queue.remove("x"), length);
        assertTold(() -> queue.drainTo(otherQueue), length);
        assertTold(() -> store.atomically(() -> queue.add("x")), length);
        assertTold(() -> store.queue("r", String.class), length);
        assertTold(store::sync, length);
        use(otherQueue, 10);
      }
      assertThat(SectionHooks.inSection()).isFalse();
      store.close();
      assertThat(Files.size(file)).as("not made longer").isEqualTo(length);
      assertThat(otherQueue).hasSize(size + 15);
    }
    if (length > 0) {
      assertThatThrownBy(() -> Holdfast.open(file))
          .isInstanceOf(RegionDamagedException.class)
          .hasMessageStartingWith(file.toRealPath().toString());
    }
  }

  /// At the first call that comes to a missing page, or when the length is looked at. The calls
  /// before see nothing of it, or the bare error, which compiled code throws late.
  private static void awaitLatch(PersistentQueue<String> queue) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (System.nanoTime() < end) {
      try {
        queue.add("x");
      } catch (RegionAccessException e) {
        return;
      } catch (InternalError e) {
        assertThat(e).hasMessageContaining("unsafe memory access");
      }
      Thread.sleep(1);
    }
    throw new AssertionError("not told in 60 s");
  }

  private void assertTold(Runnable action, long length) {
    assertThatThrownBy(action::run)
        .isInstanceOf(RegionAccessException.class)
        .hasMessageMatching(
            "\\Q%s\\E: the file was truncated by another program while it was open: length=%d bytes, expected=\\d+ bytes\\. What was after that is lost; close the store and restore the file from a backup"
                .formatted(realPath(), length));
  }

  private String realPath() {
    try {
      return file.toRealPath().toString();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /// A thread that waits for what nobody can add or take any more.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(20)
  void aThreadThatWaitsIsTold(boolean isFull) throws Exception {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> queue = store.queue("q", String.class, 1);
      if (isFull) {
        queue.add("x");
      }
      truncate(Files.size(file) - 4096);
      assertThatThrownBy(
              () -> {
                if (isFull) {
                  queue.put("y");
                } else {
                  queue.take();
                }
              })
          .isInstanceOf(RegionAccessException.class)
          .hasMessageContaining("truncated");
    }
  }

  /// Nobody comes to a missing page: the store finds out by itself.
  @Test
  void theLengthIsLookedAt() throws Exception {
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> queue = store.queue("q", String.class);
      truncate(Files.size(file) - 4096);
      boolean told = false;
      while (!told) {
        try {
          queue.add("x");
          queue.remove();
          Thread.sleep(20);
        } catch (RegionAccessException e) {
          told = true;
        }
      }
    }
  }

  /// A store that is closed before anybody noticed: mapping the file again would make it longer,
  /// and it would be called closed, with zeros for data.
  @Test
  void closingMakesNothingUp() throws Exception {
    Holdfast store = Holdfast.open(file);
    store.queue("q", String.class).add("x");
    truncate(0x20000);
    assertThatThrownBy(store::close)
        .isInstanceOf(RegionAccessException.class)
        .hasMessageContaining("truncated by another program");
    assertThat(Files.size(file)).isEqualTo(0x20000);
    assertThatThrownBy(() -> Holdfast.open(file)).isInstanceOf(RegionDamagedException.class);
  }

  /// A growth would put zeros where data was.
  @Test
  void growingMakesNothingUp() throws Exception {
    Holdfast store = Holdfast.open(file);
    PersistentQueue<String> queue = store.queue("q", String.class);
    truncate(Files.size(file) - 0x10000);
    assertThatThrownBy(() -> queue.add("x".repeat(3_000_000)))
        .isInstanceOf(RegionAccessException.class)
        .hasMessageContaining("truncated by another program");
    // Else the sections of all later tests would be sections of this store, too.
    assertThatThrownBy(store::close)
        .isInstanceOf(RegionAccessException.class)
        .hasMessageContaining("truncated by another program");
  }

  /// FAULT-2. In a process of its own, because without it the process is gone.
  @Test
  void writingBackAPageThatIsMissing() throws Exception {
    try (ChildJvm child = ChildJvm.start(WriteBack.class, file.toString())) {
      String line = child.readLine();
      assumeTrue(!line.startsWith("SKIPPED"), line);
      assertThat(line).isEqualTo("faults: 20000");
      assertThat(child.readLine()).isEqualTo("latched");
      assertThat(child.readLine()).isEqualTo("alive");
    }
  }

  static final class WriteBack {
    public static void main(String[] arguments) throws Exception {
      Path file = Path.of(arguments[0]);
      try {
        flush(file);
      } catch (UnsupportedOperationException e) {
        System.out.println("SKIPPED: no line can be written back here: " + e.getMessage());
        return;
      }
      use(Files.createTempDirectory(file.getParent(), "store").resolve("store.hf"));
      System.out.println("alive");
    }

    private static void flush(Path file) throws IOException {
      Files.write(file, new byte[1 << 20]);
      MappedMemory memory = new MappedMemory(file, 1 << 20, PersistentMemory.domainOf(file));
      for (int i = 0; i < 50_000; i++) { // until it is compiled
        memory.writeRelease(8 * i, i);
        memory.flush(8 * i, 8);
      }
      cut(file, 4096);
      int faults = 0;
      for (int i = 1_000; i < 11_000; i++) {
        try {
          memory.flush(8 * i, 8);
        } catch (InternalError e) {
          faults++;
        }
        try {
          memory.writeRelease(8 * i, i);
          memory.flush(8 * i, 8);
        } catch (InternalError e) {
          faults++;
        }
      }
      System.out.println("faults: " + faults);
    }

    private static void use(Path file) throws Exception {
      Holdfast store =
          Holdfast.open(
              file,
              Holdfast.Options.defaults()
                  .durability(Durability.POWER_FAILURE)
                  .treatAsPersistentMemory());
      PersistentQueue<String> queue = store.queue("q", String.class);
      TruncationTest.use(queue, WARM);
      cut(file, 0x20000);
      awaitLatch(queue);
      System.out.println("latched");
    }
  }
}
