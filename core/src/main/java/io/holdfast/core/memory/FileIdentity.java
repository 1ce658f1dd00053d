package io.holdfast.core.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/// Which file a path named when a region was mapped. A file keeps its identity as long as it is
/// mapped, so no other one can have it.
///
/// **FILE-1** Whoever opens the path again, to grow the region or to mark it as closed, sees to it
/// that it is still that file. Another one, put there while the store was open, is somebody else's.
///
/// @param key what the system knows it by; `null` where it says nothing
record FileIdentity(Path path, Object key) {
  /// How what {@link #check} throws ends.
  static final String WHILE_OPEN = " while the store was open";

  static FileIdentity of(Path path) throws IOException {
    return new FileIdentity(path, keyOf(path));
  }

  private static Object keyOf(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  /// A number for it, to be compared on the same run of the system.
  long hash() {
    long hash = 0xcbf29ce484222325L; // FNV-1a
    String name = Objects.requireNonNullElse(key, path).toString();
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }

  /// @throws IOException if the path names another file, or none
  void check() throws IOException {
    Object found;
    try {
      found = keyOf(path);
    } catch (NoSuchFileException e) { // whose message is the path alone
      throw new IOException("the file was deleted or moved" + WHILE_OPEN, e);
    }
    if (!Objects.equals(key, found)) {
      throw new IOException("another file was put in its place" + WHILE_OPEN);
    }
  }
}
