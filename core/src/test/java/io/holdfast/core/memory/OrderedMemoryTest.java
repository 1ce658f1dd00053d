package io.holdfast.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.RecordingMemory;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// ORDER-1 to ORDER-3, DATA-1 and DATA-2, in what a loss of power leaves and in what they cost.
class OrderedMemoryTest {
  private static final int LINES = 300;

  private RecordingMemory bytes;
  private Memory memory;

  @BeforeEach
  void open() {
    bytes = new RecordingMemory();
    bytes.grow(1 << 16);
    memory = FlushMode.HYBRID.over(bytes);
  }

  private static CrashExplorer<Memory> explorer(String name) {
    return explorer(name, FlushMode.HYBRID);
  }

  private static CrashExplorer<Memory> explorer(String name, FlushMode mode) {
    return CrashExplorer.<Memory>of(
            name,
            recording -> {
              if (recording.length() == 0) {
                recording.grow(1 << 16);
              }
              return mode.over(recording);
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

  /// ORDER-1 and DATA-1 leave a store's own line to MEDIA-2, in which only such stores have an
  /// order.
  @Test
  void everyOrderedStoreComesAfterThoseOfItsLine() {
    explorer("stores to a line")
        .step(
            "plain, ordered",
            store -> {
              store.writePlain(0, 1);
              store.writeRelease(8, 1);
              store.releaseFence();
              store.writePlain(64, 1);
              store.writeLogged(72, 1);
              store.releaseFence();
              store.writePlain(128, 1);
              store.writeLoggedByte(136, (byte) 1);
            })
        .check(
            (store, point) -> {
              for (int line = 0; line < 192; line += 64) {
                if (store.readPlain(line + 8) == 1) {
                  assertThat(store.readPlain(line)).as("line %d", line).isEqualTo(1);
                }
              }
            })
        .explore();
  }

  /// Shows ORDER-2.
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

  /// So that the word that follows, of a section that ends, waits for nothing more.
  @Test
  void whatIsNoDataIsDurableWithTheData() {
    memory.writeLogged(64, 1);
    memory.writePlain(128, 1);
    memory.makeDataDurable();
    assertThat(bytes.counts()).isEqualTo(new PersistenceCounts(2, 1, 2, 128));
    memory.writeRelease(0, 1);
    assertThat(bytes.counts().fences()).isEqualTo(1);
  }

  /// For what was stored by somebody else.
  @Test
  void aFlushIsOneWhateverWasStored() {
    memory.flush(64, 65);
    memory.fence();
    assertThat(bytes.counts()).isEqualTo(new PersistenceCounts(1, 1, 2, 65));
    memory.fence();
    assertThat(bytes.counts().fences()).isEqualTo(1);
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

  @ParameterizedTest
  @EnumSource(FlushMode.class)
  void dataComeAfterTheirEntry(FlushMode mode) {
    explorer("entries and data, " + mode, mode)
        .step(
            "three words and a byte",
            store -> {
              for (int i = 0; i < 3; i++) {
                store.writeEntryRelease(i * 32L, 1, 1, 1, 1);
                store.writeLogged(1024 + i * 64L, 1);
              }
              store.writeEntryRelease(96, 1, 1, 1, 1);
              store.writeLoggedByte(1024 + 3 * 64L, (byte) 1);
            })
        .check(
            (store, point) -> {
              for (int i = 0; i < 4; i++) {
                if (store.readPlain(1024 + i * 64L) == 1) {
                  assertThat(store.readPlain(i * 32L + 24)).as("entry %d", i).isEqualTo(1);
                }
              }
            })
        .explore();
  }

  private static CrashExplorer<Memory> sections(FlushMode mode, long stride) {
    return explorer("data, then a word, " + mode, mode)
        .step(
            "two sections",
            store -> {
              for (long section = 1; section <= 2; section++) {
                for (int i = 1; i <= 5; i++) {
                  store.writeLogged(i * stride, section);
                  store.writeLogged(i * stride + 8, section);
                }
                store.makeDataDurable();
                store.writeRelease(0, section);
                store.releaseFence();
              }
            })
        .check(
            (store, point) ->
                assertThat(
                        LongStream.rangeClosed(1, 5)
                            .flatMap(
                                i ->
                                    LongStream.of(
                                        store.readPlain(i * stride),
                                        store.readPlain(i * stride + 8))))
                    .as("data, when the word says %d", store.readPlain(0))
                    .allMatch(value -> value >= store.readPlain(0)));
  }

  @ParameterizedTest
  @EnumSource(FlushMode.class)
  void dataAreDurableWhenTheyAreMadeSo(FlushMode mode) {
    sections(mode, 64).explore();
  }

  /// Lines that are a table's size apart.
  @ParameterizedTest
  @EnumSource(FlushMode.class)
  void aLineThatLosesItsPlaceIsFlushed(FlushMode mode) {
    sections(mode, 128 * 64).explore();
  }

  /// Data alone make nobody wait before they are made durable.
  @ParameterizedTest
  @EnumSource(FlushMode.class)
  void dataDoNotWaitForData(FlushMode mode) {
    memory = mode.over(bytes);
    for (int i = 0; i < 300; i++) {
      memory.writeLogged((i + 1) * 128L, 1);
    }
    memory.writeRelease(64, 1);
    memory.releaseFence();
    assertThat(bytes.counts().fences()).as("for the release store").isEqualTo(1);
    memory.makeDataDurable();
    assertThat(bytes.counts().lines()).isEqualTo(301);
    assertThat(bytes.counts().fences()).isLessThanOrEqualTo(2);
    PersistenceCounts counts = bytes.counts();
    memory.makeDataDurable();
    assertThat(bytes.counts()).isEqualTo(counts);
  }
}
