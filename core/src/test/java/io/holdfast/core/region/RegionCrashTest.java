package io.holdfast.core.region;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.fixture.RegionOpener;
import io.holdfast.core.memory.Memory;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import io.holdfast.testkit.Exploration;
import io.holdfast.testkit.TestForm;

/// Crashes while a region is created, opened, closed and grown.
class RegionCrashTest {
  /// Shows HEADER-2.
  @CrashTest
  void creationIsCompletedByTheNextOpen(CrashExplorer<Region> explorer) {
    Exploration done =
        explorer
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
    assertThat(done.images()).isGreaterThan(TestForm.count(200, 1_000));
  }

  /// Creates, closes, and opens again.
  public static final class Reopening extends RegionOpener {
    @Override
    protected Region open(Memory memory) {
      super.open(memory).close();
      return super.open(memory);
    }
  }

  /// Shows HEADER-1.
  @CrashTest(opener = Reopening.class)
  void headerAlwaysHasAValidCopy(CrashExplorer<Region> explorer) {
    explorer.fromAnEmptyFile().step("close", Region::close);
  }
}
