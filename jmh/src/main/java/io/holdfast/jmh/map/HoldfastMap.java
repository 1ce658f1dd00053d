package io.holdfast.jmh.map;

import io.holdfast.codec.Codec;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.WithCodecs;
import io.holdfast.collections.map.AfterReboot;
import io.holdfast.collections.map.EntryMap;
import io.holdfast.collections.map.slot.MapRoot;
import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.heap.HeapUsage;
import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.Medium;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionFile.DomainFinder;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.persistence.PersistentMemory;
import io.holdfast.core.redo.Disks;
import io.holdfast.core.region.Region;
import java.nio.file.Path;

/// Ours, in a file `map.hf`: the map as programs have it, with its codecs.
public final class HoldfastMap implements BenchmarkMap {
  /// Survives a crash of the process.
  public static final DomainFinder PROCESS_CRASH = _ -> new PageCache();

  /// Flushes lines and fences, as if the file were on persistent memory.
  public static final DomainFinder POWER_FAILURE = file -> PersistentMemory.domainOf(file);

  private static final String NAME = "map";

  private final RegionFile file;
  private final Region region;
  private final long root;
  private final EntryMap map;

  private HoldfastMap(RegionFile file, Region region, long root, EntryMap map) {
    this.file = file;
    this.region = region;
    this.root = root;
    this.map = map;
  }

  /// How a map is opened that is in a region.
  private interface Opening {
    EntryMap open(Region region, long root);
  }

  /// Opens the map in a directory, or creates one, whose entries are in slots.
  public static HoldfastMap open(Path directory, DomainFinder domain) {
    return open(directory, domain, false);
  }

  /// Opens the map in a directory, or creates one.
  ///
  /// @param ofWords whether all keys and values are of eight bytes
  public static HoldfastMap open(Path directory, DomainFinder domain, boolean ofWords) {
    return open(RegionFile.open(file(directory), domain), ofWords, EntryMap::new);
  }

  /// Opens the map in a directory, or creates one, to survive a loss of power on a disk.
  ///
  /// @param acknowledged what is survived when a put returns
  static HoldfastMap onDisk(Path directory, Durability acknowledged, boolean ofWords) {
    Medium medium = Disks.powerFailure(false, acknowledged);
    return open(RegionFile.openOn(file(directory), medium), ofWords, EntryMap::new);
  }

  /// Opens the map in a directory, or creates one, on a medium.
  public static HoldfastMap on(Medium medium, Path directory) {
    return open(RegionFile.openOn(file(directory), medium), false, EntryMap::new);
  }

  /// Where the map of a directory is.
  public static Path file(Path directory) {
    return directory.resolve("map.hf");
  }

  private static HoldfastMap open(RegionFile file, boolean ofWords, Opening opening) {
    try {
      Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES);
      Root root = region.roots().find(NAME);
      if (root == null) {
        root =
            region
                .roots()
                .create(NAME, "benchmark", "bytes", () -> MapRoot.create(region, ofWords));
      }
      long first = root.firstBlock();
      return new HoldfastMap(file, region, first, opening.open(region, first));
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /// Opens the map in a directory as if the system had been started anew since it was open.
  ///
  /// @param nanos gets how long it took to open the map, without its region
  public static HoldfastMap openAfterReboot(Path directory, long[] nanos) {
    return open(
        RegionFile.open(file(directory), POWER_FAILURE),
        false,
        (region, root) -> {
          long started = System.nanoTime();
          EntryMap opened = AfterReboot.open(region, root);
          nanos[0] = System.nanoTime() - started;
          return opened;
        });
  }

  /// Its entries, by themselves.
  public EntryMap entries() {
    return map;
  }

  /// What was flushed and fenced so far.
  public PersistenceCounts counts() {
    return file.persistence();
  }

  /// What the region's bytes are used for.
  public HeapUsage usage() {
    return region.heap().validator().usage();
  }

  @Override
  public LongAccess longs() {
    PersistentHashMap<Long, Long> longs = WithCodecs.of(region, Codec.of(Long.class), root, map);
    return new LongAccess() {
      @Override
      public void put(long key, long value) {
        longs.put(key, value);
      }

      @Override
      public long get(long key) {
        Long found = longs.get(key);
        if (found == null) {
          throw BenchmarkMap.missing(key);
        }
        return found;
      }
    };
  }

  @Override
  public ByteAccess bytes() {
    PersistentHashMap<byte[], byte[]> bytes =
        WithCodecs.of(region, Codec.of(byte[].class), root, map);
    return new ByteAccess() {
      @Override
      public void put(byte[] key, byte[] value) {
        bytes.put(key, value);
      }

      @Override
      public byte[] get(byte[] key) {
        byte[] found = bytes.get(key);
        if (found == null) {
          throw BenchmarkMap.missing(key.length + " bytes");
        }
        return found;
      }
    };
  }

  @Override
  public void close() {
    region.close();
    file.close();
  }
}
