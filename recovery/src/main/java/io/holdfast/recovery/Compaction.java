package io.holdfast.recovery;

import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.PrivateThread;
import io.holdfast.verification.HeldRegion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Copies all that is in a region to a new one, which has no free space between its blocks. The old
/// one is not changed; one that was not closed is read as its next opening would find it.
public final class Compaction {
  private Compaction() {}

  /// What was copied.
  ///
  /// @param bytesBefore the old file's length
  /// @param bytesAfter the new one's
  public record Report(long roots, long entries, long bytesBefore, long bytesAfter) {}

  /// Copies a region.
  ///
  /// @param to is made (BUILD-1)
  /// @param loader of the classes that sorted maps have as keys; `null` for the JDK's alone
  /// @throws io.holdfast.core.RegionLockedException if it is in use
  /// @throws io.holdfast.core.RegionDamagedException if something in it can't be right
  /// @throws io.holdfast.core.RegionFormatException if the order of a sorted map's keys is not
  ///   known
  /// @throws io.holdfast.core.RegionAccessException if the new file exists
  /// @throws io.holdfast.core.RegionFullException if the device has no room
  public static Report compact(Path file, Path to, ClassLoader loader, Progress progress)
      throws IOException {
    return PrivateThread.call("holdfast-compact", () -> make(file, to, loader, progress));
  }

  private static Report make(Path file, Path to, ClassLoader loader, Progress progress)
      throws IOException {
    try (HeldRegion held = HeldRegion.trusted(file);
        RegionBuilder builder = new RegionBuilder(to, file, loader);
        Progress.Task task = progress.begin("compact", -1, "entries")) {
      long[] entries = new long[1];
      long roots = 0;
      for (Root root : held.region().roots().all()) {
        RegionBuilder.Sink sink =
            builder.add(root.name(), root.kind(), root.fingerprint(), root.createdMillis());
        RootReader.of(held.region(), root.name())
            .forEach(
                elements -> {
                  sink.add(elements);
                  entries[0] += elements.size();
                  task.advance(elements.size());
                  return true;
                });
        roots++;
      }
      builder.finish();
      return new Report(roots, entries[0], Files.size(file), Files.size(to));
    }
  }
}
