package io.holdfast.testkit;

import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
  private static final int SECTOR = 512;

  /// What is longer is so for a moment, while it is mapped.
  private static final int LENGTH_MAX = 1 << 28;

  /// Looks at what a cut has left.
  public interface Look {
    /// @param image a directory with the disk's files; deleted afterwards
    void at(Path image);
  }

  private final Path images;
  private final int imagesEach;
  private final Random random;
  private final Look look;
  private final Map<Path, Content> contents = new TreeMap<>();
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
    Content content = new Content();
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

  private static final class Content {
    byte[] live = {};
    byte[] durable = {};
    final Map<Integer, List<byte[]>> versions = new TreeMap<>();
    boolean isNamed;
    boolean isNameDurable;

    void put(long at, byte[] bytes) {
      live = live.length < at + bytes.length ? Arrays.copyOf(live, (int) at + bytes.length) : live;
      System.arraycopy(bytes, 0, live, (int) at, bytes.length);
      int end = (int) (at + bytes.length + SECTOR - 1) / SECTOR;
      for (int sector = (int) at / SECTOR; sector < end; sector++) {
        byte[] version =
            Arrays.copyOf(
                Arrays.copyOfRange(
                    live, sector * SECTOR, Math.min(live.length, (sector + 1) * SECTOR)),
                SECTOR);
        versions.computeIfAbsent(sector, _ -> new ArrayList<>()).add(version);
      }
    }

    void settle() {
      durable = live.clone();
      versions.clear();
    }

    void settle(int at, int length) {
      if (durable.length < at + length) {
        durable = Arrays.copyOf(durable, at + length);
      }
      System.arraycopy(live, at, durable, at, length);
      for (int sector = at / SECTOR; sector < (at + length) / SECTOR; sector++) {
        versions.remove(sector);
      }
    }

    /// @param kind 0: nothing of what was written; 1: all; 2: one sector; 3: all but one; else some
    byte[] image(int kind, Random random) {
      List<Integer> sectors = List.copyOf(versions.keySet());
      int one = sectors.isEmpty() ? 0 : sectors.get(random.nextInt(sectors.size()));
      int least = Math.min(durable.length, live.length);
      int most = Math.max(durable.length, live.length);
      int length =
          switch (kind) {
            case 0 -> durable.length;
            case 1, 3 -> live.length;
            default -> least + random.nextInt(most - least + 1);
          };
      byte[] image = Arrays.copyOf(durable, most);
      versions.forEach(
          (sector, each) -> {
            boolean isThere =
                switch (kind) {
                  case 0 -> false;
                  case 1 -> true;
                  case 2 -> sector == one;
                  case 3 -> sector != one;
                  default -> random.nextBoolean();
                };
            if (isThere && sector * SECTOR < most) {
              byte[] version = each.get(kind < 4 ? each.size() - 1 : random.nextInt(each.size()));
              System.arraycopy(
                  version, 0, image, sector * SECTOR, Math.min(SECTOR, most - sector * SECTOR));
            }
          });
      return Arrays.copyOf(image, length);
    }
  }

  /// A file that grows gets its zeros, durably, by other ways.
  private void lookAtLengths() throws IOException {
    for (Map.Entry<Path, Content> each : contents.entrySet()) {
      Content content = each.getValue();
      int length = content.isNamed ? (int) Math.min(Files.size(each.getKey()), LENGTH_MAX) : 0;
      if (length < LENGTH_MAX && length > content.live.length) {
        content.live = Arrays.copyOf(content.live, length);
        content.durable = Arrays.copyOf(content.durable, length);
      }
    }
  }

  private void cut() throws IOException {
    lookAtLengths();
    for (int i = 0; i < imagesEach; i++) {
      int kind = i < 2 ? i : 2 + random.nextInt(4);
      Path image = Files.createTempDirectory(images, "cut");
      for (Map.Entry<Path, Content> each : contents.entrySet()) {
        Content content = each.getValue();
        boolean isThere =
            content.isNamed == content.isNameDurable ? content.isNamed : random.nextBoolean();
        if (isThere) {
          Files.write(image.resolve(each.getKey().getFileName()), content.image(kind, random));
        }
      }
      look.at(image);
      count++;
      try (var files = Files.list(image)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(image);
    }
  }

  @Override
  public synchronized DiskFile open(Path file) throws IOException {
    return new Traced(Disk.local().open(file), contents.get(file));
  }

  @Override
  public synchronized DiskFile create(Path file) throws IOException {
    DiskFile created = Disk.local().create(file);
    Content content = new Content();
    Content before = contents.put(file, content);
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
    private final Content content;

    Traced(DiskFile file, Content content) {
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
        content.live = Arrays.copyOf(content.live, (int) length);
        content.versions.keySet().removeIf(sector -> (long) sector * SECTOR >= length);
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
