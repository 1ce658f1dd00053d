package io.holdfast.testkit;

import io.holdfast.testkit.Interleavings.Step;
import java.util.List;

/// One order in which several threads took their steps.
///
/// @param number among all orders of these programs; the same as long as the programs are
/// @param turns what was done by whom, first to last. A {@link CrashPoint} counts these: with n
///   steps acknowledged, turn n is the one in flight, if there is one
/// @param <T> the store under test
public record Interleaving<T>(long number, List<Turn<T>> turns) {
  private static final int COLUMN = 24;

  /// A step, and the thread that took it.
  public record Turn<T>(String thread, Step<T> step) {}

  /// How many turns it begins with that another order begins with too.
  int turnsInCommon(Interleaving<T> other) {
    int common = 0;
    while (common < turns.size()
        && common < other.turns.size()
        && turns.get(common).equals(other.turns.get(common))) {
      common++;
    }
    return common;
  }

  /// A line for each turn, with a column for each thread.
  @Override
  public String toString() {
    List<String> threads = turns.stream().map(Turn::thread).distinct().sorted().toList();
    StringBuilder text = new StringBuilder("  turn");
    for (String thread : threads) {
      text.append("  ").append(thread).append(" ".repeat(Math.max(0, COLUMN - thread.length())));
    }
    for (int i = 0; i < turns.size(); i++) {
      String indent = " ".repeat((COLUMN + 2) * threads.indexOf(turns.get(i).thread));
      text.append("\n  %4d  %s%s".formatted(i, indent, turns.get(i).step.name()));
    }
    return text.toString();
  }
}
