package io.holdfast.core.redo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.disk.Blocks;
import io.holdfast.core.disk.DiskFile;
import io.holdfast.core.memory.Medium;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.persistence.PersistenceDomain;
import io.holdfast.core.persistence.PersistentMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real files, whose lines are written back by the processor's instruction.
class MemoryDiskTest {
  private static final int BLOCK = 4096;

  @TempDir Path directory;
  private Path path;
  private PersistenceDomain lines;
  private MemoryDisk disk;

  @BeforeEach
  void prepare() throws IOException {
    path = directory.resolve("f");
    lines = PersistentMemory.domainOf(Files.write(directory.resolve("region"), new byte[BLOCK]));
    disk = new MemoryDisk(lines);
  }

  private static ByteBuffer bytes(int count) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(count);
    while (bytes.hasRemaining()) {
      bytes.put((byte) bytes.position());
    }
    return bytes.flip();
  }

  private void assertCounts(long lineCount, long fences) {
    assertThat(lines.counts().lines()).isEqualTo(lineCount);
    assertThat(lines.counts().fences()).isEqualTo(fences);
  }

  @Test
  void lines1WhatIsWrittenIsWrittenBack() throws IOException {
    try (DiskFile file = disk.create(path)) {
      file.write(0, bytes(BLOCK));
      assertCounts(64, 1);
      file.write(60, bytes(8)); // the ends of two lines
      assertCounts(66, 2);
      file.writeDurably(2 * BLOCK, blocks()); // beyond what was mapped
      assertCounts(130, 3);
      file.setLength(BLOCK);
      file.write(0, bytes(1));
      assertCounts(131, 4);
    }
    try (DiskFile file = disk.open(path)) {
      file.write(BLOCK, bytes(BLOCK));
      assertCounts(195, 5);
      ByteBuffer read = ByteBuffer.allocate(8);
      file.read(60, read);
      assertThat(read.flip()).isEqualTo(bytes(8));
      assertThat(file.readsTheDevice()).isFalse();
    }
  }

  @Test
  void found2WhatAFileHasIsWrittenBackOnce() throws IOException {
    Files.write(path, new byte[BLOCK + 1]);
    try (DiskFile file = disk.open(path)) {
      assertCounts(0, 0);
      file.force();
      assertCounts(65, 1);
      file.write(0, bytes(1));
      file.force();
      assertCounts(66, 2);
    }
    try (DiskFile file = disk.create(directory.resolve("new"))) {
      file.write(0, bytes(BLOCK));
      file.force();
      assertCounts(130, 3);
    }
  }

  private static ByteBuffer blocks() {
    return Blocks.allocate(BLOCK);
  }

  @Test
  void anInterruptDoesNotEndAWrite() throws IOException {
    try (DiskFile file = disk.create(path)) {
      Thread.currentThread().interrupt();
      file.write(0, bytes(BLOCK));
      assertThat(Thread.interrupted()).isTrue();
    }
    assertCounts(64, 1);
    assertThat(Files.size(path)).isEqualTo(BLOCK);
  }

  /// Operations that return before they are durable leave it to the log's thread.
  @Test
  void noThreadOfTheProgramWaits() {
    Set<Thread> waiting = ConcurrentHashMap.newKeySet();
    PersistenceDomain told =
        new PersistenceDomain() {
          @Override
          public MemorySegment map(FileChannel channel, long start, long length, Arena arena)
              throws IOException {
            return lines.map(channel, start, length, arena);
          }

          @Override
          public void flush(MemorySegment segment, long offset, long length) {
            lines.flush(segment, offset, length);
          }

          @Override
          public void fence() {
            waiting.add(Thread.currentThread());
            lines.fence();
          }

          @Override
          public boolean survivesPowerFailure() {
            return true;
          }

          @Override
          public PersistenceCounts counts() {
            return lines.counts();
          }
        };
    Medium medium = Disks.logged(new MemoryDisk(told), 4 << 20, Durability.PROCESS_CRASH);
    try (RegionFile file = RegionFile.openOn(directory.resolve("r.hf"), medium)) {
      Memory memory = file.memory();
      memory.claim();
      waiting.clear();
      for (int i = 1; i <= 1_000; i++) {
        memory.writeRelease(RegionFile.INITIAL_BYTES / 2, i);
        memory.acknowledge();
      }
      assertThat(waiting).doesNotContain(Thread.currentThread());
      memory.awaitDurable();
      assertThat(waiting).isNotEmpty();
    }
  }
}
