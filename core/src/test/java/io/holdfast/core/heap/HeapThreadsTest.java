package io.holdfast.core.heap;

import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.heap.HeapValidator.Block;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.RecordingMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The heap under several threads at once.
class HeapThreadsTest {
  private static final int THREADS = 4;
  private static final int OPERATIONS = 60_000;

  @TempDir Path directory;

  /// A block and the size that was asked for.
  private record Held(long offset, long size) {}

  /// Threads allocate, hand blocks to each other, and free them. What a block holds at both ends
  /// shows whether somebody else was given a part of it.
  @Test
  void blocksOfSeveralThreadsDoNotOverlap() throws Exception {
    long seed = Long.getLong("holdfast.seed", System.nanoTime());
    String reproduce = "-Dholdfast.seed=%d".formatted(seed);
    Path file = directory.resolve("threads.hf");
    Map<Long, Long> model = new HashMap<>();
    try (RegionFile opened = RegionFile.open(file);
        Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES)) {
      ConcurrentLinkedQueue<Held> handed = new ConcurrentLinkedQueue<>();
      List<Held> left = new ArrayList<>();
      try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
        List<Future<List<Held>>> results = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          Random random = new Random(seed + i);
          results.add(threads.submit(() -> work(region, random, handed, reproduce)));
        }
        for (Future<List<Held>> result : results) {
          left.addAll(result.get());
        }
      }
      left.addAll(handed);
      for (Held held : left) {
        check(region, held, reproduce);
        assertThat(model.put(held.offset(), held.size())).as(reproduce).isNull();
      }
    }
    try (RegionFile opened = RegionFile.open(file);
        Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES)) {
      long end = 0;
      List<Block> found = region.heap().validator().blocks();
      for (Block block : found) {
        assertThat(block.offset()).as(reproduce).isGreaterThanOrEqualTo(end);
        assertThat(model).as(reproduce).containsKey(block.offset());
        assertThat(block.bytes()).as(reproduce).isGreaterThanOrEqualTo(model.get(block.offset()));
        end = block.offset() + block.bytes();
      }
      assertThat(found).as(reproduce).hasSize(model.size());
    }
  }

  private static List<Held> work(
      Region region, Random random, ConcurrentLinkedQueue<Held> handed, String reproduce) {
    List<Held> own = new ArrayList<>();
    for (int done = 0; done < OPERATIONS; ) {
      int changes = 1 + random.nextInt(random.nextInt(50) == 0 ? 100 : 4);
      done += changes;
      Words.atomically(
          () -> {
            for (int i = 0; i < changes; i++) {
              change(region, random, own, handed, reproduce);
            }
          });
      // Only now: a block of a section that has not ended is nobody else's to free.
      while (own.size() > 300 || !own.isEmpty() && random.nextInt(6) == 0) {
        handed.add(own.removeLast());
      }
    }
    return own;
  }

  private static void change(
      Region region,
      Random random,
      List<Held> own,
      ConcurrentLinkedQueue<Held> handed,
      String reproduce) {
    Held freed = null;
    int choice = random.nextInt(100);
    if (choice < 25 && !own.isEmpty()) {
      freed = own.remove(random.nextInt(own.size()));
    } else if (choice < 50) {
      freed = handed.poll();
    }
    if (freed != null) {
      check(region, freed, reproduce);
      region.memory().writePlain(freed.offset(), 0);
      region.heap().free(freed.offset());
    } else {
      own.add(allocate(region, random, reproduce));
    }
  }

  private static Held allocate(Region region, Random random, String reproduce) {
    return allocate(region, 1 + (long) Math.exp(random.nextDouble() * Math.log(20_000)), reproduce);
  }

  private static Held allocate(Region region, long size, String reproduce) {
    long block = region.heap().allocate(size);
    assertThat(block % (size >= 64 ? 64 : 16)).as(reproduce).isZero();
    region.memory().writePlain(block, block ^ size);
    region.memory().writePlain(block + lastWord(size), block ^ size);
    return new Held(block, size);
  }

  private static long lastWord(long size) {
    return (size - 1) / 8 * 8;
  }

  private static void check(Region region, Held held, String reproduce) {
    long expected = held.offset() ^ held.size();
    assertThat(region.memory().readPlain(held.offset())).as(reproduce).isEqualTo(expected);
    assertThat(region.memory().readPlain(held.offset() + lastWord(held.size())))
        .as(reproduce)
        .isEqualTo(expected);
  }

  /// Blocks that no thread keeps, a few to a slab: each round makes slabs and gives them back.
  @Test
  void slabsThatComeAndGoHaveEachBlockOnce() throws Exception {
    int rounds = 3_000;
    long seed = Long.getLong("holdfast.seed", System.nanoTime());
    String reproduce = "-Dholdfast.seed=%d".formatted(seed);
    try (RegionFile opened = RegionFile.open(directory.resolve("slabs.hf"));
        Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES)) {
      runAll(
          THREADS,
          number -> {
            Random random = new Random(seed + number);
            for (int round = 0; round < rounds; round++) {
              List<Held> own = new ArrayList<>();
              int blocks = 1 + random.nextInt(6);
              Words.atomically(
                  () -> {
                    for (int i = 0; i < blocks; i++) {
                      own.add(allocate(region, 2_100 + random.nextInt(30_000), reproduce));
                    }
                  });
              own.forEach(held -> check(region, held, reproduce));
              Words.atomically(() -> own.forEach(held -> region.heap().free(held.offset())));
            }
          });
      assertThat(region.heap().validator().blocks()).as(reproduce).isEmpty();
    }
  }

  /// Threads come and die while others have the region grow, for which it is looked what the dead
  /// have left.
  @Test
  void threadsComeWhileTheRegionGrows() throws Exception {
    int rounds = 150;
    try (RegionFile opened = RegionFile.open(directory.resolve("growing.hf"));
        Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES)) {
      runAll(
          THREADS,
          _ -> {
            for (int round = 0; round < rounds; round++) {
              Thread thread =
                  new Thread(
                      () ->
                          Words.atomically(
                              () -> {
                                region.heap().allocate(64);
                                region.heap().allocate(100_000);
                              }));
              AtomicReference<Throwable> failure = new AtomicReference<>();
              thread.setUncaughtExceptionHandler((_, e) -> failure.set(e));
              thread.start();
              thread.join();
              assertThat(failure.get()).isNull();
            }
          });
      assertThat(region.heap().validator().blocks()).hasSize(2 * THREADS * rounds);
    }
  }

  private interface Task {
    void run(int thread) throws Exception;
  }

  /// Has so many threads do something, and waits for all of them.
  private static void runAll(int count, Task task) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
      List<Future<Void>> results = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int number = i;
        results.add(
            threads.submit(
                () -> {
                  task.run(number);
                  return null;
                }));
      }
      for (Future<Void> result : results) {
        result.get();
      }
    }
  }

  /// Threads that take blocks of one slab and give them back have no block at the same time, and
  /// lose none.
  @Test
  void blocksOfOneSlabAreTakenOnce() throws Exception {
    SizeClass sizeClass = SizeClass.holding(1_024);
    Memory memory = new RecordingMemory();
    memory.grow(RegionLayout.MIN_BYTES);
    SlabList list = new SlabList(memory, null, new SlabMap(), sizeClass);
    Slab slab = new Slab(memory, list, sizeClass, SPAN_BYTES);
    assertThat(slab.take(new int[1], 1)).isOne(); // so that it is never empty
    for (int meeting = 0; meeting < 20; meeting++) {
      AtomicIntegerArray holders = new AtomicIntegerArray(sizeClass.blocks());
      CyclicBarrier start = new CyclicBarrier(3);
      runAll(
          3,
          _ -> {
            start.await();
            takeAndGiveBack(slab, holders);
          });
    }
    int left = 0;
    while (slab.take(new int[1], 1) == 1) {
      left++;
    }
    assertThat(left).isEqualTo(sizeClass.blocks() - 1);
    assertThat(slab.hasFree()).isFalse();
  }

  private static void takeAndGiveBack(Slab slab, AtomicIntegerArray holders) {
    int[] into = new int[2];
    for (int round = 0; round < 500; round++) {
      int taken = slab.take(into, 2);
      for (int i = 0; i < taken; i++) {
        assertThat(holders.incrementAndGet(into[i])).isOne();
      }
      for (int i = 0; i < taken; i++) {
        holders.decrementAndGet(into[i]);
        slab.giveBack(into[i]);
      }
    }
  }

  /// Which slab a block is in is known while others make slabs further out.
  @Test
  void aSlabIsFoundWhileTheMapGrows() throws Exception {
    SizeClass sizeClass = SizeClass.holding(64);
    int threads = 3;
    long apart = 512L * SPAN_BYTES; // half a row
    for (int round = 0; round < 40; round++) {
      SlabMap map = new SlabMap();
      runAll(
          threads,
          number -> {
            for (int i = 1; i < 2_000; i++) {
              Slab slab = new Slab(null, null, sizeClass, (i * threads + number) * apart);
              map.put(slab);
              assertThat(map.at(slab.offset())).isSameAs(slab);
              if (i % 2 == 0) {
                map.remove(slab);
                assertThat(map.at(slab.offset())).isNull();
              }
            }
          });
      for (int span = threads; span < 2_000 * threads; span++) {
        assertThat(map.at(span * apart) == null).isEqualTo(span / threads % 2 == 0);
      }
    }
  }

  /// Each of ten thousand threads allocates and frees, and dies; some leave a block behind that
  /// they allocated outside of sections.
  @Test
  void threadsThatDieLeaveNothing() throws Exception {
    try (RegionFile opened = RegionFile.open(directory.resolve("dead.hf"));
        Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES)) {
      for (int i = 0; i < 10_000; i++) {
        boolean outside = i % 2 == 0;
        Thread thread =
            new Thread(
                () -> {
                  long[] block = new long[1];
                  Words.atomically(() -> block[0] = region.heap().allocate(64));
                  Words.atomically(() -> region.heap().free(block[0]));
                  if (outside) {
                    region.heap().allocate(1_000);
                  }
                });
        thread.start();
        thread.join();
      }
      assertThat(region.heap().validator().blocks()).isEmpty();
      assertThat(region.memory().length()).isEqualTo(RegionFile.INITIAL_BYTES);
    }
  }

  /// As many threads at once hold a block of 64 bytes each.
  @Test
  void threadsThatLiveTakeLittleMoreThanTheirBlocks() throws Exception {
    int virtual = 10_000;
    int platform = 200;
    try (RegionFile opened = RegionFile.open(directory.resolve("many.hf"));
        Region region = Region.open(opened.memory(), RegionFile.INITIAL_BYTES)) {
      CountDownLatch allocated = new CountDownLatch(virtual + platform);
      CountDownLatch seen = new CountDownLatch(1);
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        try {
          for (int i = 0; i < virtual; i++) {
            threads.submit(() -> allocateAndWait(region, allocated, seen));
          }
          for (int i = 0; i < platform; i++) {
            Thread.ofPlatform().start(() -> allocateAndWait(region, allocated, seen));
          }
          allocated.await();
          HeapUsage usage = region.heap().validator().usage();
          assertThat(usage.blocks()).isEqualTo(virtual + platform);
          // 10,200 blocks of 64 bytes are 11 slabs; 64 threads keep a page each, which is 5 more.
          assertThat(usage.slabBytes()).isLessThan(17 * 65_536);
        } finally {
          seen.countDown();
        }
      }
    }
  }

  private static void allocateAndWait(
      Region region, CountDownLatch allocated, CountDownLatch seen) {
    Words.atomically(() -> region.heap().allocate(64));
    allocated.countDown();
    try {
      seen.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
