package io.holdfast.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.ChildJvm;
import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.verification.OverlayMemory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// P8 for what is no ordinary file, or is beside a region where its lock should be: refused at
/// once, with its name, and not touched.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD) // who opens a pipe hears no interrupt
class SpecialFilesTest {
  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("shop.hf");
  }

  private void assertRefused(Path path, Class<? extends HoldfastException> type, String what) {
    assertThatThrownBy(() -> Holdfast.open(path).close())
        .isExactlyInstanceOf(type)
        .hasMessageContaining(path.toString())
        .hasMessageContaining(what);
  }

  private static void mkfifo(Path pipe) throws IOException, InterruptedException {
    assumeThat(Path.of("/usr/bin/mkfifo")).exists();
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
  }

  @Test
  void pipe() throws Exception {
    mkfifo(file);
    assertRefused(file, RegionFormatException.class, "not a file but a device or pipe");
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    assertRefused(link, RegionFormatException.class, "not a file but a device or pipe");
    assertThat(directory.resolve("shop.hf.lock")).doesNotExist();
  }

  @Test
  void socket() throws IOException {
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(file));
      assertRefused(file, RegionFormatException.class, "not a file but a device or pipe");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/tty"})
  void device(String name) {
    Path device = Path.of(name);
    assumeThat(device).exists();
    assertRefused(device, RegionFormatException.class, "not a file but a device or pipe");
  }

  @Test
  void directories() throws IOException {
    assertRefused(directory, RegionFormatException.class, "not a file but a directory");
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
    assertRefused(link, RegionFormatException.class, "not a file but a directory");
    assertRefused(Path.of("/"), RegionFormatException.class, "not a file but a directory");
    assertRefused(Path.of(""), RegionFormatException.class, "not a file but a directory");
    assertRefused(file.resolve("below"), RegionAccessException.class, "NoSuchFileException");
    Files.writeString(file, "a file");
    assertRefused(file.resolve("below"), RegionAccessException.class, "cannot open");
  }

  @Test
  void symlinks() throws IOException {
    Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), file);
    assertRefused(dangling, RegionAccessException.class, "NoSuchFileException");
    assertThat(file).doesNotExist();
    Path one = directory.resolve("one");
    Path two = Files.createSymbolicLink(directory.resolve("two"), one);
    Files.createSymbolicLink(one, two);
    assertRefused(one, RegionAccessException.class, "cannot open");
    Path self = directory.resolve("self");
    Files.createSymbolicLink(self, self);
    assertRefused(self, RegionAccessException.class, "cannot open");
    Holdfast.open(file).close();
    try (Holdfast store = Holdfast.open(dangling)) { // which it is no more
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.CLEAN);
    }
  }

  @Test
  void emptyFile() throws IOException {
    Files.createFile(file);
    try (Holdfast store = Holdfast.open(file)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.CREATED);
    }
  }

  /// Nothing is read or allocated in proportion to what is not there.
  @Test
  void sparseFiles() throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(1L << 36);
    }
    assertRefused(file, RegionFormatException.class, "not a Holdfast region");
    Files.delete(file);
    Holdfast.open(file).close();
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(1L << 36);
    }
    try (Holdfast store = Holdfast.open(file)) {
      store.queue("q", String.class).add("a");
    }
  }

  @Test
  void longerThanAnyRegion() {
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength((1L << 44) + 1);
    } catch (IOException e) {
      assumeThat(e).as("a file system for such files").isNull();
    }
    assertRefused(file, RegionFormatException.class, "longer than any region");
  }

  private void assertLockRefused(Path lock) {
    assertThatThrownBy(() -> Holdfast.open(file).close())
        .isExactlyInstanceOf(RegionAccessException.class)
        .hasMessage(
            file
                + ": cannot lock the region: what is beside it is no lock file: "
                + lock
                + ". Nothing was touched; move that file away");
  }

  /// What is where the lock should be is somebody's, and stays.
  @Test
  void whatIsNoLockFile() throws Exception {
    Path lock = directory.resolve("shop.hf.lock");
    Holdfast.open(file).close();
    byte[] before = Files.readAllBytes(file);
    Files.delete(lock);
    mkfifo(lock);
    assertLockRefused(lock);
    Files.delete(lock);
    Path letter = Files.writeString(directory.resolve("letter"), "Dear diary");
    Files.createSymbolicLink(lock, letter);
    assertLockRefused(lock);
    assertThat(letter).hasContent("Dear diary");
    Files.delete(lock);
    Files.writeString(lock, "Dear diary, ".repeat(100));
    assertLockRefused(lock);
    assertThat(lock).hasContent("Dear diary, ".repeat(100));
    Files.writeString(lock, "Dear diary");
    assertLockRefused(lock);
    assertThat(lock).hasContent("Dear diary");
    Files.delete(lock);
    Files.createDirectory(lock);
    assertLockRefused(lock);
    Files.delete(lock);
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
    Holdfast.open(file).close();
  }

  /// Opens files as a user who may do little, and prints what is said.
  static final class Unprivileged {
    public static void main(String[] files) {
      for (String each : files) {
        try {
          Holdfast.open(Path.of(each)).close();
          System.out.println("opened " + each);
        } catch (HoldfastException e) {
          System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
        }
      }
    }
  }

  @Test
  void withoutPermission() throws Exception {
    Path setpriv = Path.of("/usr/bin/setpriv");
    assumeThat(setpriv).exists();
    assumeThat(Files.getOwner(directory).getName()).isEqualTo("root");
    List<Path> files =
        Stream.of("unreadable", "readable", "open/readable", "open/locked", "new")
            .map(directory::resolve)
            .toList();
    Path open = Files.createDirectory(directory.resolve("open"));
    for (Path each : files.subList(0, 4)) {
      Holdfast.open(each).close();
      Files.delete(each.resolveSibling(each.getFileName() + ".lock"));
    }
    Files.createFile(directory.resolve("open/locked.lock"));
    set(directory, "rwxr-xr-x");
    set(open, "rwxrwxrwx");
    set(files.get(0), "rw-------");
    set(files.get(1), "rw-r--r--");
    set(files.get(2), "rw-r--r--");
    set(files.get(3), "rw-rw-rw-");
    set(directory.resolve("open/locked.lock"), "rw-------");
    byte[] before = Files.readAllBytes(files.get(2));
    try (ChildJvm child =
        ChildJvm.startBy(
            List.of(setpriv.toString(), "--reuid=65534", "--clear-groups"),
            Unprivileged.class,
            files.stream().map(Path::toString).toArray(String[]::new))) {
      for (Path each : files) {
        assertThat(child.readLine())
            .startsWith("RegionAccessException ")
            .contains(each.toString(), "AccessDeniedException");
      }
      assertThat(child.awaitEnd()).isZero();
    }
    assertThat(files.get(2)).hasBinaryContent(before);
    assertThat(files.get(4)).doesNotExist();
  }

  /// Looks at a store that it may not write.
  static final class Looker {
    public static void main(String[] files) {
      OverlayMemory.of(Path.of(files[0])).close();
      System.out.println("looked");
    }
  }

  /// OVERLAY-1, of a store on a disk, with its log.
  @Test
  void whoLooksNeedNotBeAbleToWrite() throws Exception {
    Path setpriv = Path.of("/usr/bin/setpriv");
    assumeThat(setpriv).exists();
    assumeThat(Files.getOwner(directory).getName()).isEqualTo("root");
    Path file = directory.resolve("s.hf");
    Path copy = directory.resolve("copy.hf");
    set(directory, "rwxr-xr-x");
    try (Holdfast store =
        Holdfast.open(file, Holdfast.Options.defaults().durability(Durability.POWER_FAILURE))) {
      store.queue("queue", String.class).add("x");
      for (String end : List.of("", ".log", ".live")) {
        Path each = Files.copy(Path.of(file + end), Path.of(copy + end));
        set(each, "r--r--r--");
      }
    }
    try (ChildJvm child =
        ChildJvm.startBy(
            List.of(setpriv.toString(), "--reuid=65534", "--clear-groups"),
            Looker.class,
            copy.toString())) {
      assertThat(child.readLine()).isEqualTo("looked");
      assertThat(child.awaitEnd()).isZero();
    }
  }

  private static void set(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }
}
