package io.holdfast.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.stress.power.PowerLoop;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PowerLoopTest {
  @TempDir Path directory;

  @Test
  void noCutTakesWhatWasSafe() throws Exception {
    PowerLoop loop = new PowerLoop(directory, 3, 11);
    loop.run(15, 60, Durability.POWER_FAILURE);
    loop.run(15, 60, Durability.PROCESS_CRASH);

    assertThat(loop.violations()).isEmpty();
    assertThat(loop.told()).isPositive();
    assertThat(loop.struck()).containsKeys("write_durably", "write");
    assertThat(directory.resolve("images")).doesNotExist();
  }
}
