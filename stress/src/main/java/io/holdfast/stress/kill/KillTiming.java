package io.holdfast.stress.kill;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// When a worker is killed: some time after it has entered a stage.
public enum KillTiming {
  /// As a rule at work, sometimes while it opens the store or starts.
  AT_WORK(1, 2, 0, 150, false),
  /// As a rule some time after it has acknowledged something, else as above: on a busy machine a
  /// JVM that was just started does next to nothing in its first moments.
  ACKNOWLEDGED_WORK(1, 2, 0, 150, true),
  /// The same, and one time of three while it opens the store.
  WORK_AND_OPENING(1, 5, 0, 150, true),
  /// As a rule at work, for long enough that it comes to the end of what takes longer.
  LONG_WORK(1, 2, 0, 1_500, true),
  /// As a rule while it opens the store, or in its first moments.
  EARLY(2, 9, 0, 10, false),
  /// As a rule while it closes the store.
  LATE(1, 1, 12, 20, false);

  /// Sound for a JVM that starts in a few hundred milliseconds; the stages that are in fact hit are
  /// counted.
  private static final double STARTING_MS_MAX = 400, OPENING_MS_MAX = 40, CLOSING_MS_MAX = 3;

  private final int startingOf15;
  private final int openingOf15;
  private final int closingOf15;
  private final double workMsMax;
  private final boolean acknowledged;

  KillTiming(
      int startingOf15, int openingOf15, int closingOf15, double workMsMax, boolean acknowledged) {
    this.startingOf15 = startingOf15;
    this.openingOf15 = openingOf15;
    this.closingOf15 = closingOf15;
    this.workMsMax = workMsMax;
    this.acknowledged = acknowledged;
  }

  /// A moment: so long after the stage was entered, or after the first acknowledgement.
  public record Moment(Stage after, boolean acknowledged, Duration delay) {}

  /// Draws a moment.
  public Moment draw(RandomGenerator random) {
    int draw = random.nextInt(15);
    if (draw < startingOf15) {
      return moment(random, Stage.STARTING, false, STARTING_MS_MAX);
    }
    if (draw < startingOf15 + openingOf15) {
      return moment(random, Stage.OPENING, false, OPENING_MS_MAX);
    }
    if (draw < startingOf15 + openingOf15 + closingOf15) {
      return moment(random, Stage.CLOSING, false, CLOSING_MS_MAX);
    }
    return moment(random, Stage.WORKING, acknowledged && random.nextInt(4) != 0, workMsMax);
  }

  private static Moment moment(
      RandomGenerator random, Stage after, boolean acknowledged, double msMax) {
    return new Moment(
        after, acknowledged, Duration.ofNanos((long) (random.nextDouble() * msMax * 1e6)));
  }
}
