package io.holdfast.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jmh.map.Maps;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReopenBenchmarkTest {
  private final ReopenBenchmark benchmark = new ReopenBenchmark(List.of(2_000), 1);

  @Test
  void aKilledMapAnswers() {
    ReopenBenchmark.Times times = benchmark.reopen(Maps.HOLDFAST, 2_000);
    assertThat(times.warm()).singleElement().matches(millis -> millis > 0);
    assertThat(times.fresh()).singleElement().matches(millis -> millis > 0);
  }

  @Test
  void aMapIsRebuilt() {
    assertThat(benchmark.rebuild(2_000)).singleElement().matches(millis -> millis > 0);
  }
}
