package io.holdfast.testkit;

import io.holdfast.core.Durability;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/// Which sets of stores a failure can leave on media together. Pure.
interface FailureModel {
  static FailureModel of(Durability durability) {
    return switch (durability) {
      case PROCESS_CRASH -> new ProcessCrash();
      case POWER_FAILURE -> new PowerFailure();
    };
  }

  /// Whether flushes and fences mean anything.
  boolean heedsFlushes();

  /// Calls a consumer with each set, in the order of their prefixes.
  ///
  /// @return whether these were all
  boolean forEachCut(List<Event> events, Bounds bounds, Random random, Consumer<Cut> consumer);

  /// Whether a set is one that the failure can leave.
  boolean isPossible(List<Event> events, Cut cut);

  /// Lengths of a file that grew in part: nothing but zeros, that the header does not know of.
  static SortedSet<Long> partialLengths(Event growth) {
    long page = 4096;
    long before = growth.at();
    long after = growth.after();
    long middle = (before + after) / 2 / page * page;
    SortedSet<Long> lengths =
        new TreeSet<>(
            List.of((before / page + 1) * page, middle, middle + 100, (after - 1) / page * page));
    lengths.removeIf(length -> length <= before || length >= after);
    return lengths;
  }
}
