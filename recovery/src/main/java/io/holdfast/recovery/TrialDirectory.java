package io.holdfast.recovery;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A directory in which {@link DiskCheck} makes its files. It is deleted when that is done, and
/// what a killed one has left by the next one.
///
/// **TRIAL-1** Left by a killed one is a directory with its name, whose file `lock` has its text
/// and is not locked, and which has no files but those that it makes. Nothing else is touched. So
/// the file gets that name when it is locked, and goes last. Tests:
/// TrialDirectoryTest.trial1WhatAKilledOneHasLeftIsDeleted, trial1WhatIsInUseStays,
/// trial1WhatIsSomebodyElsesStays.
final class TrialDirectory implements AutoCloseable {
  private static final String PREFIX = ".holdfast-doctor";
  private static final String LOCK = "lock";
  private static final String TEXT = "Holdfast's doctor makes these files, and deletes them\n";
  private static final String FILE = "file", STORE = "store";
  private static final Set<String> NAMES =
      Set.of(LOCK, FILE, STORE, STORE + ".lock", STORE + ".log", STORE + ".live");

  /// Those of this process: to open a lock file once more would let go of the lock (FACTS 6).
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel lock;

  private TrialDirectory(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /// Makes one, and deletes what killed ones have left there.
  static TrialDirectory in(Path directory) throws IOException {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, PREFIX + "*")) {
      for (Path each : left) {
        deleteIfLeft(each);
      }
    }
    Path path = Files.createTempDirectory(directory, PREFIX);
    OWN.add(path);
    try {
      return new TrialDirectory(path, makeLock(path));
    } catch (IOException | RuntimeException | Error e) {
      OWN.remove(path);
      delete(path, list(path));
      throw e;
    }
  }

  private static FileChannel makeLock(Path path) throws IOException {
    Path unlocked = path.resolve("unlocked");
    FileChannel lock =
        FileChannel.open(unlocked, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    try {
      lock.write(StandardCharsets.UTF_8.encode(TEXT));
      lock.lock();
      Files.move(unlocked, path.resolve(LOCK)); // TRIAL-1
      return lock;
    } catch (IOException | RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  Path file() {
    return path.resolve(FILE);
  }

  Path store() {
    return path.resolve(STORE);
  }

  @Override
  public void close() throws IOException {
    try (lock) {
      delete(path, list(path));
    } finally {
      OWN.remove(path);
    }
  }

  private static void deleteIfLeft(Path path) {
    Path file = path.resolve(LOCK);
    if (OWN.contains(path)
        || !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
        || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (FileChannel lock =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (lock.tryLock() != null && isOurs(lock)) {
        List<Path> files = list(path);
        if (files.stream().allMatch(TrialDirectory::isKnown)) {
          delete(path, files);
        }
      }
    } catch (IOException | OverlappingFileLockException e) {
      System.getLogger("io.holdfast").log(Level.DEBUG, path + ": was left as it is", e);
    }
  }

  private static boolean isOurs(FileChannel lock) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(TEXT.length() + 1);
    lock.read(text, 0);
    return StandardCharsets.UTF_8.decode(text.flip()).toString().equals(TEXT);
  }

  private static boolean isKnown(Path file) {
    return NAMES.contains(file.getFileName().toString())
        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }

  private static List<Path> list(Path path) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      List<Path> found = new ArrayList<>();
      files.forEach(found::add);
      return found;
    }
  }

  private static void delete(Path path, List<Path> files) throws IOException {
    for (Path each : files) {
      if (!each.endsWith(LOCK)) {
        Files.delete(each);
      }
    }
    Files.deleteIfExists(path.resolve(LOCK));
    Files.delete(path);
  }
}
