package io.holdfast.core.redo;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.persistence.LoggedDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/// Compares an open region on a disk with what a crash would find of it: for tests and stress runs.
///
/// **QUIET-1** When nobody stores and all is durable, the image is what replay of the log makes of
/// the file, byte for byte, but for the note (NOTE-1). So each store is in the log, or in a page of
/// a checkpoint, and is replayed at its place, after those that it has replaced. Test:
/// QuietPointTest.quiet1TheImageIsTheFileAndItsLog.
///
/// No checkpoint moves the log's beginning meanwhile: it could bring to the file what the log
/// lacks.
public final class QuietPoint {
  private static final int PAGE = RegionLayout.PAGE_BYTES;

  /// Threads of the store's own may store when the program's do not: what is deleted is freed
  /// later.
  private static final int ATTEMPTS = 20;

  private static final long NAP_NANOS = 20_000_000;

  private QuietPoint() {}

  /// Compares a region that is open in this process, and to which nobody stores.
  ///
  /// @return what differs; empty if nothing does
  /// @throws IllegalArgumentException if it is not open here, or has no log
  public static String difference(Path region) throws IOException {
    Path real = region.toRealPath();
    if (RegionFile.openHere(real) instanceof RedoMemory memory) {
      return memory.log().withoutCheckpoints(() -> difference(real, memory));
    }
    throw new IllegalArgumentException(
        "%s: no region that is open here, on a disk".formatted(region));
  }

  private static String difference(Path file, RedoMemory image) throws IOException {
    String found = "";
    for (int i = 0; i < ATTEMPTS; i++) {
      image.log().awaitWithReserve();
      found = look(file, image);
      if (found.isEmpty()) {
        break;
      }
      LockSupport.parkNanos(QuietPoint.class, NAP_NANOS);
    }
    return found;
  }

  private static String look(Path file, Memory image) throws IOException {
    // A copy: to map a file makes it longer for a moment, and its store may be growing it.
    Path copy = Files.createTempFile("holdfast", ".hf");
    try {
      Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
      MappedMemory replayed = new MappedMemory(copy, Files.size(copy), new LoggedDisk(copy));
      try {
        Disks.complete(file, replayed);
        return difference(image, replayed);
      } catch (RegionDamagedException e) {
        return e.getMessage();
      } finally {
        replayed.close();
      }
    } finally {
      Files.delete(copy);
    }
  }

  private static String difference(Memory image, Memory replayed) {
    byte[] expected = new byte[PAGE];
    byte[] found = new byte[PAGE];
    for (long at = 0; at < image.length(); at += PAGE) {
      image.readBytes(at, expected, 0, PAGE);
      replayed.readBytes(at, found, 0, PAGE);
      if (at == 0) {
        System.arraycopy(
            expected,
            (int) RegionLayout.OWNER,
            found,
            (int) RegionLayout.OWNER,
            (int) (RegionLayout.RUN - RegionLayout.OWNER)); // NOTE-1
      }
      int index = Arrays.mismatch(expected, found);
      if (index >= 0) {
        long word = at + (index & -RegionLayout.WORD_BYTES);
        return "%s: the image is not what replay leaves: offset=0x%X, image=0x%016X, replay=0x%016X"
            .formatted(image.name(), word, image.readPlain(word), replayed.readPlain(word));
      }
    }
    return "";
  }
}
