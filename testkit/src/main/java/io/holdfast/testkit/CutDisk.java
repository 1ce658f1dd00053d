package io.holdfast.testkit;

import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// A disk of real files whose power is cut in the middle of each call that changes something: what
/// it would have then goes to another directory, for who looks at it.
///
/// What is durable stays; of what was written since, each sector of 512 bytes is there or not, in
/// any of its versions; a file is as long as it was at any moment since; and a name that was made
/// or deleted is there or not. A few of these images are made for each call, by chance: nothing,
/// all, one sector alone, all but one, and some of each.
///
/// Calls of several threads wait for each other.
public final class CutDisk implements Disk {
  /// What is longer is so for a moment, while it is mapped.
  static final int LENGTH_MAX = 1 << 28;

  /// Looks at what a cut has left.
  public interface Look {
    /// @param image a directory with the disk's files; deleted afterwards
    void at(Path image);
  }

  private final Path images;
  private final int imagesEach;
  private final Random random;
  private final Look look;
  private final Map<Path, CutFile> contents = new TreeMap<>();
  private int count;

  /// @param images where they are made
  /// @param imagesEach how many for each call
  /// @param seed repeats a run, as far as its threads do
  public CutDisk(Path images, int imagesEach, long seed, Look look) {
    this.images = images;
    this.imagesEach = imagesEach;
    this.random = new Random(seed);
    this.look = look;
  }

  /// Has the disk know of a file that is there, durably.
  public synchronized void knows(Path file) throws IOException {
    CutFile content = new CutFile();
    content.live = Files.readAllBytes(file);
    content.settle();
    content.isNamed = true;
    content.isNameDurable = true;
    contents.put(file.toRealPath(), content);
  }

  /// How many images were looked at.
  public synchronized int images() {
    return count;
  }

  /// A file that grows gets its zeros, durably, by other ways.
  private void lookAtLengths() throws IOException {
    for (Map.Entry<Path, CutFile> each : contents.entrySet()) {
      CutFile content = each.getValue();
      int length = content.isNamed ? (int) Math.min(Files.size(each.getKey()), LENGTH_MAX) : 0;
      if (length < LENGTH_MAX && length > content.live.length) {
        content.lengthen(length);
      }
    }
  }

  private void cut() throws IOException {
    lookAtLengths();
    for (int i = 0; i < imagesEach; i++) {
      int kind = i < 2 ? i : 2 + random.nextInt(4);
      CutFile.image(contents, images, kind, random, look::at);
      count++;
    }
  }

  @Override
  public synchronized DiskFile open(Path file) throws IOException {
    return new Traced(Disk.local().open(file), contents.get(file));
  }

  @Override
  public synchronized DiskFile create(Path file) throws IOException {
    DiskFile created = Disk.local().create(file);
    CutFile content = new CutFile();
    CutFile before = contents.put(file, content);
    content.isNamed = true;
    content.isNameDurable = before != null && before.isNameDurable;
    cut();
    return new Traced(created, content);
  }

  @Override
  public synchronized boolean exists(Path file) throws IOException {
    return Disk.local().exists(file);
  }

  @Override
  public synchronized void delete(Path file) throws IOException {
    contents.get(file).isNamed = false;
    cut();
    Disk.local().delete(file);
  }

  @Override
  public synchronized void forceNames(Path directory) throws IOException {
    cut();
    contents.values().forEach(each -> each.isNameDurable = each.isNamed);
  }

  private final class Traced implements DiskFile {
    private final DiskFile file;
    private final CutFile content;

    Traced(DiskFile file, CutFile content) {
      this.file = file;
      this.content = content;
    }

    private static byte[] rest(ByteBuffer from) {
      byte[] bytes = new byte[from.remaining()];
      from.duplicate().get(bytes);
      return bytes;
    }

    @Override
    public long length() throws IOException {
      return file.length();
    }

    @Override
    public void read(long at, ByteBuffer into) throws IOException {
      file.read(at, into);
    }

    @Override
    public void write(long at, ByteBuffer from) throws IOException {
      synchronized (CutDisk.this) {
        content.put(at, rest(from));
        cut();
        file.write(at, from);
      }
    }

    @Override
    public void writeDurably(long at, ByteBuffer from) throws IOException {
      synchronized (CutDisk.this) {
        int length = from.remaining();
        content.put(at, rest(from));
        cut();
        file.writeDurably(at, from);
        content.settle((int) at, length);
      }
    }

    @Override
    public void force() throws IOException {
      synchronized (CutDisk.this) {
        cut();
        file.force();
        content.settle();
      }
    }

    @Override
    public void setLength(long length) throws IOException {
      synchronized (CutDisk.this) {
        content.setLength((int) length);
        cut();
        file.setLength(length);
      }
    }

    @Override
    public boolean readsTheDevice() {
      return file.readsTheDevice();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
