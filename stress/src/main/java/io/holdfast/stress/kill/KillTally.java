package io.holdfast.stress.kill;

import io.holdfast.core.RecoveryReport;
import io.holdfast.core.RecoveryReport.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// What the kills of a loop struck, and how the store was found afterwards.
public final class KillTally {
  private final Map<Strike, Integer> strikes = new EnumMap<>(Strike.class);
  private final Map<Ending, Integer> endings = new EnumMap<>(Ending.class);
  private final List<Duration> recoveries = new ArrayList<>();
  private int checks;
  private long acknowledgements;
  private long sectionsUndone;
  private long sectionsKept;

  void struck(Kill kill) {
    acknowledgements += kill.acknowledged();
    endings.merge(kill.ending(), 1, Integer::sum);
    strikes.merge(kill.strike(), 1, Integer::sum);
  }

  /// Counts a reopening that was checked and found right.
  void reopened(RecoveryReport found) {
    checks++;
    sectionsUndone += found.sectionsUndone();
    sectionsKept += found.sectionsKept();
    if (found.outcome() == Outcome.RECOVERED) {
      recoveries.add(found.duration());
    }
  }

  /// Kills by what they struck.
  public int kills(Strike strike) {
    return strikes.getOrDefault(strike, 0);
  }

  /// Kills by what they were.
  public int kills(Ending ending) {
    return endings.getOrDefault(ending, 0);
  }

  /// All kills.
  public int kills() {
    return strikes.values().stream().mapToInt(Integer::intValue).sum();
  }

  /// How often the workers have acknowledged something: a loop in which they seldom did shows
  /// little.
  public long acknowledgements() {
    return acknowledgements;
  }

  /// How often the store was opened and compared with the model.
  public int checks() {
    return checks;
  }

  /// Sections that recoveries in the parent undid.
  public long sectionsUndone() {
    return sectionsUndone;
  }

  /// Sections that had ended, were waiting for others, and were kept.
  public long sectionsKept() {
    return sectionsKept;
  }

  /// How many recoveries there were in the parent.
  public int recoveries() {
    return recoveries.size();
  }

  /// Zero if there was none.
  public Duration recoveryMedian() {
    return recoveries.isEmpty()
        ? Duration.ZERO
        : recoveries.stream().sorted().skip(recoveries.size() / 2).findFirst().orElseThrow();
  }

  /// Zero if there was none.
  public Duration recoveryMax() {
    return recoveries.isEmpty() ? Duration.ZERO : Collections.max(recoveries);
  }
}
