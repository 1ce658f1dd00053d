package io.holdfast.recovery;

import io.holdfast.HappensBefore;
import io.holdfast.Holdfast;
import io.holdfast.collections.tree.EntryTree;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.core.heap.HeapValidator.Block;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Stores with something of everything in them, and what is done to their files.
final class Stores {
  static final String MAP = "prices";
  static final String TREE = "trades";
  static final String QUEUE = "jobs";

  /// Bytes of a sorted map's leaf.
  static final int LEAF_BYTES = 2_176;

  private Stores() {}

  /// Makes a closed store with so many entries in each collection: short ones, and a few long ones.
  static Path make(Path file, int entries) {
    try (Holdfast store = Holdfast.open(file)) {
      fill(store, entries);
    }
    return file;
  }

  static void fill(Holdfast store, int entries) {
    Map<Long, String> map = store.hashMap(MAP, Long.class, String.class);
    Map<String, String> tree = store.treeMap(TREE, String.class, String.class);
    var queue = store.queue(QUEUE, String.class);
    for (int i = 0; i < entries; i++) {
      map.put((long) i, value(i));
      tree.put(key(i), value(i));
      queue.add(value(i));
    }
  }

  static String key(int i) {
    return "k%07d".formatted(i * 7919 % 9_999_991);
  }

  static String value(int i) {
    return i % 97 == 0 ? "long " + i + ".".repeat(3_000) : "value " + i;
  }

  /// The file as a crash of the process leaves it in the middle of a section.
  static Path killedCopy(Holdfast store, Path to) {
    store.atomically(
        () -> {
          store.hashMap(MAP, Long.class, String.class).put(-1L, "not there");
          store.queue(QUEUE, String.class).add("not there");
          HappensBefore.releasing(to); // it stores what it holds back
          copy(store.path(), to);
        });
    return to;
  }

  static void copy(Path from, Path to) {
    try {
      Files.copy(from, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static <T> T withRegion(Path path, Function<Region, T> action) {
    try (RegionFile file = RegionFile.open(path);
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      return action.apply(region);
    }
  }

  static List<Block> blocks(Path path) {
    return withRegion(path, region -> region.heap().validator().blocks());
  }

  /// Where the leaves of the sorted map are.
  static List<Long> leaves(Path path) {
    return withRegion(
        path,
        region -> {
          long root = region.roots().find(TREE).firstBlock();
          List<Long> blocks = new ArrayList<>();
          new EntryTree(region, root, KeyOrder.UNKNOWN).forEachBlock(blocks::add);
          return region.heap().validator().blocks().stream()
              .filter(block -> block.bytes() == LEAF_BYTES && blocks.contains(block.offset()))
              .map(Block::offset)
              .toList();
        });
  }

  static void overwrite(Path path, long offset, byte[] with) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(with), offset);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
