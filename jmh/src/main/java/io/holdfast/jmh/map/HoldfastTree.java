package io.holdfast.jmh.map;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EntryCodec;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.collections.tree.EntryTree;
import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionFile.DomainFinder;
import io.holdfast.core.redo.Disks;
import io.holdfast.core.region.Region;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.NavigableMap;

/// Ours, in a file `tree.hf`: the map as programs have it, with its codecs.
public final class HoldfastTree extends NavigableTree {
  private static final String NAME = "tree";

  private final RegionFile file;
  private final Region region;
  private final long root;

  /// The one that is used.
  private NavigableMap<Long, Long> longs;

  private NavigableMap<byte[], byte[]> bytes;

  private HoldfastTree(RegionFile file, Region region, long root) {
    this.file = file;
    this.region = region;
    this.root = root;
  }

  /// Opens the tree in a directory, or creates one.
  public static HoldfastTree open(Path directory, DomainFinder domain) {
    return open(RegionFile.open(file(directory), domain));
  }

  /// Opens the tree in a directory, or creates one, to survive a loss of power on a disk.
  ///
  /// @param acknowledged what is survived when an operation returns
  public static HoldfastTree onDisk(Path directory, Durability acknowledged) {
    return open(RegionFile.openOn(file(directory), Disks.powerFailure(false, acknowledged)));
  }

  private static Path file(Path directory) {
    return directory.resolve("tree.hf");
  }

  private static HoldfastTree open(RegionFile file) {
    try {
      Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
      Root root = region.roots().find(NAME);
      if (root == null) {
        root = region.roots().create(NAME, "benchmark", "entries", () -> EntryTree.create(region));
      }
      return new HoldfastTree(file, region, root.firstBlock());
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  private <T> NavigableMap<T, T> opened(Codec<T> codec, Comparator<T> order) {
    Codec<T> alone = EntryCodec.of(codec, codec).key();
    return new PersistentTreeMap<>(region, alone, alone, order, root);
  }

  @Override
  public synchronized NavigableMap<Long, Long> map() {
    if (longs == null) {
      longs = opened(Codec.of(Long.class), null);
    }
    return longs;
  }

  @Override
  synchronized NavigableMap<byte[], byte[]> byteMap() {
    if (bytes == null) {
      bytes = opened(Codec.of(byte[].class), Arrays::compareUnsigned);
    }
    return bytes;
  }

  /// What was flushed and fenced so far.
  public PersistenceCounts counts() {
    return file.persistence();
  }

  @Override
  public void close() {
    region.close();
    file.close();
  }
}
