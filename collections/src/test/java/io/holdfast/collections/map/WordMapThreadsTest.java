package io.holdfast.collections.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.keyed.KeyedRegion;
import io.holdfast.collections.keyed.KeyedThreadsContract;
import io.holdfast.collections.map.slot.MapRoot;
import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Readers of a map of words, which take no lock, against writers.
class WordMapThreadsTest extends KeyedThreadsContract {
  private static final int KEYS = 64;
  private static final int WRITES = 40_000;

  /// The common pool may have one thread only.
  private static final Executor OWN_THREADS = task -> Thread.ofPlatform().daemon().start(task);

  @TempDir Path directory;

  @Override
  protected KeyedRegion open(Memory memory) {
    return MapRegion.open(memory, 1, MapRegion.Form.WORDS);
  }

  /// Between any two of a reader's reads the key's pair becomes another's, and the key goes
  /// elsewhere; or the segment is split, and its block used again.
  @Test
  void map6WhatMovesUnderAReader() {
    for (int read = 0; read < 40; read++) {
      HookedMemory memory = new HookedMemory(new RecordingMemory());
      try (MapRegion store = MapRegion.open(memory, 1, MapRegion.Form.WORDS).create()) {
        EntryMap map = store.map();
        for (long key = 0; key < 150; key++) { // lines that are full, and keys beside them
          map.put(Encoded.of(key), Encoded.of(key));
        }
        for (long key = 0; key < 150; key++) {
          long its = key;
          int[] reads = {read};
          memory.beforeEachRead(
              () -> {
                if (reads[0]-- == 0) {
                  memory.beforeEachRead(() -> {});
                  move(map, its);
                }
              });
          long found = found(map, key);
          memory.beforeEachRead(() -> {});
          assertThat(found).as("key %d, at read %d", key, read).isIn(key, key + 1_000);
          map.put(Encoded.of(key), Encoded.of(key));
        }
      }
    }
  }

  /// As a program looks for a word.
  private static long found(EntryMap map, long key) {
    long word = map.word(key);
    if (word != EntryMap.UNKNOWN) {
      return word;
    }
    Encoded found = map.get(Encoded.of(key));
    assertThat(found).as("key %d", key).isNotNull();
    return found.word();
  }

  /// Leaves the key with another value.
  private static void move(EntryMap map, long key) {
    Encoded encoded = Encoded.of(key);
    Encoded after = Encoded.of(key + 1_000);
    SectionHooks.enter();
    try {
      map.remove(encoded);
      map.put(Encoded.of(key + 10_000), Encoded.of(0));
      map.put(encoded, after);
    } finally {
      SectionHooks.exit();
    }
  }

  @Test
  void readersSeeWholeEntries() throws Exception {
    try (RegionFile file = RegionFile.open(directory.resolve("map.hf"));
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      long[] root = new long[1];
      region
          .roots()
          .create("map", "test", "", () -> root[0] = MapRoot.create(region, 1, true, 7, 11));
      EntryMap map = new EntryMap(region, root[0]);
      for (long key = 0; key < KEYS; key++) {
        map.put(Encoded.of(key), Encoded.of(key));
      }
      AtomicBoolean done = new AtomicBoolean();
      List<CompletableFuture<Void>> readers = new ArrayList<>();
      for (int reader = 0; reader < 2; reader++) {
        Random random = new Random(reader);
        readers.add(CompletableFuture.runAsync(() -> read(map, random, done), OWN_THREADS));
      }
      List<CompletableFuture<Void>> writers = new ArrayList<>();
      for (int writer = 0; writer < 2; writer++) {
        int number = writer;
        writers.add(CompletableFuture.runAsync(() -> write(map, number), OWN_THREADS));
      }
      writers.forEach(CompletableFuture::join);
      done.set(true);
      readers.forEach(CompletableFuture::join);
      assertThat(map.validate()).isEqualTo(map.size()).isEqualTo(KEYS + 2L * WRITES / 4);
    }
  }

  /// Always there, with a value that says whose it is: no reader may miss it, whatever moves.
  private static void read(EntryMap map, Random random, AtomicBoolean done) {
    while (!done.get()) {
      long key = random.nextInt(KEYS);
      assertThat(found(map, key) % KEYS).isEqualTo(key);
    }
  }

  private static void write(EntryMap map, int number) {
    Random random = new Random(100 + number);
    for (int i = 0; i < WRITES; i++) {
      boolean inSection = random.nextInt(50) == 0;
      if (inSection) {
        SectionHooks.enter();
      }
      long key = random.nextInt(KEYS);
      map.put(Encoded.of(key), Encoded.of(key + (long) KEYS * random.nextInt(1_000)));
      if (inSection) {
        SectionHooks.exit();
      }
      if (i % 4 == 0) { // segments split under the readers
        map.put(Encoded.of(1_000_000L * (number + 1) + i), Encoded.of(i));
      }
    }
  }
}
