package io.holdfast.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.RecordingMemory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// POST-2 to POST-5; POST-1 is in {@link OrderedMemoryTest}, with the other modes.
class PostedMemoryTest {
  private static final long DATA = 128, NEXT = 1024, FLAG = 216, ENTRY = 64;

  private RecordingMemory bytes;
  private Memory memory;

  @BeforeEach
  void open() {
    bytes = new RecordingMemory();
    bytes.grow(1 << 16);
    memory = FlushMode.POSTED.over(bytes);
  }

  /// What others may act upon.
  private static final Map<String, Consumer<Memory>> RELEASES = new LinkedHashMap<>();

  static {
    RELEASES.put("a release store", memory -> memory.writeRelease(FLAG, 1));
    RELEASES.put("a byte", memory -> memory.writeLoggedByte(FLAG, (byte) 1));
    RELEASES.put(
        "a fence",
        memory -> {
          memory.releaseFence();
          memory.writePlain(FLAG, 1);
        });
    RELEASES.put("an end", memory -> memory.writeEnd(FLAG, 1));
    RELEASES.put(
        "a release store without order", memory -> memory.unordered().writeRelease(FLAG, 1));
    RELEASES.put(
        "an entry without order",
        memory -> memory.unordered().writeEntryRelease(FLAG - 24, 1, 1, 1, 1));
    RELEASES.put(
        "a fence without order",
        memory -> {
          memory.unordered().releaseFence();
          memory.unordered().writePlain(FLAG, 1);
        });
  }

  static Stream<String> releases() {
    return RELEASES.keySet().stream();
  }

  /// A process crash keeps what others have seen: of this, data whose entry was there before.
  @ParameterizedTest
  @MethodSource("releases")
  void post2WhatIsReleasedFollowsData(String release) {
    CrashExplorer.<Memory>of(
            release,
            recording -> {
              if (recording.length() == 0) {
                recording.grow(1 << 16);
              }
              return FlushMode.POSTED.over(recording);
            })
        .surviving(Durability.PROCESS_CRASH)
        .withoutModel()
        .step(
            "data, then what is released",
            store -> {
              store.writeEntryRelease(ENTRY, 1, 1, 1, 1);
              store.writeLogged(DATA, 1);
              RELEASES.get(release).accept(store);
            })
        .check(
            (store, point) -> {
              if (store.readPlain(FLAG) == 1) {
                assertThat(store.readPlain(DATA)).isEqualTo(1);
              }
              if (store.readPlain(DATA) == 1) {
                assertThat(store.readPlain(ENTRY + 24)).isEqualTo(1);
              }
            })
        .explore();
  }

  @Test
  void post3AThreadReadsWhatItHoldsBack() {
    bytes.writePlain(DATA, 0x1111_1111_1111_1111L);
    memory.writeLogged(DATA, 0x0807_0605_0403_0201L);
    memory.writeLogged(DATA + 8, 9);
    assertThat(bytes.readPlain(DATA)).isEqualTo(0x1111_1111_1111_1111L);
    for (Memory view : new Memory[] {memory, memory.unordered()}) {
      assertThat(view.readPlain(DATA)).isEqualTo(0x0807_0605_0403_0201L);
      assertThat(view.readAcquire(DATA + 8)).isEqualTo(9);
      byte[] found = new byte[8];
      view.readBytes(DATA + 3, found, 1, 6);
      assertThat(found).containsExactly(0, 4, 5, 6, 7, 8, 9, 0);
      assertThat(view.hasBytes(DATA + 3, new byte[] {4, 5, 6, 7, 8, 9, 0}, 7)).isTrue();
      assertThat(view.hasBytes(DATA + 3, new byte[] {4, 5, 6, 7, 8, 8}, 6)).isFalse();
      assertThat(view.hasBytes(DATA + 16, new byte[8], 8)).isTrue();
    }
    assertThat(bytes.readPlain(DATA)).isEqualTo(0x1111_1111_1111_1111L);
  }

  /// Each thread has its own buffer.
  @Test
  void othersReadWhatMemoryHas() throws InterruptedException {
    memory.writeLogged(DATA, 1);
    long[] seen = {-1};
    Thread other = Thread.ofPlatform().start(() -> seen[0] = memory.readPlain(DATA));
    other.join();
    assertThat(seen[0]).isZero();
    memory.publishData();
    other = Thread.ofPlatform().start(() -> seen[0] = memory.readPlain(DATA));
    other.join();
    assertThat(seen[0]).isEqualTo(1);
  }

  @Test
  void post4NothingIsLeft() {
    memory.writeLogged(DATA, 1);
    memory.makeDataDurable();
    assertThat(bytes.readPlain(DATA)).isEqualTo(1);
    memory.writeLogged(DATA, 2);
    memory.writeEnd(FLAG, 1);
    assertThat(bytes.readPlain(DATA)).isEqualTo(2);
  }

  /// Of a word of marks each byte is another thread's.
  @Test
  void post5ANeighboursByteStays() throws InterruptedException {
    memory.writeLoggedByte(DATA, (byte) 1);
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  memory.writeLoggedByte(DATA + 1, (byte) 2);
                  memory.makeDataDurable();
                });
    other.join();
    memory.makeDataDurable();
    assertThat(bytes.readPlain(DATA)).isEqualTo(0x0201);
  }

  /// What is stored without being held back comes behind what is, in the same words.
  @Test
  void theLastStoreStays() {
    memory.writeLogged(DATA, 1);
    memory.writePlain(DATA, 2);
    memory.makeDataDurable();
    assertThat(memory.readPlain(DATA)).isEqualTo(2);
    memory.writeLogged(DATA + 8, 1);
    memory.unordered().writeBytesPlain(DATA, new byte[9], 0, 9);
    memory.makeDataDurable();
    assertThat(memory.readPlain(DATA)).isZero();
    assertThat(memory.readPlain(DATA + 8)).isZero();
    memory.writeLogged(DATA, 1);
    memory.zeroPlain(DATA, 8);
    memory.writeLogged(DATA + 8, 1);
    memory.writeLogged(DATA + 8, 2);
    memory.makeDataDurable();
    assertThat(memory.readPlain(DATA)).isZero();
    assertThat(memory.readPlain(DATA + 8)).isEqualTo(2);
  }

  /// What a protocol of its own flushes is not in the buffer.
  @Test
  void whatIsFlushedIsStored() {
    memory.writeLogged(DATA, 1);
    memory.unordered().flush(DATA & -64, 64);
    assertThat(bytes.readPlain(DATA)).isEqualTo(1);
  }

  /// One fence for the entries of so many words.
  @Test
  void waitsOnceForTheEntriesOfABuffer() {
    for (int i = 0; i < 2 * StoreBuffer.WORDS; i++) {
      memory.writeEntryRelease(NEXT + i * 32L, 1, 1, 1, 1);
      memory.writeLogged(16_384 + i * 8L, i);
      memory.writeLogged(16_384 + i * 8L, i + 1);
    }
    PersistenceCounts entries = bytes.counts();
    memory.makeDataDurable();
    assertThat(entries.fences()).isEqualTo(1);
    assertThat(bytes.counts().fences()).isEqualTo(3);
    for (int i = 0; i < 2 * StoreBuffer.WORDS; i++) {
      assertThat(bytes.readPlain(16_384 + i * 8L)).isEqualTo(i + 1);
    }
  }
}
