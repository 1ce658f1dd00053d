package io.holdfast.jmh.bench.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jmh.atlas.ProgramMode;
import io.holdfast.jmh.report.Page;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.util.ListStatistics;
import org.openjdk.jmh.util.Statistics;

class AtlasTableTest {
  @Test
  void aProgramIsComparedWithItselfWithoutDurability(@TempDir Path directory) throws IOException {
    Map<String, Double> nanos =
        Map.of(
            AtlasNames.program("queue", ProgramMode.NONE), 50.0,
            AtlasNames.program("queue", ProgramMode.PROCESS_CRASH), 90.0,
            AtlasNames.program("alarmClock", ProgramMode.HYBRID), 70.0);
    Page table = new Page("a title", directory);
    new AtlasTable(name -> Optional.ofNullable(nanos.get(name)).map(AtlasTableTest::once))
        .print(table);
    // What follows is of modes that this test does not know.
    assertThat(table.toString().lines())
        .anyMatch(line -> line.startsWith("| program | NONE, ns | PROCESS_CRASH / NONE |"))
        .anyMatch(line -> line.startsWith("| queue | 50.0 | 1.80 |  |"))
        .anyMatch(line -> line.startsWith("| alarmClock |  |  |  |"));
  }

  private static Statistics once(double nanos) {
    return new ListStatistics(new double[] {nanos});
  }

  @Test
  void theNamesAreThoseOfTheBenchmarks() {
    assertThat(AtlasNames.PROGRAMS)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(AtlasBenchmark.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .map(Method::getName)
                .toList());
  }

  @Test
  void processCrashesAreJudgedAndTheOtherModesTold() {
    assertThat(AtlasNames.targets())
        .hasSize(AtlasNames.PROGRAMS.size() * (ProgramMode.values().length - 1))
        .allSatisfy(
            target ->
                assertThat(!target.isJudged())
                    .isEqualTo(!target.subject().contains("PROCESS_CRASH")));
  }
}
