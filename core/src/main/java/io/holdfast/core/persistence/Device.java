package io.holdfast.core.persistence;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;

/// The domain of a disk: a fence waits until the device has everything, together with whoever waits
/// at the same time. A flush starts nothing, since the file is synced as a whole.
///
/// Fences cost from a tenth of a millisecond up, so a store does not use this yet: it is for a log
/// that is written first, with the data after it.
public final class Device extends CountedDomain {
  private final GroupSync group;

  /// @param device syncs the file
  public Device(DeviceSync device) {
    this.group = new GroupSync(device);
  }

  /// The domain of a file, synced by `fsync`.
  public static Device of(Path file) throws IOException {
    return new Device(new ForcedFile(file));
  }

  @Override
  public MemorySegment map(FileChannel channel, long start, long length, Arena arena)
      throws IOException {
    return channel.map(MapMode.READ_WRITE, start, length, arena);
  }

  @Override
  public void flush(MemorySegment segment, long offset, long length) {
    long before = segment.address() + offset & LINE_BYTES - 1;
    tally.flushed((length + before + LINE_BYTES - 1) / LINE_BYTES, length);
  }

  /// @throws io.holdfast.core.RegionAccessException if the device has failed
  @Override
  public void fence() {
    group.await();
    tally.fenced();
  }

  @Override
  public String toString() {
    return "device";
  }
}
