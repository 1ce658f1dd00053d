package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.collections.PersistentQueue;
import io.holdfast.core.Durability;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.RegionLockedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One process at a time: who comes second is told who holds the store, and nobody waits for the
/// dead.
@Timeout(120)
class TwoProcessesTest {
  static final int ADDED = 20;

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("shop.hf");
  }

  /// Opens a store, is in the middle of a section, says so, and waits to be killed.
  static final class Holder {
    public static void main(String[] files) {
      Holdfast store = Holdfast.open(Path.of(files[0]));
      PersistentQueue<String> queue = store.queue("q", String.class);
      queue.add("whole");
      store.atomically(
          () -> {
            queue.add("half");
            HappensBefore.releasing(queue); // it stores what it holds back
            System.out.println("holding");
            try {
              Thread.sleep(600_000);
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          });
    }
  }

  /// Tries to open a store, and prints what it is told.
  static final class Second {
    public static void main(String[] files) {
      try {
        Holdfast.open(Path.of(files[0])).close();
        System.out.println("opened");
      } catch (RegionLockedException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  /// Opens a store again and again, as soon as others let it, and each time adds one. Prints what
  /// has hindered it.
  static final class Worker {
    public static void main(String[] files) throws InterruptedException {
      try {
        work(Path.of(files[0]));
        System.out.println("done");
      } catch (RuntimeException e) {
        System.out.println(e);
        throw e;
      }
    }

    private static void work(Path file) throws InterruptedException {
      for (int done = 0; done < ADDED; ) {
        try (Holdfast store = Holdfast.open(file)) {
          store.queue("q", Integer.class).add(done);
          done++;
        } catch (RegionLockedException e) {
          Thread.sleep(1);
        }
      }
    }
  }

  private static ChildJvm holder(Path path) throws IOException {
    ChildJvm holder = ChildJvm.start(Holder.class, path.toString());
    assertThat(holder.readLine()).isEqualTo("holding");
    return holder;
  }

  private static String message(ProcessHandle holder, Path real) {
    return "%s: the region is open in another process: holder=[pid=%d, started=%s]. Wait for it to end, or end it"
        .formatted(real, holder.pid(), holder.info().startInstant().orElseThrow());
  }

  /// Whatever the file is called, it is the same.
  @Test
  void theSecondIsToldWhoHolds() throws Exception {
    try (ChildJvm holder = holder(file)) {
      Path real = file.toRealPath();
      Path link = Files.createSymbolicLink(directory.resolve("link.hf"), file);
      Path linkedDirectory = Files.createSymbolicLink(directory.resolve("there"), directory);
      Path relative = Path.of("").toAbsolutePath().relativize(file);
      Path winding = directory.resolve("../" + directory.getFileName() + "/./shop.hf");
      for (Path each : List.of(file, link, linkedDirectory.resolve("shop.hf"), relative, winding)) {
        assertThatExceptionOfType(RegionLockedException.class)
            .as(each.toString())
            .isThrownBy(() -> Holdfast.open(each))
            .withMessage(message(holder.handle(), real));
      }
    }
  }

  @Test
  void aChildIsToldOfItsParent() throws Exception {
    try (Holdfast store = Holdfast.open(file);
        ChildJvm second = ChildJvm.start(Second.class, file.toString())) {
      assertThat(second.readLine()).isEqualTo(message(ProcessHandle.current(), file.toRealPath()));
      store.queue("q", String.class).add("a"); // and goes on
    }
    try (ChildJvm second = ChildJvm.start(Second.class, file.toString())) {
      assertThat(second.readLine()).isEqualTo("opened");
    }
  }

  /// The lock goes by the name. So a second name is refused, whoever has the file open.
  @Test
  void aSecondHardLinkIsRefused() throws Exception {
    Path other = directory.resolve("other.hf");
    try (ChildJvm holder = holder(file)) {
      Files.createLink(other, file);
      assertThatExceptionOfType(RegionAccessException.class)
          .isThrownBy(() -> Holdfast.open(other))
          .withMessage(
              other
                  + ": the file has 2 names (hard links), so it could be open under another one"
                  + " unseen. Nothing was touched; remove the other names, or open a copy");
      assertThat(other.resolveSibling("other.hf.lock")).doesNotExist();
      assertThat(holder.kill()).isEqualTo(ChildJvm.KILLED);
    }
    Files.delete(other);
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.queue("q", String.class)).containsExactly("whole");
    }
  }

  @Test
  void aKilledHolderBlocksNobody() throws Exception {
    for (int round = 1; round <= 4; round++) {
      try (ChildJvm holder = holder(file)) {
        assertThat(holder.kill()).isEqualTo(ChildJvm.KILLED);
      }
      try (Holdfast store = Holdfast.open(file)) {
        assertThat(store.recovery().outcome()).isEqualTo(Outcome.RECOVERED);
        assertThat(store.queue("q", String.class)).hasSize(round).containsOnly("whole");
      }
    }
  }

  /// The note is for messages alone: a process that has a dead holder's number by now holds
  /// nothing.
  @Test
  void aNoteThatNamesALivingProcessIsNoLock() throws Exception {
    Path lock = directory.resolve("shop.hf.lock");
    Holdfast.open(file).close();
    for (long pid : new long[] {1, ProcessHandle.current().pid(), 1L << 40}) {
      Files.writeString(lock, "pid=%d, started=2026-01-01T00:00:00Z\n".formatted(pid));
      try (Holdfast store = Holdfast.open(file)) {
        assertThat(store.recovery().outcome()).isEqualTo(Outcome.CLEAN);
        assertThat(Files.readString(lock))
            .startsWith("pid=" + ProcessHandle.current().pid() + ", started=");
      }
    }
    Files.writeString(lock, "");
    Holdfast.open(file).close();
    Files.delete(lock);
    Holdfast.open(file).close();
  }

  /// A copy is another store, also with the copy of the lock file, and while the first is in use.
  @Test
  void aCopyWithItsLockFile() throws Exception {
    Path copy = Files.createDirectory(directory.resolve("copy")).resolve("shop.hf");
    try (ChildJvm holder = holder(file)) {
      Files.copy(file, copy);
      Files.copy(directory.resolve("shop.hf.lock"), copy.resolveSibling("shop.hf.lock"));
      try (Holdfast store = Holdfast.open(copy)) {
        assertThat(store.recovery().sectionsUndone()).isEqualTo(1);
        assertThat(store.queue("q", String.class)).containsExactly("whole");
      }
      assertThatExceptionOfType(RegionLockedException.class)
          .isThrownBy(() -> Holdfast.open(file))
          .withMessage(message(holder.handle(), file.toRealPath()));
    }
  }

  @Test
  void twiceInOneProcess() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link.hf"), file);
    Path relative = Path.of("").toAbsolutePath().relativize(file);
    try (Holdfast store = Holdfast.open(file)) {
      for (Path each : List.of(file, link, relative)) {
        assertThatExceptionOfType(RegionLockedException.class)
            .isThrownBy(() -> Holdfast.open(each))
            .withMessageContaining("already open in this process: pid=");
      }
      store.queue("q", String.class).add("a");
    }
    Holdfast.open(link).close();
  }

  /// Another file under the name of one that is open: its lock file is in use, and stays so.
  ///
  /// Shows FILE-1.
  @Test
  void theFileOfAnOpenStoreIsReplaced() throws Exception {
    Path moved = directory.resolve("moved.hf");
    Holdfast store = Holdfast.open(file);
    try (store) {
      PersistentQueue<String> queue = store.queue("q", String.class);
      queue.add("a");
      Files.move(file, moved);
      assertThatExceptionOfType(RegionLockedException.class)
          .isThrownBy(() -> Holdfast.open(file))
          .withMessageContaining("already open in this process");
      assertThatExceptionOfType(RegionLockedException.class)
          .isThrownBy(() -> Holdfast.open(moved))
          .withMessageContaining("already open in this process");
      try (ChildJvm second = ChildJvm.start(Second.class, file.toString())) {
        assertThat(second.readLine())
            .isEqualTo(message(ProcessHandle.current(), file.toAbsolutePath()));
      }
      Files.writeString(file, "another's");
      queue.add("b"); // to where it was
      assertThatExceptionOfType(RegionFullException.class)
          .isThrownBy(() -> queue.add("x".repeat(2_000_000)))
          .withMessageContaining("another file was put in its place while the store was open");
      assertThatExceptionOfType(RegionAccessException.class)
          .isThrownBy(store::close)
          .withMessageContaining("another file was put in its place while the store was open");
    }
    assertThat(file).hasContent("another's");
    try (Holdfast again = Holdfast.open(moved)) {
      assertThat(again.recovery().outcome()).isEqualTo(Outcome.RECOVERED);
      assertThat(again.queue("q", String.class)).containsExactly("a", "b");
    }
  }

  /// FILE-1: where there is none, no room on the device would help.
  @Test
  void theFileOfAnOpenStoreIsMovedAway() throws Exception {
    Path moved = directory.resolve("moved.hf");
    try (Holdfast store = Holdfast.open(file)) {
      PersistentQueue<String> queue = store.queue("q", String.class);
      Files.move(file, moved);
      assertThatExceptionOfType(RegionFullException.class)
          .isThrownBy(() -> queue.add("x".repeat(2_000_000)))
          .withMessageContaining("the file was deleted or moved while the store was open")
          .withMessageContaining("move the file that was opened to its place again")
          .withMessageNotContaining("make room");
      Files.move(moved, file);
      assertThat(queue.add("x".repeat(2_000_000))).isTrue();
    }
  }

  /// FILE-1: beside another file that is complete by itself, the log is nobody's.
  @Test
  void theFileOfAnOpenStoreOnADiskIsReplaced() throws Exception {
    Holdfast.Options onDisk = Holdfast.Options.defaults().durability(Durability.POWER_FAILURE);
    Path moved = directory.resolve("moved.hf");
    Path other = directory.resolve("other.hf");
    Holdfast.open(other).close();
    Holdfast store = Holdfast.open(file, onDisk);
    store.queue("q", String.class).add("a");
    Files.move(file, moved);
    Files.copy(other, file);
    byte[] before = Files.readAllBytes(file);
    assertThatExceptionOfType(RegionAccessException.class)
        .isThrownBy(store::close)
        .withMessageContaining("another file was put in its place while the store was open");
    assertThat(file).hasBinaryContent(before);
    for (String end : List.of(".log", ".live")) {
      Files.move(Path.of(file + end), Path.of(moved + end));
    }
    try (Holdfast again = Holdfast.open(moved, onDisk)) {
      assertThat(again.queue("q", String.class)).containsExactly("a");
    }
  }

  /// Processes that take turns: none is refused for ever, and none loses what another has added.
  @Test
  void processesThatTakeTurns() throws Exception {
    List<ChildJvm> workers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      workers.add(ChildJvm.start(Worker.class, file.toString()));
    }
    for (ChildJvm worker : workers) {
      assertThat(worker.readLine()).isEqualTo("done");
      assertThat(worker.awaitEnd()).isZero();
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.CLEAN);
      assertThat(store.queue("q", Integer.class)).hasSize(3 * ADDED);
    }
  }
}
