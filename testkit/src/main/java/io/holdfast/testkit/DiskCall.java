package io.holdfast.testkit;

import java.nio.file.Path;

/// A call by which a disk is changed, or something else that is to be known of it: a trace is a
/// list of these.
///
/// @param file the last part of its path: a trace is of one directory
/// @param at where it writes, or the new length
/// @param bytes what it writes
record DiskCall(Kind kind, Path file, long at, byte[] bytes) {
  static final byte[] NOTHING = {};

  enum Kind {
    /// A file that was there, durably: its bytes.
    KNOWN,
    CREATE,
    DELETE,
    FORCE_NAMES,
    WRITE,
    WRITE_DURABLY,
    FORCE,
    SET_LENGTH,
    /// A file was found longer: by zeros, which are durable.
    LENGTHENED,
    /// What the program has told: nothing that a disk does.
    TOLD,
    /// The process may be killed here: what a file had then that is written by stores alone.
    KILLED
  }

  /// Whether a failure may come while it is under way.
  boolean isCut() {
    return switch (kind) {
      case KNOWN, LENGTHENED, TOLD -> false;
      default -> true;
    };
  }

  @Override
  public String toString() {
    return "%s of %s at 0x%X, %d bytes".formatted(kind, file, at, bytes.length);
  }
}
