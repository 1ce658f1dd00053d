package io.holdfast.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.explorer.CrashExplorer;
import io.holdfast.core.explorer.Exploration;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import org.junit.jupiter.api.Test;

/// Crashes while a region is created, opened, closed and grown.
class RegionCrashTest {
  private static Region open(Memory memory) {
    return Region.open(memory, RegionLayout.MIN_BYTES);
  }

  @Test
  void creationIsCompletedByTheNextOpen() {
    Exploration done =
        CrashExplorer.of("creation", RegionCrashTest::open)
            .fromAnEmptyFile()
            .crashesOfRecovery(2)
            .check((region, point) -> assertThat(region.memory().length()).isEqualTo(1 << 18))
            .check((region, point) -> assertThat(region.roots().all()).isEmpty())
            .check(
                (region, point) -> {
                  if (point.acknowledged() == 1) {
                    assertThat(region.report().outcome()).isEqualTo(Outcome.RECOVERED);
                  }
                })
            .explore();
    assertThat(done.images()).isGreaterThan(1_000);
  }

  @Test
  void headerAlwaysHasAValidCopy() {
    CrashExplorer.of(
            "header",
            memory -> {
              open(memory).close();
              return open(memory);
            })
        .fromAnEmptyFile()
        .step("close", Region::close)
        .explore();
  }
}
