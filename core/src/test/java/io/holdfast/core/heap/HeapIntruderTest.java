package io.holdfast.core.heap;

import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Intruder;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.heap.HeapValidator.Block;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Two threads in one heap, one of them in the middle of what the other does: what is read of a
/// region when it is first used, slabs, spans, and growth.
class HeapIntruderTest {
  private static final int WORDS = 2_000;
  private static final long LARGE = 3 * SPAN_BYTES;

  /// Blocks of one size, with a mark at both ends.
  private record Held(List<Long> blocks, long size, long mark) {
    void check(Memory memory) {
      for (long block : blocks) {
        assertThat(memory.readPlain(block)).as("0x%X", block).isEqualTo(mark);
        assertThat(memory.readPlain(block + size - 8)).as("0x%X", block).isEqualTo(mark);
      }
    }
  }

  private static Held allocate(Region region, int count, long size, long mark) {
    List<Long> blocks = new ArrayList<>();
    Words.atomically(
        () -> {
          for (int i = 0; i < count; i++) {
            long block = region.heap().allocate(size);
            region.memory().writePlain(block, mark);
            region.memory().writePlain(block + size - 8, mark);
            blocks.add(block);
          }
        });
    return new Held(blocks, size, mark);
  }

  private static Function<Region, Held> allocating(int count, long size, long mark) {
    return region -> allocate(region, count, size, mark);
  }

  /// A region that was closed, with blocks in slabs and one of spans, of which nothing was read.
  private static Region reopened(Memory memory, List<Held> there) {
    there.clear();
    try (Region before = Words.open(memory.reopen())) {
      Words.create(before, WORDS);
      there.add(allocate(before, 3, 64, 1));
      there.add(allocate(before, 1, LARGE, 2));
    }
    Region region = Words.open(memory);
    Words.read(region, 0); // looks it up: not in the middle of something else
    return region;
  }

  /// All blocks are there, each somebody's, and none another's.
  private static void check(Region region, List<Held> there, Object first, Object second) {
    List<Held> all = new ArrayList<>(there);
    for (Object each : List.of(first, second)) {
      if (each instanceof Held held) {
        all.add(held);
      }
    }
    all.forEach(held -> held.check(region.memory()));
    List<Long> blocks = new ArrayList<>();
    all.forEach(held -> blocks.addAll(held.blocks()));
    assertThat(blocks).doesNotHaveDuplicates();
    List<Long> found = region.heap().validator().blocks().stream().map(Block::offset).toList();
    // And the root, and its words.
    assertThat(found).doesNotHaveDuplicates().containsAll(blocks).hasSize(blocks.size() + 2);
  }

  private static int meet(Function<Region, ?> first, Function<Region, ?> second) throws Exception {
    List<Held> there = new ArrayList<>();
    return new Intruder<Region>(memory -> reopened(memory, there), _ -> null)
        .meet(first, second, (region, one, other) -> check(region, there, one, other));
  }

  @Test
  void whatIsReadFirst() throws Exception {
    assertThat(meet(allocating(3, 64, 5), allocating(3, 64, 6))).isGreaterThan(5);
    meet(allocating(1, 64, 5), allocating(1, LARGE, 6));
    meet(allocating(1, LARGE, 5), allocating(1, 64, 6));
  }

  /// Were the lists made twice, so would be the slabs in them, and neither would know what the
  /// other has given away. The marks don't tell before a section's end, so the intruder's stays
  /// open.
  @Test
  void listsAreReadOnce() throws Exception {
    List<Held> there = new ArrayList<>();
    AtomicReference<CompletableFuture<Void>> ended = new AtomicReference<>();
    int met =
        new Intruder<Region>(
                memory -> {
                  ended.set(new CompletableFuture<>());
                  return reopened(memory, there);
                },
                _ -> null)
            .meet(
                region -> {
                  Held held = allocate(region, 3, 64, 5);
                  ended.get().complete(null);
                  return held;
                },
                region -> {
                  List<Held> held = new ArrayList<>();
                  Words.atomically(
                      () -> {
                        held.add(allocate(region, 3, 64, 6));
                        ended.get().join();
                      });
                  return held.getFirst();
                },
                (region, one, other) -> check(region, there, one, other));
    assertThat(met).isGreaterThan(5);
  }

