package io.holdfast.core.memory;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionLockedException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/// A file that appears under its name whole, or not at all: a backup, a compacted region.
///
/// It is made as `NAME.part`. Beside that is `NAME.part.lock`, whose text says that Holdfast makes
/// the file, and which the kernel keeps locked as long as the maker lives. `Holdfast.open` refuses
/// `NAME.part` because of that text, so what is half made is not taken for a store.
///
/// - **WHOLE-1** What has the name is whole and durable, and was put where no file was: the name is
///   a second link to the part, which the system refuses if there is a file. Test:
///   NewFileTest.whole1AFileMadeMeanwhileIsNotReplaced.
/// - **WHOLE-2** Nobody can read the part who can't read what it is made of, from its first byte
///   on. Test: NewFileTest.whole2ThePartHasTheRightsOfItsOrigin.
/// - **WHOLE-3** A part that a killed maker has left is deleted by the next maker of that name; no
///   other file is. Left by a killed maker is a part whose lock file has the maker's text and is
///   not locked. Tests: NewFileTest.whole3WhatAKilledMakerHasLeftIsReplaced, whole3WhatIsNot*.
///
/// A maker that is killed between the link and the deletion of the part leaves one file of two
/// names. {@link #endMaking} takes the second away when the file is opened.
///
/// For one thread.
public final class NewFile implements AutoCloseable {
  private static final String TEXT = "Holdfast makes this file: pid=";

  /// So a store's lock file begins ({@link RegionLock}).
  private static final String STORES_TEXT = "pid=";

  /// Room for the text and a process id.
  private static final int TEXT_BYTES_MAX = 256;

  private final Path target;
  private final Path part;
  private final Path lockFile;

  /// Keeps makers of this process apart, those that another class loader has loaded included:
  /// closing a second channel would drop the first one's lock (FACTS 21).
  private final String claim;

  private FileChannel lock;
  private FileIdentity made;

  private NewFile(Path target) throws IOException {
    Path name = Objects.requireNonNull(target.getFileName(), "a root directory is no file");
    Path parent = target.toAbsolutePath().getParent();
    if (Files.notExists(parent)) {
      throw new RegionAccessException(
          "%s: cannot be made: there is no such directory: %s. Make it, or name another file"
              .formatted(target, parent));
    }
    Path directory = Files.exists(parent) ? parent.toRealPath() : parent;
    this.target = directory.resolve(name);
    this.part = part(this.target);
    this.lockFile = lockFile(part);
    this.claim = "io.holdfast.making." + this.target;
  }

  private static Path part(Path target) {
    return target.resolveSibling(target.getFileName() + ".part");
  }

  private static Path lockFile(Path part) {
    return part.resolveSibling(part.getFileName() + ".lock");
  }

  /// Begins to make a file: its part is there, and empty.
  ///
  /// @param origin what it is made of, whose permissions, owner and group it gets as far as the
  ///   system allows; `null` makes it its owner's alone
  /// @throws RegionLockedException if it is being made already
  /// @throws RegionAccessException if there is such a file, or no such directory, or the system
  ///   refuses
  public static NewFile of(Path target, Path origin) throws IOException {
    NewFile file = new NewFile(target);
    file.claim();
    boolean done = false;
    try {
      Uninterrupted.run("lock", file.part, file::tryLock);
      Files.deleteIfExists(file.part); // WHOLE-3: the lock file had the text before
      if (Files.exists(file.target, LinkOption.NOFOLLOW_LINKS)) {
        throw exists(file.target);
      }
      FileRights.like(origin).create(file.part);
      file.made = FileIdentity.of(file.part);
      done = true;
      return file;
    } finally {
      if (!done) {
        file.close();
      }
    }
  }

  /// Where it is made.
  public Path part() {
    return part;
  }

  private void claim() {
    String mine = Long.toString(ProcessHandle.current().pid());
    if (System.getProperties().putIfAbsent(claim, mine) != null) {
      throw busy(mine);
    }
  }

  private RegionLockedException busy(String holder) {
    return new RegionLockedException(
        "%s: the file is being made already: pid=%s. Wait until it is there, or name another one"
            .formatted(target, holder));
  }

  private static RegionAccessException exists(Path path) {
    return new RegionAccessException(
        "%s: there is a file of this name. Nothing was touched; name another one, or move it away"
            .formatted(path));
  }

