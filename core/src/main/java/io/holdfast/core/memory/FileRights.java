package io.holdfast.core.memory;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/// Which users may read and write a file: permissions, owner and group, for a file that is made of
/// another one. Access control lists are not seen by the JDK, and not copied.
///
/// @param of what the other file has; `null` if the new one is its owner's alone
public record FileRights(PosixFileAttributes of) {
  private static final Set<PosixFilePermission> OWNERS =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private static final Set<PosixFilePermission> GROUPS =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.GROUP_EXECUTE);

  /// @param other `null` if there is none
  static FileRights like(Path other) throws IOException {
    boolean isKnown = other != null && isPosix(other);
    return new FileRights(isKnown ? Files.readAttributes(other, PosixFileAttributes.class) : null);
  }

  /// Gives a file the rights of another one, as far as the system lets this process.
  public static void copy(Path from, Path to) throws IOException {
    if (isPosix(to)) {
      like(from).give(Files.getFileAttributeView(to, PosixFileAttributeView.class), to);
    }
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /// Creates an empty file, which is its owner's alone until it has all of these rights (WHOLE-2).
  /// The umask plays no part.
  ///
  /// @throws java.nio.file.FileAlreadyExistsException if there is a file of this name
  void create(Path file) throws IOException {
    if (!isPosix(file)) {
      Files.createFile(file);
      return;
    }
    Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNERS));
    if (of != null) {
      give(
          Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS),
          file);
    }
  }

  private void give(PosixFileAttributeView view, Path file) throws IOException {
    // Its owner can always write to it: a backup that is kept read-only is restored to be used.
    EnumSet<PosixFilePermission> permissions = EnumSet.copyOf(OWNERS);
    permissions.addAll(of.permissions());
    PosixFileAttributes made = view.readAttributes();
    try {
      if (!made.group().equals(of.group())) {
        view.setGroup(of.group());
      }
    } catch (IOException e) { // not a member: what was its group's is not for another group
      permissions.removeAll(GROUPS);
    }
    try {
      if (!made.owner().equals(of.owner())) {
        view.setOwner(of.owner());
      }
    } catch (IOException e) {
      narrower(file, e); // for the superuser alone: the copy is of whoever makes it
    }
    try {
      view.setPermissions(permissions);
    } catch (IOException e) {
      narrower(file, e); // a file system without permissions
    }
  }

  private static void narrower(Path file, IOException e) {
    System.getLogger("io.holdfast")
        .log(Level.DEBUG, file + ": cannot give it all rights of what it is made of", e);
  }
}
