package io.holdfast.core.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/// Which run of the operating system this is: what was in its page cache is still there if the
/// number is the same.
public final class BootId {
  private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");

  /// 0 before it is known. In races: all read the same.
  private static long known;

  /// A number for it, or 0 if it is unknown.
  public static long current() {
    long current = known;
    if (current == 0) {
      current = read();
      known = current;
    }
    return current;
  }

  private static long read() {
    try {
      UUID id = UUID.fromString(Files.readString(FILE).strip());
      return id.getMostSignificantBits() ^ id.getLeastSignificantBits();
    } catch (IOException | IllegalArgumentException e) {
      return 0; // not Linux, or not to be read: then indexes are rebuilt
    }
  }

  private BootId() {}
}
