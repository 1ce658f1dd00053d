package io.holdfast.core.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PersistentMemoryTest {
  @TempDir Path directory;

  private Path file(int bytes) throws IOException {
    return Files.write(directory.resolve("region"), new byte[bytes]);
  }

  @Test
  void aDiskIsNoPersistentMemoryAndIsUntouched() throws IOException {
    for (int bytes : new int[] {0, 100, 4096, 10_000}) {
      Path file = file(bytes);
      assumeThat(PersistentMemory.isDax(file)).isFalse();
      assertThat(file).hasBinaryContent(new byte[bytes]);
    }
  }

  private static final NativeChoice AVAILABLE =
      new NativeChoice(new NativeCalls("clwb", null, null), "", false);
  private static final NativeChoice FORBIDDEN =
      new NativeChoice(null, "no page; no library", false);
  private static final NativeChoice DENIED = new NativeChoice(null, "native access denied", true);

  private PersistenceDomain choose(boolean isDax, NativeChoice choice) {
    return PersistentMemory.choose(Path.of("a.hf"), isDax, choice);
  }

  /// On DAX the mapping is `MAP_SYNC`, which a disk refuses (FACTS 3).
  @Test
  void theBestDomainIsChosen() throws IOException {
    assertThat(choose(true, AVAILABLE)).hasToString("cache line by clwb");
    assertThat(choose(false, AVAILABLE)).hasToString("cache line by clwb");
    assertThat(choose(true, FORBIDDEN))
        .isInstanceOf(SyncedMapping.class)
        .hasToString("cache line by a forced mapping (no page; no library)");
    assertThat(choose(true, DENIED)).isInstanceOf(SyncedMapping.class);
    Path disk = file(4096);
    assumeThat(PersistentMemory.isDax(disk)).isFalse();
    try (FileChannel channel =
            FileChannel.open(disk, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      choose(false, AVAILABLE).map(channel, 0, 4096, arena);
      for (NativeChoice choice : List.of(AVAILABLE, FORBIDDEN)) {
        assertThatExceptionOfType(IOException.class)
            .isThrownBy(() -> choose(true, choice).map(channel, 0, 4096, arena));
      }
    }
  }

  /// What will work depends on what was refused.
  @Test
  void theRemedyIsThatOfTheCause() {
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> choose(false, DENIED))
        .withMessage(
            "a.hf: durability=POWER_FAILURE: this process cannot write cache lines back: native"
                + " access denied. Start java with --enable-native-access=io.holdfast.core, or"
                + " =ALL-UNNAMED if Holdfast is on the class path; or use PROCESS_CRASH. The file"
                + " was not touched");
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> choose(false, FORBIDDEN))
        .withMessageContaining(": no page; no library. Allow this process executable pages, or");
  }

  /// An interrupt says nothing about the file.
  @Test
  void anInterruptIsNotTakenForADisk() throws IOException {
    Path file = file(4096);
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(ClosedByInterruptException.class)
        .isThrownBy(() -> PersistentMemory.isDax(file));
    assertThat(Thread.interrupted()).isTrue();
  }

  /// One that comes when the file is longer: an operation that is repeated finds it as it was.
  @Test
  void anInterruptLeavesTheLength() throws IOException {
    Path file = file(0);
    Thread own = Thread.currentThread();
    int interrupted = 0;
    for (int attempt = 0; attempt < 1_000; attempt++) {
      int spins = attempt;
      Thread interrupting =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < spins; i++) {
                      Thread.onSpinWait();
                    }
                    own.interrupt();
                  });
      try {
        assumeThat(PersistentMemory.isDax(file)).isFalse();
      } catch (ClosedByInterruptException e) {
        interrupted++;
      }
      while (interrupting.isAlive()) {
        Thread.onSpinWait();
      }
      assertThat(Thread.interrupted()).isTrue();
      assertThat(Files.size(file)).isZero();
    }
    assertThat(interrupted).isPositive();
  }

  /// FACTS 2.
  @Test
  void aForcedMappingIsRefusedWithoutC2() {
    assertThat(SyncedMapping.hasC2("mixed mode, sharing", List.of("-Xmx1g"))).isTrue();
    assertThat(SyncedMapping.hasC2("interpreted mode, sharing", List.of())).isFalse();
    assertThat(SyncedMapping.hasC2("mixed mode, emulated-client", List.of())).isFalse();
    assertThat(SyncedMapping.hasC2("mixed mode", List.of("-XX:TieredStopAtLevel=3"))).isFalse();
    assertThat(SyncedMapping.hasC2("mixed mode", List.of("-XX:TieredStopAtLevel=4"))).isTrue();
  }
}
