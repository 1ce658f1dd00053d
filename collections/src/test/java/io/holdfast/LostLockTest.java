package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.collections.PersistentQueue;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RegionLockedException;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One process at a time, also after the kernel has dropped the first one's lock without a word.
@Timeout(120)
class LostLockTest {
  @TempDir private Path directory;
  private Path file, lockFile;

  @BeforeEach
  void nameFile() throws IOException {
    file = directory.toRealPath().resolve("shop.hf");
    lockFile = file.resolveSibling("shop.hf.lock");
  }

  /// Opens a store, adds to it until it is refused, and meanwhile does what it is told by a line.
  static final class Owner {
    public static void main(String[] arguments) throws Exception {
      Path file = Path.of(arguments[0]);
      try (Holdfast store = Holdfast.open(file)) {
        PersistentQueue<Integer> queue = store.queue("q", Integer.class);
        queue.add(0);
        if (arguments.length > 1) {
          Path directory = Files.createDirectory(Path.of(arguments[1]));
          try (var files = Files.list(file.getParent())) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
              Files.copy(each, directory.resolve(each.getFileName()));
            }
          }
        }
        System.out.println("open");
        for (int i = 1; ; i++) {
          queue.add(i);
          queue.poll();
          Thread.sleep(1);
        }
      } catch (RuntimeException e) {
        System.out.println(e.getMessage());
      }
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

  /// Locks a file as a program can that may only read it.
  static final class Reader {
    public static void main(String[] files) throws Exception {
      FileChannel channel = FileChannel.open(Path.of(files[0]), StandardOpenOption.READ);
      FileLock lock = channel.lock(0, Long.MAX_VALUE, true);
      System.out.println("locked");
      Thread.sleep(600_000);
      lock.release();
    }
  }

