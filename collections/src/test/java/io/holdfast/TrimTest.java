package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.collections.PersistentQueue;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.StoreClosedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that become shorter.
class TrimTest {
  private static final int LARGE = 1_000_000;

  @TempDir Path directory;

  private static void fill(PersistentQueue<byte[]> queue, int elements) {
    for (int i = 0; i < elements; i++) {
      queue.add(new byte[LARGE]);
    }
  }

  @Test
  void givesBackWhatIsFreeAtTheEnd() throws IOException {
    Path file = directory.resolve("t.hf");
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<byte[]> queue = store.queue("q", byte[].class);
      queue.add(new byte[10]);
      fill(queue, 40);
      long full = Files.size(file);
      assertThat(full).isGreaterThan(40L * LARGE);
      queue.removeIf(element -> element.length == LARGE);
      while (queue.size() > 1) {
        queue.remove();
      }
      queue.clear();
      long given = store.trim();
      assertThat(given).isGreaterThan(20L * LARGE);
      assertThat(Files.size(file)).isLessThanOrEqualTo(full - given);
      assertThat(store.trim()).isZero();
      fill(queue, 10);
      assertThat(queue).hasSize(10);
    }
    Holdfast store = Holdfast.open(file);
    assertThat(store.recovery().outcome()).isEqualTo(Outcome.CLEAN);
    PersistentQueue<byte[]> queue = store.queue("q", byte[].class);
    assertThat(queue).hasSize(10);
    queue.clear();
    store.close();
    assertThatExceptionOfType(StoreClosedException.class).isThrownBy(store::trim);
    assertThat(Files.size(file)).as("closing gives back what is much").isLessThan(4L * LARGE);
  }

  /// Grows and trims until it is killed.
  static final class Trimmer {
    public static void main(String[] arguments) {
      Holdfast store = Holdfast.open(Path.of(arguments[0]));
      PersistentQueue<byte[]> queue = store.queue("q", byte[].class);
      PersistentQueue<byte[]> kept = store.queue("kept", byte[].class);
      System.out.println("begins");
      for (int i = 0; ; i++) {
        fill(queue, 5 + i % 3);
        kept.add(new byte[] {1});
        queue.clear();
        store.trim();
      }
    }
  }

  @Test
  void aKillAtAnyTimeLosesNothing() throws Exception {
    Path file = directory.resolve("k.hf");
    int before = 0;
    for (int kill = 0; kill < 8; kill++) {
      try (ChildJvm child = ChildJvm.start(Trimmer.class, file.toString())) {
        assertThat(child.readLine()).isEqualTo("begins");
        Thread.sleep(ThreadLocalRandom.current().nextInt(150));
        assertThat(child.kill()).isEqualTo(ChildJvm.KILLED);
      }
      try (Holdfast store = Holdfast.open(file)) {
        PersistentQueue<byte[]> queue = store.queue("q", byte[].class);
        assertThat(queue).hasSizeLessThanOrEqualTo(8).allMatch(each -> each.length == LARGE);
        List<byte[]> kept = List.copyOf(store.queue("kept", byte[].class));
        assertThat(kept).hasSizeGreaterThanOrEqualTo(before).allMatch(each -> each[0] == 1);
        before = kept.size();
        queue.clear();
        fill(queue, 3); // over whatever the file had after its end
        queue.clear();
      }
    }
  }
}
