package io.holdfast.stress.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.stress.workload.Workloads;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// P1 for programs that know nothing of sections: under the agent, each is killed a few times with
/// its invariant intact. The long form is `./holdfast stress kill --kills 1000 bank inventory
/// buffer scheduler`.
class ExamplesKillTest {
  static final List<String> EXAMPLES = List.of("bank", "inventory", "buffer", "scheduler");
  private static final int KILLS = 6;

  @TempDir Path directory;

  @ParameterizedTest
  @FieldSource("EXAMPLES")
  void theInvariantHolds(String name) throws Exception {
    KillLoop loop = new KillLoop(Workloads.named(name), directory, 4, 8, Map.of());
    for (int i = 0; i < KILLS; i++) {
      loop.cycle();
    }
    loop.check();
    assertThat(loop.tally().kills()).isEqualTo(KILLS);
    assertThat(loop.tally().kills(Strike.WORKING)).isPositive();
  }
}