  /// A thread comes to have a cache while another one goes through those of the dead.
  @Test
  void threadsThatComeWhileTheDeadAreLookedFor() throws Exception {
    int dead = 16; // at so many they are looked for
    AtomicLong slabs = new AtomicLong();
    int met =
        new Intruder<Region>(
                memory -> {
                  Region region = Words.open(memory);
                  // Room, or they were looked for before.
                  region.spans().giveBack(region.spans().take(16), 16);
                  inDeadThread(() -> Words.create(region, 1));
                  for (int i = 1; i < dead; i++) {
                    inDeadThread(() -> region.heap().allocate(20_000));
                  }
                  slabs.set(Words.spans(region, Use.SLAB));
                  return region;
                },
                _ -> null)
            .meet(
                allocating(1, 64, 5),
                allocating(1, 64, 6),
                (region, one, other) -> {
                  check(region, List.of(), one, other);
                  assertThat(Words.spans(region, Use.SLAB)).isLessThan(slabs.get());
                });
    assertThat(met).isGreaterThan(5);
  }

  private static void inDeadThread(Runnable action) {
    FutureTask<Void> task = new FutureTask<>(action, null);
    Thread thread = Thread.ofPlatform().daemon().start(task);
    try {
      thread.join();
      task.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void growth() throws Exception {
    meet(allocating(1, 10 * SPAN_BYTES, 5), allocating(1, 10 * SPAN_BYTES, 6));
  }

  @Test
  void newSlabs() throws Exception {
    meet(allocating(2, 12_000, 5), allocating(2, 12_000, 6));
  }

  /// One slab is enough for both, and there is room for one.
  @Test
  void oneMakesTheSlab() throws Exception {
    List<Held> there = new ArrayList<>();
    long[] length = new long[1];
    int met =
        new Intruder<Region>(
                memory -> {
                  Region region = reopened(memory, there);
                  leaveOneSpan(region.spans());
                  length[0] = memory.length();
                  return region;
                },
                _ -> null)
            .meet(
                allocating(1, 1_000, 5),
                allocating(1, 1_000, 6),
                (region, one, other) -> {
                  check(region, there, one, other);
                  assertThat(region.memory().length()).isEqualTo(length[0]);
                });
    assertThat(met).isGreaterThan(5);
  }

  private static void leaveOneSpan(SpanTable spans) {
    long last = 0;
    for (long span = spans.takeFree(1); span != 0; span = spans.takeFree(1)) {
      last = span;
    }
    spans.giveBack(last, 1);
  }

  /// A log that grows takes a span while the heap reads what is free.
  @Test
  void logsThatGrow() throws Exception {
    Function<Region, Object> section =
        region -> {
          Words.atomically(
              () -> {
                for (int i = 0; i < WORDS; i++) {
                  Words.write(region, i, i);
                }
              });
          for (int i = 0; i < WORDS; i++) {
            assertThat(Words.read(region, i)).isEqualTo(i);
          }
          return "stored";
        };
    meet(allocating(1, 64, 5), section);
  }

  @Test
  void trimming() throws Exception {
    List<Held> there = new ArrayList<>();
    int met =
        new Intruder<Region>(
                memory -> {
                  Region region = reopened(memory, there);
                  Held large = allocate(region, 1, 2 * LARGE, 3);
                  Words.atomically(() -> region.heap().free(large.blocks().getFirst()));
                  return region;
                },
                _ -> null)
            .meet(
                Region::trim,
                allocating(1, LARGE, 6),
                (region, trimmed, held) -> {
                  check(region, there, trimmed, held);
                  assertThat(region.spans().length())
                      .isEqualTo(region.memory().length())
                      .isGreaterThanOrEqualTo(RegionLayout.MIN_BYTES);
                });
    assertThat(met).isPositive();
  }

  /// Blocks of a slab that is given back between being chosen and being taken from would be used
  /// twice. Both threads are held up in front of the slab, and, as a rule, let in as they came.
  @Test
  void whatIsTakenFromIsNotGivenBack() throws Exception {
    for (int round = 0; round < 20; round++) {
      try (Region region = Words.open(new RecordingMemory())) {
        SlabMap slabs = new SlabMap();
        SlabList list = list(region, slabs, 64);
        Slab empty = takeOne(list);
        empty.giveBack(0);
        FutureTask<Void> giver = new FutureTask<>(list::retireEmpty, null);
        FutureTask<Slab> taker = new FutureTask<>(() -> takeOne(list));
        synchronized (empty) {
          for (FutureTask<?> task : List.of(giver, taker)) {
            Thread thread = Thread.ofPlatform().daemon().start(task);
            Intruder.awaitEndOrWait(thread);
          }
        }
        giver.get(60, TimeUnit.SECONDS);
        Slab taken = taker.get(60, TimeUnit.SECONDS);
        assertThat(slabs.at(taken.offset())).isSameAs(taken);
      }
    }
  }

  /// Who takes a slab's last block puts that slab away, not one in front of it that has got a free
  /// block meanwhile. He is held up in front of the block.
  @Test
  void slabsWithFreeBlocksAreFound() throws Exception {
    try (Region region = Words.open(new RecordingMemory())) {
      SlabList list = list(region, new SlabMap(), 12_000);
      int blocks = SizeClass.holding(12_000).blocks();
      Slab full = takeOne(list);
      for (int i = 1; i < blocks; i++) {
        assertThat(takeOne(list)).isSameAs(full);
      }
      Slab last = takeOne(list);
      for (int i = 1; i < blocks - 1; i++) {
        assertThat(takeOne(list)).isSameAs(last);
      }
      FutureTask<Slab> taker = new FutureTask<>(() -> takeOne(list));
      FutureTask<Void> giver = new FutureTask<>(() -> full.giveBack(0), null);
      synchronized (last) {
        for (FutureTask<?> task : List.of(taker, giver)) {
          Intruder.awaitEndOrWait(Thread.ofPlatform().daemon().start(task));
        }
      }
      assertThat(taker.get(60, TimeUnit.SECONDS)).isSameAs(last);
      giver.get(60, TimeUnit.SECONDS);
      assertThat(takeOne(list)).isSameAs(full);
    }
  }

  private static SlabList list(Region region, SlabMap slabs, int size) {
    SpanSource spans = new SpanSource(region.spans(), () -> {});
    return new SlabList(region.memory(), spans, slabs, SizeClass.holding(size));
  }

  private static Slab takeOne(SlabList list) {
    Slab[] slab = new Slab[1];
    list.take(new int[1], 1, slab);
    return slab[0];
  }

  /// The marks of one slab, and who reads them.
  private record OneSlab(Slab slab) implements AutoCloseable {
    static OneSlab in(Memory memory) {
      memory.grow(RegionLayout.MIN_BYTES);
      return new OneSlab(new Slab(memory, null, SizeClass.holding(64), SPAN_BYTES));
    }

    String read() {
      slab.read();
      return "read";
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  @Test
  void marksAreReadOnce() throws Exception {
    int met =
        new Intruder<OneSlab>(OneSlab::in, _ -> null)
            .meet(
                OneSlab::read,
                OneSlab::read,
                (store, one, other) -> {
                  Slab slab = store.slab();
                  int[] into = new int[64];
                  int all = 0;
                  for (int taken = slab.take(into, 64); taken > 0; taken = slab.take(into, 64)) {
                    all += taken;
                  }
                  assertThat(all).isEqualTo(slab.sizeClass().blocks());
                  assertThat(slab.hasFree()).isFalse();
                });
    assertThat(met).isPositive();
  }
}
