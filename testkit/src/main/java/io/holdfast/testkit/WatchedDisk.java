package io.holdfast.testkit;

import io.holdfast.core.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// A disk of real files that hears of each call before it is made and after. No other one is made
/// meanwhile.
abstract class WatchedDisk extends ForwardingDisk {
  /// What is longer is so for a moment, while it is mapped.
  private static final int LENGTH_MAX = 1 << 28;

  private final Map<Path, Long> lengths = new HashMap<>();

  WatchedDisk() {
    super(Disk.local());
  }

  /// Something is known of the disk now that is no call.
  abstract void noted(DiskCall what) throws IOException;

  /// A call is under way.
  abstract void begins(DiskCall call) throws IOException;

  /// A call has returned.
  void ends(DiskCall call) {}

  /// Has the disk know of a file that is there, durably.
  public synchronized void knows(Path file) throws IOException {
    Path real = file.toRealPath();
    lengths.put(real, Files.size(real));
    noted(new DiskCall(DiskCall.Kind.KNOWN, real.getFileName(), 0, Files.readAllBytes(real)));
  }

  /// A file that grows gets its zeros, durably, by other ways.
  final void lookAtLengths() throws IOException {
    for (Map.Entry<Path, Long> each : lengths.entrySet()) {
      long length = Files.size(each.getKey());
      if (length > each.getValue() && length < LENGTH_MAX) {
        each.setValue(length);
        noted(
            new DiskCall(
                DiskCall.Kind.LENGTHENED, each.getKey().getFileName(), length, DiskCall.NOTHING));
      }
    }
  }

  @Override
  protected final synchronized void call(
      Change change, Path file, long at, ByteBuffer from, Call call) throws IOException {
    lookAtLengths();
    byte[] bytes = new byte[from.remaining()];
    from.duplicate().get(bytes);
    DiskCall told =
        new DiskCall(DiskCall.Kind.valueOf(change.name()), file.getFileName(), at, bytes);
    begins(told);
    if (change == Change.SET_LENGTH) {
      lengths.replace(file, at);
    } else if (change == Change.DELETE) {
      lengths.remove(file);
    }
    call.make(from);
    ends(told);
  }
}