  private ChildJvm owner(String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(file.toString()));
    arguments.addAll(List.of(more));
    ChildJvm owner = ChildJvm.start(Owner.class, arguments.toArray(String[]::new));
    assertThat(owner.readLine()).isEqualTo("open");
    return owner;
  }

  private static void assertRefused(Path path, ProcessHandle holder) {
    assertThatExceptionOfType(RegionLockedException.class)
        .isThrownBy(() -> Holdfast.open(path))
        .withMessage(
            "%s: the region is open in another process: holder=[pid=%d, started=%s]. Wait for it to"
                + " end, or end it",
            path, holder.pid(), holder.info().startInstant().orElseThrow());
  }

  /// As two applications of one server have it, each with its own copy of Holdfast.
  @Test
  void lock1ASecondClassLoaderIsRefused() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(Path.of(each).toUri().toURL());
    }
    try (Holdfast store = Holdfast.open(file);
        URLClassLoader other =
            new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Class<?> copy = other.loadClass(Holdfast.class.getName());
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> copy.getMethod("open", Path.class).invoke(null, file))
            .isInstanceOf(InvocationTargetException.class)
            .satisfies(
                e -> {
                  assertThat(e.getCause().getClass().getName())
                      .isEqualTo(RegionLockedException.class.getName());
                  assertThat(e.getCause())
                      .hasMessageContaining("the region is already open in this process: pid=");
                });
      }
      assertThat(isLockedByAnother()).as("the kernel lock is kept").isTrue();
      store.queue("q", String.class).add("a");
    }
    try (Holdfast again = Holdfast.open(file)) {
      assertThat(again.recovery().outcome()).isEqualTo(Outcome.CLEAN);
    }
  }

  /// Whether a process of its own can lock the companion.
  private boolean isLockedByAnother() throws Exception {
    try (ChildJvm tries = ChildJvm.start(Tries.class, lockFile.toString())) {
      return tries.readLine().equals("locked");
    }
  }

  /// Says whether a file is locked by another process.
  static final class Tries {
    public static void main(String[] files) throws IOException {
      try (FileChannel channel = FileChannel.open(Path.of(files[0]), StandardOpenOption.WRITE)) {
        System.out.println(channel.tryLock() == null ? "locked" : "free");
      }
    }
  }

  /// POSIX drops a process's locks on a file when it closes any stream on it.
  @Test
  void owner1AProcessThatCopiesItsDirectoryKeepsTheStore() throws Exception {
    Path copy = directory.resolveSibling(directory.getFileName() + "-copy");
    try (ChildJvm owner = owner(copy.toString())) {
      assertThat(isLockedByAnother()).as("the kernel lock").isFalse();
      assertRefused(file, owner.handle());
      try (Holdfast copied = Holdfast.open(copy.resolve("shop.hf"))) {
        assertThat(copied.queue("q", Integer.class)).isNotNull();
      }
      assertThat(owner.kill()).isEqualTo(ChildJvm.KILLED);
      try (Holdfast again = Holdfast.open(file)) {
        assertThat(again.recovery().outcome()).isEqualTo(Outcome.RECOVERED);
      }
    } finally {
      try (var files = Files.list(copy)) {
        for (Path each : files.toList()) {
          Files.delete(each);
        }
      }
      Files.delete(copy);
    }
  }

  @Test
  void owner1AStoreWhoseLockFileIsDeletedIsKept() throws Exception {
    try (ChildJvm owner = owner()) {
      Files.delete(lockFile);
      assertRefused(file, owner.handle());
      assertThat(lockFile).doesNotExist();
      assertThat(owner.kill()).isEqualTo(ChildJvm.KILLED);
    }
    Holdfast.open(file).close();
  }

  /// The companion is found by the name, the note in the file.
  @Test
  void owner1AStoreThatIsRenamedIsKept() throws Exception {
    Path moved = file.resolveSibling("moved.hf");
    try (ChildJvm owner = owner()) {
      Files.move(file, moved);
      assertRefused(moved, owner.handle());
      assertThat(owner.kill()).isEqualTo(ChildJvm.KILLED);
    }
    Holdfast.open(moved).close();
  }

  /// An owner that was not seen, and is not seen itself, has put its token there.
  @Test
  void owner3AStoreThatFindsAnotherOwnerEnds() throws Exception {
    try (ChildJvm owner = owner()) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.allocate(8).putLong(0, 77), 0x80);
      }
      assertThat(owner.readLine())
          .startsWith(file + ": the region is not this store's any more: another process");
      assertThat(owner.awaitEnd()).isZero();
    }
    try (Holdfast again = Holdfast.open(file)) {
      assertThat(again.recovery().outcome())
          .as("not marked as closed")
          .isEqualTo(Outcome.RECOVERED);
    }
  }

  @Test
  void lock3AReaderKeepsNobodyOut() throws Exception {
    Holdfast.open(file).close();
    assertThat(Files.getPosixFilePermissions(lockFile))
        .as("who may only read the region can't open the lock file")
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    Files.setPosixFilePermissions(lockFile, PosixFilePermissions.fromString("rw-r--r--"));
    try (ChildJvm reader = ChildJvm.start(Reader.class, lockFile.toString())) {
      assertThat(reader.readLine()).isEqualTo("locked");
      try (Holdfast store = Holdfast.open(file);
          ChildJvm second = ChildJvm.start(Second.class, file.toString())) {
        store.queue("q", String.class).add("a");
        assertThat(second.readLine()).startsWith(file + ": the region is open in another process");
        assertThat(isLockedByAnother()).isTrue();
        assertThat(Files.getPosixFilePermissions(lockFile))
            .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      }
      assertThat(reader.handle().isAlive()).isTrue();
      Holdfast.open(file).close();
    }
    assertThat(file.resolveSibling("shop.hf.lock.next")).doesNotExist();
  }

  /// Locks a file for a moment as a program can that may only read it, again and again.
  static final class RestlessReader {
    public static void main(String[] files) throws Exception {
      System.out.println("reading");
      while (true) {
        try (FileChannel channel = FileChannel.open(Path.of(files[0]), StandardOpenOption.READ)) {
          FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true);
          Thread.sleep(1 + System.nanoTime() % 10);
          if (lock != null) {
            lock.release();
          }
        }
      }
    }
  }

  @Test
  void lock3ProcessesTakeTurnsBesideReaders() throws Exception {
    Holdfast.open(file).close();
    try (ChildJvm reader = ChildJvm.start(RestlessReader.class, lockFile.toString());
        ChildJvm other = ChildJvm.start(RestlessReader.class, lockFile.toString())) {
      assertThat(reader.readLine()).isEqualTo("reading");
      assertThat(other.readLine()).isEqualTo("reading");
      List<ChildJvm> workers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        workers.add(ChildJvm.start(TwoProcessesTest.Worker.class, file.toString()));
      }
      for (ChildJvm worker : workers) {
        assertThat(worker.readLine()).isEqualTo("done");
        assertThat(worker.awaitEnd()).isZero();
      }
    }
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.CLEAN);
      assertThat(store.queue("q", Integer.class)).hasSize(3 * TwoProcessesTest.ADDED);
    }
  }
}
