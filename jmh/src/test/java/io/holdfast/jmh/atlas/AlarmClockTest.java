package io.holdfast.jmh.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;

/// Shows ALARM-1.
class AlarmClockTest extends ProgramContract<AlarmClock> {
  @Override
  AlarmClock over(ProgramMemory memory) {
    return new AlarmClock(memory);
  }

  @Override
  List<Consumer<AlarmClock>> operations() {
    return List.of(
        clock -> clock.set(5),
        clock -> clock.set(3),
        clock -> clock.set(5),
        AlarmClock::expire,
        clock -> clock.set(4),
        AlarmClock::expire,
        AlarmClock::expire);
  }

  /// All have expired: what is left is the time and how many there were.
  @Override
  void checkAfter(int runs, AlarmClock clock) {
    assertThat(clock.content()).hasSize(2).endsWith((long) runs * OPERATIONS);
  }
}
