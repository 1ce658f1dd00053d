package io.holdfast.stress.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.stress.workload.Workloads;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Transactions, sections that share no data, and some that end at releases, killed a few times.
/// The long form is `./holdfast stress kill --kills 2000` with the names in {@link #WORKLOADS}.
class TransactionsKillTest {
  static final List<String> WORKLOADS =
      List.of(
          "transactions",
          "exactly-once",
          "delays",
          "hand-over-hand",
          "jobs",
          "workers",
          "workers-locks",
          "workers-keys");
  private static final int KILLS = 3;

  @TempDir Path directory;

  @ParameterizedTest
  @FieldSource("WORKLOADS")
  void whatReturnedIsThere(String name) throws Exception {
    KillLoop loop = loop(Workloads.named(name));
    cycle(loop, KILLS);
    loop.check();

    assertThat(loop.tally().kills()).isEqualTo(KILLS);
    assertThat(loop.tally().acknowledgements()).isPositive();
  }

  static List<Arguments> faults() {
    return List.of(
        faulty(BareTransactions::new, "P1 atomic: |a payment in the inbox is damaged: "),
        faulty(
            ForgottenIds::new, "X1 once: a payment(: key=[0-9]+, made=2| is made and unfinished)"),
        faulty(BareDelays::new, "P6 acknowledged: elements are gone: "),
        faulty(HeldForLong::new, "R5 durable when released: "),
        faulty(TornTransfers::new, "R1 atomic: "),
        faulty(HastyJobs::new, "J1: "),
        faulty(BareWorkers::new, "P1 atomic: jobs are lost"),
        faulty(QueueingWorkers::new, "P6 acknowledged: jobs were finished"));
  }

  private static Arguments faulty(Supplier<Workload> workload, String says) {
    return Arguments.of(workload, says);
  }

  /// A loop that can't fail would show nothing.
  @ParameterizedTest(name = "{index} {1}")
  @MethodSource("faults")
  void aFaultIsNoticed(Supplier<Workload> workload, String says) {
    KillLoop loop = loop(workload);

    assertThatThrownBy(() -> cycle(loop, 100))
        .isInstanceOf(Violation.class)
        .hasMessageFindingMatch(says);
  }

  @Test
  void aLookWithoutATransactionIsNoticed() {
    KillLoop loop = loop(LookingTransactions::new);

    assertThatThrownBy(() -> cycle(loop, 100))
        .isInstanceOf(WorkerFailedException.class)
        .hasMessageContaining("T2 opaque: ");
  }

  private KillLoop loop(Supplier<Workload> workload) {
    return new KillLoop(workload, directory, 4, 9, Map.of());
  }

  private static void cycle(KillLoop loop, int kills) throws InterruptedException {
    for (int i = 0; i < kills; i++) {
      loop.cycle();
    }
  }
}
