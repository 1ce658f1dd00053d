package io.holdfast.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// A file of which a cut of the power leaves what was durable, and of what was written since each
/// sector or not, in any of its versions.
final class CutFile {
  /// Bytes of a sector.
  private final int sectorBytes;

  /// What the process sees.
  byte[] live = {};

  /// What is durable for sure.
  byte[] durable = {};

  /// What was written since to each sector, in that order.
  private final Map<Integer, List<byte[]>> versions = new TreeMap<>();

  /// Whether the two may differ in more than these sectors.
  private boolean wasResized;

  boolean isNamed;
  boolean isNameDurable;

  CutFile(int sectorBytes) {
    this.sectorBytes = sectorBytes;
  }

  void put(long at, byte[] bytes) {
    live = live.length < at + bytes.length ? Arrays.copyOf(live, (int) at + bytes.length) : live;
    System.arraycopy(bytes, 0, live, (int) at, bytes.length);
    int end = (int) (at + bytes.length + sectorBytes - 1) / sectorBytes;
    for (int sector = (int) at / sectorBytes; sector < end; sector++) {
      byte[] version =
          Arrays.copyOf(
              Arrays.copyOfRange(
                  live, sector * sectorBytes, Math.min(live.length, (sector + 1) * sectorBytes)),
              sectorBytes);
      versions.computeIfAbsent(sector, _ -> new ArrayList<>()).add(version);
    }
  }

  /// The file got longer by zeros that are durable.
  void lengthen(int length) {
    live = Arrays.copyOf(live, length);
    durable = Arrays.copyOf(durable, length);
  }

  /// The file was made shorter or longer.
  void setLength(int length) {
    live = Arrays.copyOf(live, length);
    wasResized = true;
    versions.keySet().removeIf(sector -> (long) sector * sectorBytes >= length);
  }

  /// All is durable.
  void settle() {
    if (wasResized || durable.length != live.length) {
      durable = live.clone();
      wasResized = false;
    } else {
      // Files have some megabytes, of which few sectors are written between two syncs.
      for (int sector : versions.keySet()) {
        int at = sector * sectorBytes;
        System.arraycopy(live, at, durable, at, Math.min(sectorBytes, live.length - at));
      }
    }
    versions.clear();
  }

  /// A part is durable.
  void settle(int at, int length) {
    if (durable.length < at + length) {
      durable = Arrays.copyOf(durable, at + length);
    }
    System.arraycopy(live, at, durable, at, length);
    for (int sector = at / sectorBytes; sector < (at + length) / sectorBytes; sector++) {
      versions.remove(sector);
    }
  }

  /// Writes what a cut may have left.
  ///
  /// @param kind 0: nothing of what was written; 1: all; 2: one sector; 3: all but one; else some
  void writeImage(Path file, int kind, Random random) throws IOException {
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
    SparseFile.write(file, durable, length, sectorBytes, left(kind, one, most, random));
  }

  /// The sectors of which a version is there.
  private TreeMap<Integer, byte[]> left(int kind, int one, int most, Random random) {
    TreeMap<Integer, byte[]> left = new TreeMap<>();
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
          if (isThere && sector * sectorBytes < most) {
            left.put(sector, each.get(kind < 4 ? each.size() - 1 : random.nextInt(each.size())));
          }
        });
    return left;
  }
}
