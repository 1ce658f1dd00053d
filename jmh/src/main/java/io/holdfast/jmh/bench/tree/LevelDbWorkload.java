package io.holdfast.jmh.bench.tree;

import io.holdfast.jmh.map.BenchmarkTree.SortedBytes;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.map.MapShape;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The workloads of the Atlas paper's Table 3 (6.7): LMDB's `mtest`, and two of LevelDB's. Each
/// insertion and each removal is a transaction.
///
/// The paper says that it inserts 1.5 million pairs in order and 15,000 at random, and has nearly
/// the same time for both; here both insert 15,000.
public enum LevelDbWorkload {
  /// Inserts, reads all, removes every third, and reads the rest forwards and backwards.
  MTEST(1_500, Integer.BYTES, 32),
  FILLSEQSYNC(15_000, 16, 100),
  FILLRANDSYNC(15_000, 16, 100);

  /// Of so many keys that `mtest` inserts, one is removed.
  private static final int OF_WHICH_ONE_GOES = 3;

  /// That are inserted.
  final int pairs;

  private final int keyBytes;
  private final int valueBytes;

  LevelDbWorkload(int pairs, int keyBytes, int valueBytes) {
    this.pairs = pairs;
    this.keyBytes = keyBytes;
    this.valueBytes = valueBytes;
  }

  MapShape shape() {
    return new MapShape(pairs, keyBytes, valueBytes);
  }

  /// Transactions of a run with so many pairs.
  int transactions(int pairs) {
    return this == MTEST ? pairs + pairs / OF_WHICH_ONE_GOES : pairs;
  }

  /// Runs once over an empty tree.
  ///
  /// @param pairs a multiple of 3
  void run(SortedBytes access, int pairs) {
    List<Integer> numbers = IntStream.range(0, pairs).boxed().collect(Collectors.toList());
    if (this != FILLSEQSYNC) {
      Collections.shuffle(numbers, new Random(1));
    }
    for (int number : numbers) {
      access.put(key(number), Items.value(number, valueBytes));
    }
    if (this == MTEST) {
      readAndRemove(access, pairs);
    }
  }

  private void readAndRemove(SortedBytes access, int pairs) {
    requireEqual(pairs - 1, Items.number(access.scan(key(0), pairs)));
    for (int number = 0; number < pairs; number += OF_WHICH_ONE_GOES) {
      access.remove(key(number));
    }
    requireEqual(pairs - 1, Items.number(access.scan(key(0), pairs)));
    requireEqual(pairs - pairs / OF_WHICH_ONE_GOES, access.scanBack());
  }

  private static void requireEqual(long required, long found) {
    if (found != required) {
      throw new IllegalStateException("found=%d, required=%d".formatted(found, required));
    }
  }

  private byte[] key(int number) {
    return ByteBuffer.allocate(keyBytes).putInt(keyBytes - Integer.BYTES, number).array();
  }
}
