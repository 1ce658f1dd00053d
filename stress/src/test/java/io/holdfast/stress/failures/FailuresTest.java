package io.holdfast.stress.failures;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.InMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The short form of `./holdfast stress failures`.
@Timeout(180)
class FailuresTest {
  @TempDir(factory = InMemory.class)
  Path directory;

  private final List<String> lines = new ArrayList<>();

  private boolean run(List<Injection> injections, String... scenes) throws Exception {
    return new FailureRun(directory, Survival.PROCESS_CRASH, true)
        .run(injections, List.of(scenes), lines::add);
  }

  /// BREAK-1, LOCK-4, P1, P6, P7, P8.
  @Test
  void whatFailsForWantOfMemoryIsDoneOrNot() throws Exception {
    assertThat(run(List.of(Injection.ALLOCATION), "map-put", "tree-put", "section", "trim"))
        .as(String.join("\n", lines))
        .isTrue();
    assertThat(lines).anyMatch(line -> line.matches("map-put +allocation +[1-9].*"));
  }

  /// BREAK-1: memory ends at a lambda's first use, in the middle of a change, or of its undoing.
  /// Each place is tried: few of them are in the middle.
  @Test
  void whatALambdaThatCanNotBeMadeCutsOffIsDoneOrNot() throws Exception {
    boolean isRight =
        new FailureRun(directory, Survival.PROCESS_CRASH, false)
            .run(List.of(Injection.LINKAGE), List.of("map-clear", "undone"), lines::add);
    assertThat(isRight).as(String.join("\n", lines)).isTrue();
    assertThat(lines).anyMatch(line -> line.matches("map-clear +linkage +[1-9].*"));
    assertThat(lines).anyMatch(line -> line.matches("undone +linkage +[1-9].*"));
  }

  /// GIVE-1, T5: the heap stays exhausted while claims and locks are given up, and the store goes
  /// on.
  @Test
  void give1NothingStaysClaimed() throws Exception {
    assertThat(run(List.of(Injection.ALLOCATION, Injection.HEAP), "transaction", "delay-queue"))
        .as(String.join("\n", lines))
        .isTrue();
    assertThat(lines).anyMatch(line -> line.matches("transaction +heap +\\d+ +\\d+ +[1-9].*"));
    assertThat(lines).anyMatch(line -> line.matches("delay-queue +heap +\\d+ +\\d+ +[1-9].*"));
  }

  /// The same, also while a store is opened and closed.
  @Test
  void whatFailsForTheDeviceIsDoneOrNot() throws Exception {
    assertThat(run(List.of(Injection.DEVICE), "open-create", "open-crashed", "close", "trim"))
        .as(String.join("\n", lines))
        .isTrue();
    assertThat(lines).anyMatch(line -> line.matches("open-crashed +device +[1-9].*"));
  }

  /// LOCK-5: cleaning up fails as well.
  @Test
  void whatCanNotOpenLetsGo() throws Exception {
    assertThat(
            run(
                List.of(Injection.HEAP, Injection.STACK),
                "open-create",
                "open-closed",
                "open-crashed"))
        .as(String.join("\n", lines))
        .isTrue();
    assertThat(lines).anyMatch(line -> line.matches("open-crashed +stack +[1-9].*"));
  }

  /// CLOSE-3.
  @Test
  void aCloseThatWasCutOffIsRepeated() throws Exception {
    assertThat(run(List.of(Injection.FRAME, Injection.HEAP), "close"))
        .as(String.join("\n", lines))
        .isTrue();
    assertThat(lines).anyMatch(line -> line.matches("close +frame +[1-9].*"));
  }

  /// ACK-5, STREAM-3: stores with a log, whose own threads fail.
  @Test
  void ack5WhatFailsInTheLogsThreadsIsToldToAll() throws Exception {
    boolean isRight =
        new FailureRun(directory, Survival.POWER_FAILURE_ON_DISK, true)
            .run(
                List.of(Injection.FRAME, Injection.ENOSPC),
                List.of("writer-put", "writer-beside", "checkpoint"),
                lines::add);
    assertThat(isRight).as(String.join("\n", lines)).isTrue();
    assertThat(lines).anyMatch(line -> line.matches("writer-put +frame +[1-9].*"));
    assertThat(lines).anyMatch(line -> line.matches("checkpoint +enospc +[1-9].*"));
  }

  /// Changes that pass for one. Which allocations fail is the same in each run, and what they are
  /// for is not, since a map's hash has a secret: some runs strike at none that shows it.
  @Test
  void aBrokenPromiseIsNoticed() throws Exception {
    boolean isRight = true;
    for (int runs = 0; isRight && runs < 6; runs++) {
      isRight = run(List.of(Injection.ALLOCATION), "hasty");
    }
    assertThat(isRight).as(String.join("\n", lines)).isFalse();
    assertThat(lines).anyMatch(line -> line.contains("is in no state of the operation"));
  }
}
