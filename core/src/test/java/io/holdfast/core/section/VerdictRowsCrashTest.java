package io.holdfast.core.section;

import static io.holdfast.core.section.SectionSteps.assertImplies;
import static io.holdfast.core.section.SectionSteps.end;
import static io.holdfast.core.section.SectionSteps.openRelease;
import static io.holdfast.core.section.SectionSteps.prepared;
import static io.holdfast.core.section.SectionSteps.section;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.fixture.RegionOpener;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.RegionHeader.State;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.recovery.RecoveryPlan;
import io.holdfast.core.recovery.Strategy;
import io.holdfast.core.recovery.Verdict;
import io.holdfast.core.recovery.Verdict.Row;
import io.holdfast.core.recovery.Verdict.Standing;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;

/// Crashes that leave each row of recovery's decision table, and at each of them a plan that says
/// what recovery then does.
class VerdictRowsCrashTest {
  private static final List<Object> LOCKS = SectionSteps.locks(3);
  private static final Object OUTER = LOCKS.get(0), INNER = LOCKS.get(1), OTHER = LOCKS.get(2);

  private static final Set<Row> ROWS = ConcurrentHashMap.newKeySet();

  /// Makes a plan of each image before it is recovered.
  static final class PlanningOpener extends RegionOpener {
    @Override
    protected Region open(Memory memory) {
      RecoveryPlan plan = plan(memory);
      Region region = Words.open(memory);
      if (plan != null && region.report().outcome() == Outcome.RECOVERED) {
        assertThat(region.report().sectionsUndone()).isEqualTo(plan.count(Verdict.UNDO));
        assertThat(region.report().sectionsKept()).isEqualTo(plan.count(Verdict.KEEP));
      }
      return region;
    }

    private static RecoveryPlan plan(Memory memory) {
      if (RegionHeader.isUnfinishedCreation(memory, RegionLayout.MIN_BYTES)) {
        return null;
      }
      RegionHeader header = RegionHeader.read(memory);
      if (header.state() == State.CLOSED) {
        return null;
      }
      RecoveryPlan plan = Strategy.of(memory, new SpanTable(memory, header)).plan();
      plan.logs()
          .forEach(
              log -> {
                log.sections().forEach(section -> ROWS.add(section.row()));
                if (log.durable() > 0) {
                  ROWS.add(Verdict.row(Standing.DURABLE, true));
                }
              });
      return plan;
    }
  }

  @CrashTest(opener = PlanningOpener.class)
  void thePlanIsWhatRecoveryDoes(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("A", "A stores 0, releases openly", openRelease(OUTER, INNER, 0))
        .step("B", "B stores 1, and waits", section(INNER, 1))
        .step("C", "C stores 2, and depends on A", openRelease(OTHER, INNER, 2))
        .step("A", "A stores 3, ends", end(OUTER, 3))
        .step("C", "C stores 4, ends", end(OTHER, 4))
        .check(
            (region, point) -> {
              assertImplies(region, 1, 0);
              assertImplies(region, 2, 3);
            });
  }

  /// No crash leaves a durable section whose dependencies are not met (COMMIT-1).
  @AfterAll
  static void everyRowWasProduced() {
    assertThat(ROWS)
        .containsExactlyInAnyOrderElementsOf(
            Verdict.TABLE.stream()
                .filter(row -> !row.equals(Verdict.row(Standing.DURABLE, false)))
                .toList());
  }
}
