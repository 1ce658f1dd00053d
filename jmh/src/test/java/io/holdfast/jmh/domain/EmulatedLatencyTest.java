package io.holdfast.jmh.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.persistence.PersistentMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmulatedLatencyTest {
  @Test
  void aFenceTakesNoLessThanWasAdded() {
    EmulatedLatency domain = new EmulatedLatency(new PageCache(), 800);
    for (int i = 0; i < 100; i++) {
      long before = System.nanoTime();
      domain.fence();
      assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(800);
    }
    assertThat(domain).hasToString("page cache, slower by 800 ns");
    assertThat(domain.survivesPowerFailure()).isFalse();
  }

  /// What is added is added to what there is.
  @Test
  void writesBackAsWithoutIt(@TempDir Path directory) throws IOException {
    Path file = Files.write(directory.resolve("region"), new byte[1 << 16]);
    EmulatedLatency domain = new EmulatedLatency(PersistentMemory.domainOf(file), 1);
    MappedMemory memory = new MappedMemory(file, 1 << 16, domain);
    memory.flush(0, 8);
    memory.fence();
    assertThat(domain.counts()).isEqualTo(new PersistenceCounts(1, 1, 1, 8));
    memory.close();
  }

  @Test
  void refusesWhatThePaperDoesNotHave() {
    for (int nanos : new int[] {-1, 801}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new EmulatedLatency(new PageCache(), nanos))
          .withMessageContaining("0 to 800");
    }
  }
}
