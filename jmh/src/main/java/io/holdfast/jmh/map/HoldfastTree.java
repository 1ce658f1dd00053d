package io.holdfast.jmh.map;

import io.holdfast.codec.Codec;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.heap.RootDirectory.Root;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionFile.DomainFinder;
import io.holdfast.core.recovery.Region;
import java.nio.file.Path;
import java.util.NavigableMap;

/// Ours, in a file `tree.hf`: the map as programs have it, with its codecs.
public final class HoldfastTree extends NavigableTree {
  private static final String NAME = "tree";

  private final RegionFile file;
  private final Region region;
  private final PersistentTreeMap<Long, Long> map;

  private HoldfastTree(RegionFile file, Region region, PersistentTreeMap<Long, Long> map) {
    this.file = file;
    this.region = region;
    this.map = map;
  }

  /// Opens the tree in a directory, or creates one.
  public static HoldfastTree open(Path directory, DomainFinder domain) {
    RegionFile file = RegionFile.open(directory.resolve("tree.hf"), domain);
    try {
      Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
      Root root = region.roots().find(NAME);
      if (root == null) {
        root =
            region
                .roots()
                .create(NAME, "benchmark", "longs", () -> PersistentTreeMap.create(region));
      }
      Codec<Long> longs = Codec.of(Long.class);
      return new HoldfastTree(
          file, region, new PersistentTreeMap<>(region, longs, longs, null, root.firstBlock()));
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  @Override
  public NavigableMap<Long, Long> map() {
    return map;
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
