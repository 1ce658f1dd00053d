package io.holdfast.core.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.memory.MappedMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Write-back by real instructions, on a real file.
class CacheLineTest {
  private static final int BYTES = 1 << 16;

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void createFile() throws IOException {
    file = directory.resolve("region");
    Files.write(file, new byte[BYTES]);
  }

  private PersistenceDomain domain() throws IOException {
    return PersistentMemory.domainOf(file);
  }

  @Test
  void countsFlushesFencesLinesAndBytes() throws IOException {
    PersistenceDomain domain = domain();
    MappedMemory memory = new MappedMemory(file, BYTES, domain);
    assertThat(domain.counts()).isEqualTo(PersistenceCounts.NONE);
    memory.flush(0, 8);
    memory.flush(56, 8);
    memory.flush(56, 9);
    memory.flush(64, 128);
    memory.flush(0, 0);
    memory.fence();
    assertThat(domain.counts()).isEqualTo(new PersistenceCounts(4, 1, 6, 153));
    memory.close();
    assertThat(domain.survivesPowerFailure()).isTrue();
  }

  /// Every thread's counts are there, also those of many that have died.
  @Test
  void countsEveryThread() throws Exception {
    PersistenceDomain domain = domain();
    MappedMemory memory = new MappedMemory(file, BYTES, domain);
    int rounds = 40;
    int threads = 10;
    for (int round = 0; round < rounds; round++) {
      List<Thread> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        boolean isVirtual = i % 2 == 0;
        Runnable task =
            () -> {
              for (int flush = 0; flush < 100; flush++) {
                memory.flush(flush * 64L, 64);
                memory.fence();
              }
            };
        running.add(isVirtual ? Thread.ofVirtual().start(task) : Thread.ofPlatform().start(task));
      }
      for (Thread thread : running) {
        thread.join();
      }
    }
    long all = (long) rounds * threads * 100;
    assertThat(domain.counts()).isEqualTo(new PersistenceCounts(all, all, all, all * 64));
    memory.close();
  }

  /// A store that is closed under a thread that flushes is closed to it; the JVM lives.
  @Test
  void closingUnderAFlush() throws Exception {
    for (int round = 0; round < 20; round++) {
      MappedMemory memory = new MappedMemory(file, BYTES, domain());
      AtomicInteger closed = new AtomicInteger();
      List<Thread> flushing = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        flushing.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        for (long at = 0; ; at = at + 64 & BYTES - 1) {
                          memory.writePlain(at, at);
                          memory.flush(at, 8);
                          memory.fence();
                        }
                      } catch (StoreClosedException e) {
                        closed.incrementAndGet();
                      }
                    }));
      }
      memory.close();
      for (Thread thread : flushing) {
        thread.join();
      }
      assertThat(closed).hasValue(2);
      memory.flush(0, 64); // and later, too
    }
  }

  @Test
  void saysHow() throws IOException {
    assertThat(domain()).hasToString("cache line by " + NativeWriteBack.CHOICE);
  }

  /// Whatever bytes are flushed, each of their lines is handed to the write-back, whole and in the
  /// order of the calls, and a fence is handed on.
  @Test
  void handsOnEachLineOfARange() throws IOException {
    List<Long> lines = new ArrayList<>();
    WriteBack recording =
        new WriteBack() {
          @Override
          void writeBack(long address, long length) {
            assertThat(address % 64).isZero();
            for (long line = address; line < address + length; line += 64) {
              lines.add(line);
            }
          }

          @Override
          void fence() {
            lines.add(-1L);
          }
        };
    CacheLine domain = new CacheLine(MapMode.READ_WRITE, recording, "recording");
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      MemorySegment segment = domain.map(channel, 0, BYTES, arena);
      long expectedLines = 0;
      for (int offset = 0; offset < 130; offset++) {
        for (int length = 0; length < 200; length++) {
          lines.clear();
          domain.flush(segment, offset, length);
          domain.fence();
          List<Long> expected = new ArrayList<>();
          for (long at = offset & -64; length > 0 && at < offset + length; at += 64) {
            expected.add(segment.address() + at);
          }
          expectedLines += expected.size();
          expected.add(-1L);
          assertThat(lines).as("%d bytes at %d", length, offset).isEqualTo(expected);
        }
      }
      assertThat(domain.counts().lines()).isEqualTo(expectedLines);
    }
  }
}
