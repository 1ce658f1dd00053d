package io.holdfast.stress.kill;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// When a worker is killed: some time after it has entered a stage.
public enum KillTiming {
  /// As a rule at work, sometimes while it opens the store or starts.
  AT_WORK(1, 2, 150),
  /// As a rule while it opens the store, or in its first moments.
  EARLY(2, 9, 10);

  /// Sound for a JVM that starts in a few hundred milliseconds; the stages that are in fact hit are
  /// counted.
  private static final double STARTING_MS_MAX = 400, OPENING_MS_MAX = 40;

  private final int startingOf15;
  private final int openingOf15;
  private final double workMsMax;

  KillTiming(int startingOf15, int openingOf15, double workMsMax) {
    this.startingOf15 = startingOf15;
    this.openingOf15 = openingOf15;
    this.workMsMax = workMsMax;
  }

  /// A moment: so long after the stage was entered.
  public record Moment(Stage after, Duration delay) {}

  /// Draws a moment.
  public Moment draw(RandomGenerator random) {
    int draw = random.nextInt(15);
    if (draw < startingOf15) {
      return moment(random, Stage.STARTING, STARTING_MS_MAX);
    }
    if (draw < startingOf15 + openingOf15) {
      return moment(random, Stage.OPENING, OPENING_MS_MAX);
    }
    return moment(random, Stage.WORKING, workMsMax);
  }

  private static Moment moment(RandomGenerator random, Stage after, double msMax) {
    return new Moment(after, Duration.ofNanos((long) (random.nextDouble() * msMax * 1e6)));
  }
}
