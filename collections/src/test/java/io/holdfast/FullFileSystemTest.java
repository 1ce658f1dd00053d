package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.collections.PersistentQueue;
import io.holdfast.core.Durability;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RegionFullException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Stores where there is no room: file systems of a few MiB (which only root can mount; if they
/// can't be, the tests that need them are skipped, and {@link
/// io.holdfast.collections.FullDeviceTest} has the same cases with refusals made up), and a limit
/// to the size of files.
@Timeout(300)
class FullFileSystemTest {
  private static final int SMALL = 30, LARGE = 150_000;

  @TempDir private Path directory;
  private Path mounted;

  enum FileSystem {
    TMPFS {
      @Override
      String mount(Path image, Path point, int more) throws Exception {
        String size = "size=%dm".formatted(4 + more);
        return FullFileSystemTest.run(
            "mount", "-t", "tmpfs", "-o", size, "holdfast-test", point.toString());
      }
    },
    /// In an image of its own, without blocks that are for root alone.
    EXT4 {
      @Override
      String mount(Path image, Path point, int more) throws Exception {
        Files.write(image, new byte[8 + more << 20]);
        String refusal =
            FullFileSystemTest.run("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
        return refusal.isEmpty()
            ? FullFileSystemTest.run("mount", "-o", "loop", image.toString(), point.toString())
            : refusal;
      }
    };

    /// @param more MiB than a store needs that has no log
    /// @return why it can't be; empty if it is mounted
    abstract String mount(Path image, Path point, int more) throws Exception;
  }

  private Path mount(FileSystem fileSystem) throws Exception {
    return mount(fileSystem, 0);
  }

  private Path mount(FileSystem fileSystem, int more) throws Exception {
    Path point = Files.createDirectory(directory.resolve("small"));
    String refusal = fileSystem.mount(directory.resolve("image"), point, more);
    assumeTrue(
        refusal.isEmpty(),
        () -> "SKIPPED: no small " + fileSystem + " can be mounted here: " + refusal);
    mounted = point;
    return point;
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted != null) {
      assertThat(run("umount", mounted.toString())).isEmpty();
    }
  }

  /// @return what it said; empty if it succeeded
  private static String run(String... command) throws Exception {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes());
      return process.waitFor() == 0 ? "" : "failed: " + output;
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static void fill(Path file, int sparing) throws IOException {
    byte[] piece = new byte[4096];
    try (var stream = Files.newOutputStream(file)) {
      while (Files.getFileStore(file).getUsableSpace() > sparing) {
        stream.write(piece);
      }
    } catch (IOException e) {
      if (sparing > 0) {
        throw e;
      }
    }
  }

  /// Uses a store until there is no room, in sections of each kind, and takes note.
  private static void useUntilFull(Holdfast store, List<String> model) {
    PersistentQueue<String> queue = store.queue("q", String.class);
    int refused = 0;
    for (int i = 0; refused < 6; i++) {
      String name = "e" + i + " ";
      List<String> added = new ArrayList<>();
      try {
        switch (i % 3) {
          case 0 -> add(queue, added, name + "s".repeat(SMALL));
          case 1 -> add(queue, added, name + "l".repeat(LARGE));
          default ->
              store.atomically(
                  () -> {
                    for (int j = 0; j < 100; j++) {
                      add(queue, added, name + j);
                    }
                    add(queue, added, name + "l".repeat(LARGE));
                    store.queue("r" + name, String.class).add("x");
                  });
        }
        model.addAll(added);
      } catch (RegionFullException e) {
        refused++;
      }
      assertThat(queue).hasSameSizeAs(model);
    }
    assertThat(queue).containsExactlyElementsOf(model);
    assertThat(queue.validate()).isEqualTo(model.size());
    for (int i = 0; i < 5; i++) {
      assertThat(queue.poll()).isEqualTo(model.removeFirst()); // usable at once
    }
  }

  private static void add(PersistentQueue<String> queue, List<String> added, String element) {
    queue.add(element);
    added.add(element);
  }

  private static void check(Path file, Holdfast.Options options, List<String> model) {
    try (Holdfast store = Holdfast.open(file, options)) {
      PersistentQueue<String> queue = store.queue("q", String.class);
      assertThat(queue).containsExactlyElementsOf(model);
      assertThat(queue.validate()).isEqualTo(model.size());
    }
  }

  private static void useAndCheck(Path file, ThrowingRunnable hasRoom) throws Exception {
    List<String> model = new ArrayList<>();
    try (Holdfast store = Holdfast.open(file)) {
      useUntilFull(store, model);
    }
    check(file, Holdfast.Options.defaults(), model); // needs no room
    try (Holdfast store = Holdfast.open(file)) {
      useUntilFull(store, model);
      hasRoom.run();
      PersistentQueue<String> queue = store.queue("q", String.class);
      queue.add("l".repeat(LARGE));
      model.add("l".repeat(LARGE));
      assertThat(queue).containsExactlyElementsOf(model);
    }
    check(file, Holdfast.Options.defaults(), model);
  }

  private interface ThrowingRunnable {
    void run() throws Exception;
  }

  @ParameterizedTest
  @EnumSource
  void aFullFileSystem(FileSystem fileSystem) throws Exception {
    Path small = mount(fileSystem);
    Path other = small.resolve("other");
    Files.write(other, new byte[1 << 20]);
    useAndCheck(small.resolve("shop.hf"), () -> Files.delete(other));
  }

  /// With a log: closing needs no room, though it writes.
  @ParameterizedTest
  @EnumSource
  void aStoreOnAFullDisk(FileSystem fileSystem) throws Exception {
    Path small = mount(fileSystem, 32);
    Path file = small.resolve("shop.hf");
    Path other = small.resolve("other");
    for (Durability acknowledged : List.of(Durability.POWER_FAILURE, Durability.PROCESS_CRASH)) {
      Holdfast.Options options =
          Holdfast.Options.defaults()
              .durability(Durability.POWER_FAILURE)
              .acknowledge(acknowledged);
      List<String> model = new ArrayList<>();
      Files.write(other, new byte[12 << 20]);
      try (Holdfast store = Holdfast.open(file, options)) {
        useUntilFull(store, model);
        PersistentQueue<String> queue = store.queue("q", String.class);
        for (int i = 0; i < 250; i++) {
          assertThat(queue.poll()).isEqualTo(model.removeFirst());
        }
        store.sync();
        for (int i = 0; i < 200; i++) {
          assertThatCode(() -> queue.add("x")) // where those before were
              .as("%s, offer %d, %d bytes", acknowledged, i, Files.size(file))
              .doesNotThrowAnyException();
          model.add("x");
          assertThat(queue.poll()).isEqualTo(model.removeFirst());
        }
      }
      check(file, Holdfast.Options.defaults(), model); // needs no room
      Files.delete(other);
      check(file, options, model); // with a new log
      Files.delete(file);
    }
    // Streams stay mapped as long as a thread could store to them.
    assertThat(run("umount", "--lazy", small.toString())).isEmpty();
    mounted = null;
  }

  @ParameterizedTest
  @EnumSource
  void creationLeavesNothing(FileSystem fileSystem) throws Exception {
    Path small = mount(fileSystem);
    Path other = small.resolve("other");
    fill(other, 300_000); // room for the beginning
    Path file = small.resolve("shop.hf");
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> Holdfast.open(file))
          .isInstanceOf(RegionFullException.class)
          .hasMessageStartingWith(small.toRealPath().resolve("shop.hf") + ": ")
          .hasMessageContaining("make room on the device");
      try (Stream<Path> left = Files.list(small)) {
        assertThat(left.map(Path::getFileName).map(Path::toString))
            .filteredOn(name -> !name.equals("lost+found"))
            .containsExactlyInAnyOrder("other", "shop.hf.lock");
      }
      assertThat(Files.getFileStore(small).getUsableSpace()).isGreaterThan(280_000);
    }
    Files.delete(other);
    check(file, Holdfast.Options.defaults(), List.of());
  }

  /// Recovery has a section to undo and finds no byte to take.
  @ParameterizedTest
  @EnumSource
  void recoveryNeedsNoRoom(FileSystem fileSystem) throws Exception {
    Path small = mount(fileSystem);
    Path file = small.resolve("shop.hf");
    try (ChildJvm child = ChildJvm.start(Killed.class, file.toString())) {
      assertThat(child.readLine()).isEqualTo("in a section");
      fill(small.resolve("other"), 0);
      child.kill();
    }
    assertThat(Files.getFileStore(small).getUsableSpace()).isLessThan(4096);
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.RECOVERED);
      assertThat(store.recovery().entriesUndone()).isGreaterThan(100);
      PersistentQueue<String> queue = store.queue("q", String.class);
      assertThat(queue).hasSize(1_000).startsWith("0").endsWith("999");
      assertThat(queue.poll()).isEqualTo("0");
      assertThat(queue.offer("0")).isTrue();
    }
  }

  /// Is killed in the middle of a section, whose log has a chunk.
  static final class Killed {
    public static void main(String[] arguments) {
      Holdfast store = Holdfast.open(Path.of(arguments[0]));
      PersistentQueue<String> queue = store.queue("q", String.class);
      for (int i = 0; i < 1_000; i++) {
        queue.add("" + i);
      }
      store.atomically(
          () -> {
            for (int i = 0; i < 500; i++) {
              queue.remove();
              queue.add("x");
            }
            HappensBefore.releasing(queue); // it stores what it holds back
            System.out.println("in a section");
            sleep();
          });
    }

    private static void sleep() {
      try {
        Thread.sleep(60_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Uses a store in a process whose files may have 4 MiB, or tries to create one.
  static final class Limited {
    public static void main(String[] arguments) {
      Path file = Path.of(arguments[0]);
      try {
        List<String> model = new ArrayList<>();
        try (Holdfast store = Holdfast.open(file)) {
          useUntilFull(store, model);
        }
        check(file, Holdfast.Options.defaults(), model);
        System.out.println("done: " + model.size());
      } catch (RegionFullException e) {
        System.out.println("refused: " + e.getMessage());
      }
    }
  }

  @Test
  void aLimitToTheSizeOfFiles() throws Exception {
    Path file = directory.resolve("shop.hf");
    try (ChildJvm child = ChildJvm.startWithFilesOfAtMost(4096, Limited.class, file.toString())) {
      String line = child.readLine();
      assertThat(line).startsWith("done: ");
      try (Holdfast store = Holdfast.open(file)) {
        PersistentQueue<String> queue = store.queue("q", String.class);
        assertThat(queue).hasSize(Integer.parseInt(line.substring(6)));
        queue.add("l".repeat(LARGE));
      }
    }
  }

  @Test
  void aLimitBelowTheSizeOfANewStore() throws Exception {
    Path file = directory.resolve("shop.hf");
    try (ChildJvm child = ChildJvm.startWithFilesOfAtMost(512, Limited.class, file.toString())) {
      assertThat(child.readLine())
          .startsWith("refused: ")
          .contains("shop.hf: cannot grow the region", "File too large", "file-size limit");
    }
    assertThat(file).doesNotExist();
  }
}
