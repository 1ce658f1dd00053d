package io.holdfast.stress.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Holdfast;
import io.holdfast.stress.workload.AcknowledgedStreams;
import io.holdfast.stress.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Real workers, really killed; the long form is `./holdfast stress kill`.
class KillLoopTest {
  @TempDir Path directory;

  /// All but those of {@link ExamplesKillTest} and {@link TransactionsKillTest}.
  static List<String> workloads() {
    return Workloads.names().stream()
        .filter(each -> !ExamplesKillTest.EXAMPLES.contains(each))
        .filter(each -> !TransactionsKillTest.WORKLOADS.contains(each))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void nothingIsLost(String name) throws Exception {
    KillLoop loop = new KillLoop(Workloads.named(name), directory, 3, 42, Map.of());
    loop.cycle();
    loop.check();

    assertThat(loop.tally().kills()).isEqualTo(1);
    assertThat(loop.tally().checks()).isPositive();
  }

  /// What is over in a moment is struck because the kill waits for it.
  @ParameterizedTest
  @CsvSource({"closings, CLOSING", "breathing, GROWING", "openings, RECOVERING"})
  void killsStrikeWhatTheyAreMeantTo(String name, Strike strike) throws Exception {
    KillLoop loop = new KillLoop(Workloads.named(name), directory, 3, 7, Map.of());
    for (int i = 0; i < 40 && loop.tally().kills(strike) == 0; i++) {
      loop.cycle();
    }
    assertThat(loop.tally().kills(strike)).isPositive();
  }

  /// The code that writes back and waits; in all kinds of collections.
  @ParameterizedTest
  @ValueSource(strings = {"transfer", "locks-maps", "synchronized-trees"})
  void killsOfAStoreThatSurvivesALossOfPower(String name) throws Exception {
    KillLoop loop =
        new KillLoop(Workloads.named(name), directory, 3, 7, Map.of(), Survived.POWER_FAILURE);
    loop.cycle();
    loop.check();
    assertThat(loop.tally().checks()).isPositive();
  }

  /// The code that writes the log, checkpoints, and makes the file whole; recovery from it too.
  @ParameterizedTest
  @CsvSource({
    "transfer, POWER_FAILURE_ON_DISK",
    "accounts, RELAXED_ON_DISK",
    "tree, POWER_FAILURE_ON_DISK",
    "transactions, RELAXED_ON_DISK",
    "accounts, RELAXED_IN_MEMORY"
  })
  void killsOfAStoreWithALog(String name, Survived survives) throws Exception {
    KillLoop loop = new KillLoop(Workloads.named(name), directory, 3, 7, Map.of(), survives);
    loop.cycle();
    loop.check();
    assertThat(loop.tally().checks()).isPositive();
  }

  /// A loop that can't fail would show nothing.
  @Test
  void aMoveWithoutASectionIsNoticed() {
    KillLoop loop = new KillLoop(BareTransfer::new, directory, 1, 42, Map.of());

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                loop.cycle();
              }
            })
        .isInstanceOf(Violation.class)
        .hasMessageContaining("found=0");
  }

  static List<Arguments> mapsWithAFault() {
    return List.of(
        faulty(BareAccounts::new, "P1 atomic: the sum of all accounts"),
        faulty(BareBatches::new, "P1 atomic: a map is as after no step"),
        faulty(HastyChanges::new, "P6 acknowledged: "),
        faulty(HastySteps::new, "P1 atomic: a sorted map is as after no change"),
        faulty(BareIndex::new, "P1 atomic: "),
        faulty(HastyTreeChanges::new, "P6 acknowledged: "));
  }

  private static Arguments faulty(Supplier<Workload> workload, String says) {
    return Arguments.of(workload, says);
  }

  @ParameterizedTest(name = "{index} {1}")
  @MethodSource("mapsWithAFault")
  void aFaultWithAMapIsNoticed(Supplier<Workload> workload, String says) {
    KillLoop loop = new KillLoop(workload, directory, 2, 42, Map.of());

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                loop.cycle();
              }
            })
        .isInstanceOf(Violation.class)
        .hasMessageContaining(says);
  }

  @Test
  void aWorkerThatFailsSaysWhy() throws Exception {
    Path region = directory.resolve("transfer-0.hf");
    Files.writeString(region, "not a region, and longer than a header's first line".repeat(100));
    KillLoop loop = new KillLoop(Workloads.named("transfer"), directory, 1, 1, Map.of());

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 20; i++) {
                loop.cycle();
              }
            })
        .hasMessageContaining("not a");
    assertThat(region).content().startsWith("not a region");
  }

  /// A JVM takes its time to end: the kill strikes one that would have ended by itself.
  @Test
  @Timeout(60)
  void aWorkerThatFailsAtWorkIsNoticed() throws Exception {
    try (WorkerProcess worker = startAndAwaitFailure(FailingWork.class)) {
      assertThatThrownBy(worker::kill)
          .isInstanceOf(WorkerFailedException.class)
          .hasMessageContaining(FailingWork.SAYS);
    }
  }

  @Test
  @Timeout(60)
  void aWorkerWhoseJvmCrashesIsNoticed() throws Exception {
    try (WorkerProcess worker = startAndAwaitFailure(CrashingWork.class)) {
      assertThatThrownBy(worker::kill).isInstanceOf(WorkerFailedException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(Ending.class)
  @Timeout(60)
  void aWorkerEndsInEachWay(Ending ending) throws Exception {
    assumeTrue(ending != Ending.OOM_KILLER || MemoryGroup.isAllowed(), "no memory cgroups here");
    try (WorkerProcess worker =
        new WorkerJvm(directory, Survived.PROCESS_CRASH, List.of())
            .start(
                AcknowledgedStreams.class,
                directory.resolve("s.hf"),
                1,
                0,
                1,
                Map.of(),
                (_, _) -> {})) {
      worker.endAt(new KillTiming.Moment(Stage.WORKING, true, Duration.ZERO), ending);
    }
  }

  private WorkerProcess startAndAwaitFailure(Class<? extends Workload> type) throws Exception {
    Workload workload = type.getDeclaredConstructor().newInstance();
    WorkerProcess worker =
        new WorkerJvm(directory, Survived.PROCESS_CRASH, List.of())
            .start(type, directory.resolve("s.hf"), 1, 0, 1, Map.of(), workload::acknowledged);
    worker.await(Stage.WORKING);
    while (!worker.hasFailed()) {
      Thread.sleep(1);
    }
    return worker;
  }

  /// Not an accident of the command that opens it: it must be reported with what reproduces it.
  @Test
  void aStoreThatDoesNotOpenIsAViolation() throws Exception {
    Path region = directory.resolve("damaged.hf");
    Files.writeString(region, "not a region, and longer than a header's first line".repeat(100));

    assertThatThrownBy(() -> Reopening.of(region, store -> {}))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("P7 opens")
        .hasMessageContaining("damaged.hf");
  }

  @Test
  void aWorkerHoldsTheStore() throws Exception {
    Path region = directory.resolve("held.hf");
    Workload workload = Workloads.named("transfer").get();
    try (WorkerProcess worker =
        new WorkerJvm(directory, Survived.PROCESS_CRASH, List.of())
            .start(workload.getClass(), region, 2, 0, 1, workload.parameters(), (_, _) -> {})) {
      worker.await(Stage.WORKING);
      assertThatThrownBy(() -> Holdfast.open(region)).hasMessageContaining("held.hf");
      worker.kill();
    }
    Holdfast.open(region).close();
  }
}
