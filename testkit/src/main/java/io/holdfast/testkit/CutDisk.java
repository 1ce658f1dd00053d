package io.holdfast.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/// A disk of real files whose power is cut in the middle of each call that changes something: what
/// it would have then goes to another directory, for who looks at it.
///
/// What is durable stays; of what was written since, each sector of 512 bytes is there or not, in
/// any of its versions; a file is as long as it was at any moment since; and a name that was made
/// or deleted is there or not. A few of these images are made for each call, by chance: nothing,
/// all, one sector alone, all but one, and some of each.
///
/// Of persistent memory the sectors are lines of 64 bytes, and what a call has written is durable
/// when it returns.
///
/// Calls of several threads wait for each other.
public final class CutDisk extends WatchedDisk {
  static final int SECTOR = 512;
  private static final int LINE = 64;

  /// Looks at what a cut has left.
  public interface Look {
    /// @param image a directory with the disk's files; deleted afterwards
    void at(Path image);
  }

  private final Path images;
  private final int imagesEach;
  private final Random random;
  private final Look look;
  private final boolean isMemory;
  private final CutFiles files;
  private int count;

  /// @param images where they are made
  /// @param imagesEach how many for each call
  /// @param seed repeats a run, as far as its threads do
  public CutDisk(Path images, int imagesEach, long seed, Look look) {
    this(images, imagesEach, seed, look, false);
  }

  /// @param isMemory whether it is persistent memory
  public CutDisk(Path images, int imagesEach, long seed, Look look, boolean isMemory) {
    this.isMemory = isMemory;
    this.files = new CutFiles(isMemory ? LINE : SECTOR);
    this.images = images;
    this.imagesEach = imagesEach;
    this.random = new Random(seed);
    this.look = look;
  }

  /// How many images were looked at.
  public synchronized int images() {
    return count;
  }

  @Override
  void noted(DiskCall what) {
    files.end(what);
  }

  @Override
  void begins(DiskCall call) throws IOException {
    files.begin(call);
    for (int i = 0; i < imagesEach; i++) {
      Path image = files.cut(images, i < 2 ? i : 2 + random.nextInt(4), random);
      look.at(image);
      CutFiles.delete(image);
      count++;
    }
  }

  @Override
  void ends(DiskCall call) {
    files.end(call);
    if (isMemory && call.kind() == DiskCall.Kind.WRITE) {
      files.settle(call.file());
    }
  }
}