  private void tryLock() throws IOException {
    while (lock == null) {
      boolean isThere = Files.exists(lockFile, LinkOption.NOFOLLOW_LINKS);
      if (isThere && !Files.isRegularFile(lockFile, LinkOption.NOFOLLOW_LINKS)) {
        throw exists(lockFile); // a pipe would have us wait for ever
      }
      if (!isThere) {
        createLockFile();
      }
      try {
        tryLock(FileIdentity.of(lockFile));
      } catch (NoSuchFileException e) {
        System.getLogger("io.holdfast")
            .log(Level.DEBUG, "another maker is done, and has deleted it", e);
      }
    }
  }

  private void createLockFile() throws IOException {
    try {
      FileRights.like(null).create(lockFile);
    } catch (FileAlreadyExistsException e) {
      System.getLogger("io.holdfast").log(Level.DEBUG, "another maker was faster", e);
    }
  }

  /// @param identity whose file it was before it was opened: a maker that is done deletes it
  private void tryLock(FileIdentity identity) throws IOException {
    FileChannel channel =
        FileChannel.open(
            lockFile, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    boolean isMine = false;
    try {
      FileLock acquired = channel.tryLock();
      String text = read(channel);
      if (acquired == null) {
        throw busy(
            text.startsWith(TEXT)
                ? text.substring(TEXT.length()).lines().findFirst().orElse("")
                : "unknown");
      }
      if (!Files.exists(lockFile) || !identity.equals(FileIdentity.of(lockFile))) {
        return; // once more
      }
      checkText(text);
      channel.write(StandardCharsets.UTF_8.encode(TEXT + ProcessHandle.current().pid() + "\n"), 0);
      lock = channel;
      isMine = true;
    } finally {
      if (!isMine) {
        channel.close();
      }
    }
  }

  /// WHOLE-3. A store of the part's name, and the lock file of one, are somebody's.
  private void checkText(String text) {
    if (!text.startsWith(TEXT)) {
      if (Files.exists(part, LinkOption.NOFOLLOW_LINKS)) {
        throw exists(part);
      }
      if (!text.isEmpty() && !text.startsWith(STORES_TEXT)) {
        throw exists(lockFile);
      }
    }
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(TEXT_BYTES_MAX);
    channel.read(text, 0);
    return StandardCharsets.ISO_8859_1.decode(text.flip()).toString();
  }

  /// All is in it: makes it durable and gives it its name.
  ///
  /// @throws RegionAccessException if a file of this name was made meanwhile, which is not touched
  /// @throws IOException if the system refuses
  public void publish() throws IOException {
    made.check();
    try (RandomAccessFile file = new RandomAccessFile(part.toFile(), "rw")) {
      file.getFD().sync();
    }
    try {
      link();
    } catch (FileAlreadyExistsException e) {
      throw exists(target);
    }
    Files.deleteIfExists(part);
    Uninterrupted.run("make durable", target.getParent(), () -> force(target.getParent()));
  }

  private void link() throws IOException {
    try {
      Files.createLink(target, part);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | IOException e) {
      // A file system without links. This looks for a file first, and would replace one that is
      // made between that look and the renaming.
      Files.move(part, target);
    }
  }

  private static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /// Takes away the second name of a file whose maker was killed in its last step.
  ///
  /// @param target a file of two names
  static void endMaking(Path target) throws IOException {
    Path part = part(target);
    Path lockFile = lockFile(part);
    if (Files.isRegularFile(lockFile, LinkOption.NOFOLLOW_LINKS)
        && Files.exists(part, LinkOption.NOFOLLOW_LINKS)
        && Files.isSameFile(part, target)
        && Files.readString(lockFile, StandardCharsets.ISO_8859_1).startsWith(TEXT)) {
      Files.delete(part); // a name: the file keeps its other one
      Files.delete(lockFile);
    }
  }

  /// Lets go of it; of a file that was not published nothing is left.
  @Override
  public void close() {
    if (lock != null) {
      FileChannel locked = lock;
      try (locked) { // until its file is gone, which would else be the next maker's
        if (made != null && Files.exists(part) && made.equals(FileIdentity.of(part))) {
          Files.delete(part);
        }
        Files.deleteIfExists(lockFile);
      } catch (IOException e) {
        System.getLogger("io.holdfast")
            .log(Level.WARNING, part + ": what is half made cannot be deleted", e);
      }
      lock = null;
    }
    System.getProperties().remove(claim);
  }
}
