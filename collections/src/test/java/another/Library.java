package another;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A library with a mapped file of its own, which is truncated.
public final class Library {
  private static final int BYTES = 1 << 16;

  private final MappedByteBuffer mapped;

  public Library(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      mapped = channel.map(MapMode.READ_WRITE, 0, BYTES);
      channel.truncate(0);
    }
  }

  /// Reads what is not there.
  ///
  /// @throws InternalError always, and from here: going to sleep is a safepoint
  public int read() {
    int sum = 0;
    for (int at = 0; at < BYTES; at += 4096) {
      sum += mapped.get(at);
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return sum;
  }
}
