package io.holdfast.core.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PersistentMemoryTest {
  @TempDir Path directory;

  private Path file(int bytes) throws IOException {
    return Files.write(directory.resolve("region"), new byte[bytes]);
  }

  @Test
  void aDiskIsRefusedAndUntouched() throws IOException {
    for (int bytes : new int[] {0, 100, 4096, 10_000}) {
      Path file = file(bytes);
      assumeThat(PersistentMemory.isDax(file)).isFalse();
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> PersistentMemory.domainOf(file, false))
          .withMessageContaining(file.toString())
          .withMessageContaining("treatAsPersistentMemory()")
          .withMessageContaining("PROCESS_CRASH");
      assertThat(file).hasBinaryContent(new byte[bytes]);
    }
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
