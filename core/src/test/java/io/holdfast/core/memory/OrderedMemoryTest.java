package io.holdfast.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.explorer.CrashExplorer;
import io.holdfast.core.explorer.RecordingMemory;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// ORDER-1 to ORDER-3, in what a loss of power leaves and in what they cost.
class OrderedMemoryTest {
  private static final int LINES = 300;

  private RecordingMemory bytes;
  private OrderedMemory memory;

  @BeforeEach
  void open() {
    bytes = new RecordingMemory();
    bytes.grow(1 << 16);
    memory = new OrderedMemory(bytes);
  }

  private static CrashExplorer<Memory> explorer(String name) {
    return CrashExplorer.<Memory>of(
            name,
            recording -> {
              if (recording.length() == 0) {
                recording.grow(1 << 16);
              }
              return new OrderedMemory(recording);
            })
        .surviving(Durability.POWER_FAILURE)
        .withoutModel();
  }

  @Test
  void aReleaseStoreComesAfterOtherLines() {
    explorer("a release store")
        .step(
            "payload, flag",
            store -> {
              store.writePlain(64, 1);
              store.writeBytesPlain(190, new byte[] {1, 1, 1, 1}, 0, 4);
              store.writeRelease(0, 1);
            })
        .check(
            (store, point) -> {
              byte[] found = new byte[4];
              store.readBytes(190, found, 0, 4);
              if (store.readPlain(0) == 1) {
                assertThat(store.readPlain(64)).isEqualTo(1);
                assertThat(found).containsOnly(1);
              }
            })
        .explore();
  }

  @Test
  void everythingIsDurableBehindAReleaseFence() {
    explorer("a release fence")
        .step(
            "many lines",
            store -> {
              for (int line = 1; line <= LINES; line++) {
                store.writePlain(line * 64L, 1);
              }
              store.zeroPlain(0, 64);
              store.releaseFence();
              store.writePlain(0, 1);
            })
        .check(
            (store, point) -> {
              if (store.readPlain(0) == 1) {
                assertThat(LongStream.rangeClosed(1, LINES).map(line -> store.readPlain(line * 64)))
                    .containsOnly(1L);
              }
            })
        .explore();
  }

  /// ORDER-1 exempts the store's own line, ORDER-3 an entry.
  @Test
  void costsNoMoreThanItMust() {
    memory.writePlain(64, 1);
    memory.writePlain(72, 1);
    memory.writeRelease(80, 1);
    memory.writeRelease(88, 1);
    memory.writeEntryRelease(96, 1, 1, 1, 1);
    assertThat(bytes.counts()).isEqualTo(PersistenceCounts.NONE);
    memory.writeRelease(128, 1); // the first line, and a fence
    assertThat(bytes.counts()).isEqualTo(new PersistenceCounts(1, 1, 1, 64));
    memory.releaseFence(); // the second one
    assertThat(bytes.counts()).isEqualTo(new PersistenceCounts(2, 2, 2, 128));
    memory.releaseFence();
    memory.writeRelease(64, 1);
    assertThat(bytes.counts()).isEqualTo(new PersistenceCounts(2, 2, 2, 128));
  }

  /// A line that is stored to again and again is flushed once.
  @Test
  void flushesALineOnce() {
    for (int i = 0; i < 1_000; i++) {
      for (long at : List.of(64L, 640L, 6_400L)) {
        memory.writePlain(at, i);
      }
    }
    memory.releaseFence();
    assertThat(bytes.counts()).isEqualTo(new PersistenceCounts(3, 1, 3, 192));
  }
}
