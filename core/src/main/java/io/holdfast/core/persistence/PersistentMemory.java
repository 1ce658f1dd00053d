package io.holdfast.core.persistence;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import jdk.nio.mapmode.ExtendedMapMode;

/// Finds the domain for a file on persistent memory that is to survive a loss of power: that of the
/// cache line.
public final class PersistentMemory {
  private static final long PROBED_BYTES = 4096;

  private PersistentMemory() {}

  /// The domain of a file that is on DAX, or of which somebody vouches for it that what has left
  /// the processor's caches survives.
  ///
  /// @throws UnsupportedOperationException if there is none, saying what would work
  /// @throws IOException if the file can't be read
  public static PersistenceDomain domainOf(Path file) throws IOException {
    return choose(file, isDax(file), NativeWriteBack.CHOICE);
  }

  static PersistenceDomain choose(Path file, boolean isDax, NativeChoice choice) {
    if (choice.isAvailable()) {
      return new CacheLine(
          isDax ? ExtendedMapMode.READ_WRITE_SYNC : MapMode.READ_WRITE,
          NativeWriteBack.INSTANCE,
          choice.toString());
    }
    String refusals = choice.refusals();
    if (isDax) {
      try {
        return new SyncedMapping(refusals);
      } catch (UnsupportedOperationException e) {
        refusals += "; " + e.getMessage();
      }
    }
    throw new UnsupportedOperationException(
        "%s: durability=POWER_FAILURE: this process cannot write cache lines back: %s. %s; or use PROCESS_CRASH. The file was not touched"
            .formatted(
                file,
                refusals,
                choice.isDenied()
                    ? "Start java with --enable-native-access=io.holdfast.core, or =ALL-UNNAMED if"
                        + " Holdfast is on the class path"
                    : "Allow this process executable pages, or install libpmem"));
  }

  /// Whether a file is on DAX: it can be mapped with `MAP_SYNC`. A file that is shorter than a page
  /// is longer meanwhile.
  public static boolean isDax(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long length = channel.size();
      try (Arena arena = Arena.ofConfined()) {
        channel.map(ExtendedMapMode.READ_WRITE_SYNC, 0, PROBED_BYTES, arena);
        return true;
      } catch (UnsupportedOperationException e) {
        return false;
      } catch (ClosedByInterruptException e) {
        throw e; // it says nothing about the file; the caller tries again
      } catch (IOException e) {
        return false; // FACTS 3: this is how the kernel says no
      } finally {
        if (length < PROBED_BYTES) {
          setLength(file, length);
        }
      }
    }
  }

  /// By no channel, which an interrupt would have closed.
  private static void setLength(Path file, long length) throws IOException {
    try (RandomAccessFile whole = new RandomAccessFile(file.toFile(), "rw")) {
      whole.setLength(length);
    }
  }
}
