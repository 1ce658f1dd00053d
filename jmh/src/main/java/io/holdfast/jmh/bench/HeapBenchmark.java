package io.holdfast.jmh.bench;

import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.persistence.PersistentMemory;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.jmh.map.HoldfastMap;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.process.TimedBenchmark;
import io.holdfast.jmh.suite.Experiment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/// The free list is threaded through plain memory outside of Java's heap, last in, first out. The
/// file is an ordinary mapped one, so that write-back and fence cost what DRAM makes them cost.
/// What a section allocates and frees itself leaves no trace; what another section allocated
/// changes two blocks and takes a log. Where the power may fail, sections only allocate or only
/// free, which takes no log.
@Experiment(
    question = "what does it cost to allocate and free a block of 64 bytes in a section?",
    floor =
        "for process crashes a free list in plain memory under the same lock"
            + " (`freeList`, `freeListOlder`); where the power may fail a store to the next"
            + " line, its write-back and a fence (`flushedStore`)",
    variables =
        "whether the section frees what it allocated itself, or what another did 64 of"
            + " them ago; whether another thread does the same in the same region")
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class HeapBenchmark extends TimedBenchmark {
  private static final int BYTES = 64;

  /// Blocks that are in use while others are allocated; a power of two.
  private static final int OLDER = 64;

  /// Sections of an invocation that only allocates, or only frees.
  private static final int SECTIONS = 1_000;

  /// A region for process crashes, which all threads share.
  @State(Scope.Benchmark)
  public static class Shared extends OpenRegion {
    Heap heap;

    @Setup
    public void open() {
      open(HoldfastMap.PROCESS_CRASH);
      heap = region.heap();
    }
  }

  /// What one thread holds.
  @State(Scope.Thread)
  public static class Held {
    final Object monitor = new Object();
    final long[] blocks = new long[OLDER];
    int next;

    @Setup
    public void allocate(Shared shared) {
      SectionHooks.enter();
      try {
        for (int i = 0; i < OLDER; i++) {
          blocks[i] = shared.heap.allocate(BYTES);
        }
      } finally {
        SectionHooks.exit();
      }
    }

    /// Keeps a block.
    ///
    /// @return one that was kept before
    long exchange(long block) {
      int at = next++ & (OLDER - 1);
      long older = blocks[at];
      blocks[at] = block;
      return older;
    }
  }

  /// Blocks in plain memory, those that are free linked by their first words.
  @State(Scope.Thread)
  public static class FreeList {
    private static final long COUNT = 1_024;
    final Object monitor = new Object();
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory = arena.allocate((COUNT + 1) * BYTES, BYTES);
    private final long[] held = new long[OLDER];
    private int next;

    @Setup
    public void fill() {
      for (long block = COUNT * BYTES; block > 0; block -= BYTES) {
        push(block);
      }
      for (int i = 0; i < OLDER; i++) {
        held[i] = pop();
      }
    }

    @TearDown
    public void close() {
      arena.close();
    }

    long pop() {
      long block = memory.get(ValueLayout.JAVA_LONG, 0);
      memory.set(ValueLayout.JAVA_LONG, 0, memory.get(ValueLayout.JAVA_LONG, block));
      return block;
    }

    void push(long block) {
      memory.set(ValueLayout.JAVA_LONG, block, memory.get(ValueLayout.JAVA_LONG, 0));
      memory.set(ValueLayout.JAVA_LONG, 0, block);
    }

    long exchange(long block) {
      int at = next++ & (OLDER - 1);
      long older = held[at];
      held[at] = block;
      return older;
    }
  }

  /// A region on what is treated as persistent memory.
  @State(Scope.Thread)
  public static class Persistent extends OpenRegion {
    final Object monitor = new Object();
    final long[] blocks = new long[SECTIONS];
    Heap heap;

    @Setup
    public void open() {
      open(HoldfastMap.POWER_FAILURE);
      heap = region.heap();
    }

    void allocateAll() {
      SectionHooks.enter();
      try {
        for (int i = 0; i < SECTIONS; i++) {
          blocks[i] = heap.allocate(BYTES);
        }
      } finally {
        SectionHooks.exit();
      }
    }

    void freeAll() {
      SectionHooks.enter();
      try {
        for (long block : blocks) {
          heap.free(block);
        }
      } finally {
        SectionHooks.exit();
      }
    }
  }

  /// None of its blocks is in use when an invocation begins.
  public static class Allocated extends Persistent {
    @TearDown(Level.Invocation)
    public void free() {
      freeAll();
    }
  }

  /// All of its blocks are in use when an invocation begins.
  public static class Freed extends Persistent {
    @Setup(Level.Invocation)
    public void allocate() {
      allocateAll();
    }
  }

  /// Lines that are stored to one after the other.
  @State(Scope.Thread)
  public static class Lines {
    private static final int COUNT = 1 << 10;
    private Scratch scratch;
    private Memory memory;
    private int next;

    @Setup
    public void open() {
      scratch = new Scratch();
      memory = scratch.memory(COUNT * BYTES, PersistentMemory::domainOf);
    }

    @TearDown
    public void close() {
      memory.close();
      scratch.close();
    }

    void store() {
      long at = (long) (next++ & (COUNT - 1)) * BYTES;
      memory.writePlain(at, next);
      memory.flush(at, Long.BYTES);
      memory.fence();
    }
  }

  @Benchmark
  public void freeList(FreeList list) {
    synchronized (list.monitor) {
      list.push(list.pop());
    }
  }

  @Benchmark
  public void freeListOlder(FreeList list) {
    synchronized (list.monitor) {
      list.push(list.exchange(list.pop()));
    }
  }

  @Benchmark
  public void allocateAndFree(Shared shared, Held held) {
    synchronized (held.monitor) {
      SectionHooks.acquired(held.monitor);
      try {
        shared.heap.free(shared.heap.allocate(BYTES));
      } finally {
        SectionHooks.releasing(held.monitor);
      }
    }
  }

  @Benchmark
  public void allocateAndFreeOlder(Shared shared, Held held) {
    synchronized (held.monitor) {
      SectionHooks.acquired(held.monitor);
      try {
        shared.heap.free(held.exchange(shared.heap.allocate(BYTES)));
      } finally {
        SectionHooks.releasing(held.monitor);
      }
    }
  }

  @Benchmark
  @Threads(2)
  public void twoThreads(Shared shared, Held held) {
    allocateAndFreeOlder(shared, held);
  }

  @Benchmark
  @OperationsPerInvocation(SECTIONS)
  public void flushedStore(Lines lines) {
    for (int i = 0; i < SECTIONS; i++) {
      lines.store();
    }
  }

  @Benchmark
  @OperationsPerInvocation(SECTIONS)
  public void allocateDurably(Allocated persistent) {
    for (int i = 0; i < SECTIONS; i++) {
      synchronized (persistent.monitor) {
        SectionHooks.acquired(persistent.monitor);
        try {
          persistent.blocks[i] = persistent.heap.allocate(BYTES);
        } finally {
          SectionHooks.releasing(persistent.monitor);
        }
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(SECTIONS)
  public void freeDurably(Freed persistent) {
    for (int i = 0; i < SECTIONS; i++) {
      synchronized (persistent.monitor) {
        SectionHooks.acquired(persistent.monitor);
        try {
          persistent.heap.free(persistent.blocks[i]);
        } finally {
          SectionHooks.releasing(persistent.monitor);
        }
      }
    }
  }
}
