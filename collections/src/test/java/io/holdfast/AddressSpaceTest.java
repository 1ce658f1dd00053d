package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionFullException;
import io.holdfast.testkit.TestForm;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A process that has too few addresses to map a file is not told to make room on the device.
@Timeout(120)
final class AddressSpaceTest {
  private static final String REMEDY =
      "; the process has too few addresses to map the file: raise its limit (ulimit -v), or"
          + " vm.max_map_count";

  @TempDir private Path directory;

  private ChildJvm limited(Class<?> main, Path file) throws IOException {
    String script = "ulimit -v 6000000; exec \"$@\"";
    return ChildJvm.startBy(List.of("/bin/bash", "-c", script, "bash"), main, file.toString());
  }

  /// Opens a store, and prints what it is told.
  static final class Opener {
    public static void main(String[] files) {
      try {
        Holdfast.open(Path.of(files[0])).close();
      } catch (RegionAccessException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void opening() throws Exception {
    Path file = directory.toRealPath().resolve("shop.hf");
    Holdfast.open(file).close();
    try (RandomAccessFile longer = new RandomAccessFile(file.toFile(), "rw")) {
      longer.setLength(8L << 30); // without blocks
    }
    try (ChildJvm child = limited(Opener.class, file)) {
      assertThat(child.readLine())
          .isEqualTo(file + ": cannot map the file: IOException: Map failed" + REMEDY);
      assertThat(child.awaitEnd()).isZero();
    }
  }

  /// Uses addresses up but for 64 MiB, and lets a store grow.
  static final class Grower {
    public static void main(String[] files) throws IOException {
      try (Holdfast store = Holdfast.open(Path.of(files[0]));
          RandomAccessFile other = new RandomAccessFile(files[0] + ".other", "rw")) {
        Queue<byte[]> queue = store.queue("q", byte[].class);
        useUp(other.getChannel());
        for (int i = 0; i < 120; i++) {
          queue.add(new byte[1 << 20]);
        }
      } catch (RegionFullException e) {
        System.out.println(e.getMessage());
      }
      try (Holdfast store = Holdfast.open(Path.of(files[0]))) {
        store.queue("q", byte[].class).add(new byte[1]);
        System.out.println("opened");
      }
    }

    private static void useUp(FileChannel other) {
      for (long bytes = 1L << 30; bytes >= 64 << 20; ) {
        try {
          other.map(MapMode.READ_WRITE, 0, bytes, Arena.global());
        } catch (IOException e) {
          bytes /= 2;
        }
      }
    }
  }

  @Test
  void growing() throws Exception {
    assumeThat(TestForm.isThorough()).as("the profile thorough").isTrue();
    try (ChildJvm child = limited(Grower.class, directory.resolve("shop.hf"))) {
      String line = child.readLine();
      while (line.contains("warning")) { // of the JVM, which finds no addresses for a thread either
        line = child.readLine();
      }
      assertThat(line)
          .contains("cannot grow the region", "Nothing is lost" + REMEDY + ", and call again")
          .doesNotContain("room");
      assertThat(child.readLine()).isEqualTo("opened");
      assertThat(child.awaitEnd()).isZero();
    }
  }
}
