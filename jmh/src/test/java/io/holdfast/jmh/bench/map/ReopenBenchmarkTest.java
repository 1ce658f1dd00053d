package io.holdfast.jmh.bench.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.jmh.map.Maps;
import org.junit.jupiter.api.Test;

class ReopenBenchmarkTest {
  @Test
  void aKilledMapAnswersAndHasLostNothing() {
    ReopenBenchmark.Times times = ReopenBenchmark.reopen(Maps.HOLDFAST, 2_000, 1);
    assertThat(times.warm()).singleElement().matches(millis -> millis > 0);
    assertThat(times.fresh()).singleElement().matches(millis -> millis > 0);
    assertThat(times.lost()).containsExactly(0.0, 0.0);
  }

  /// The check can fail: what survives nothing has lost everything.
  @Test
  void aMapThatSurvivesNothingIsFoundOut() {
    assertThat(ReopenBenchmark.reopen(Maps.CONCURRENT_HASH_MAP, 2_000, 1).lost())
        .containsExactly(2_000.0, 2_000.0);
  }

  /// The check can fail: what MapDB's file is without its log.
  @Test
  void aFileThatIsRefusedIsTold() {
    assumeThat(Maps.hasPeers()).as("the profile peers").isTrue();
    assertThat(ReopenBenchmark.reopen(Maps.MAP_DB, 2_000, 1).warm()).isEmpty();
    ReopenBenchmark.Times withLog = ReopenBenchmark.reopen(Maps.MAP_DB + Maps.POWER, 2_000, 1);
    assertThat(withLog.lost()).containsExactly(0.0, 0.0);
  }

  @Test
  void eclipseStoreLosesNothing() {
    assumeThat(Maps.hasPeers()).as("the profile peers").isTrue();
    assertThat(ReopenBenchmark.reopen(Maps.ECLIPSE_STORE, 2_000, 1).lost())
        .containsExactly(0.0, 0.0);
  }

  @Test
  void aMapIsRebuilt() {
    assertThat(ReopenBenchmark.rebuild(2_000, 1)).singleElement().matches(millis -> millis > 0);
  }
}
