package io.holdfast.recovery.cli;

import io.holdfast.StoreMXBean;
import io.holdfast.recovery.LiveStore;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import picocli.CommandLine.Option;

/// A command on a store in use, which shows something again and again.
abstract class LiveCommand extends FactsCommand {
  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "the time between two looks (default: ${DEFAULT-VALUE})")
  private double interval;

  @Option(names = "--count", paramLabel = "N", description = "ends after N looks (default: 1)")
  private Long count;

  /// Shows what happened between two looks.
  ///
  /// @param before `null` at the first look
  abstract void show(Look before, Look now);

  /// Looks once.
  abstract Look look(StoreMXBean bean) throws InterruptedException;

  /// What was seen at a time.
  interface Look {
    long nanos();
  }

  /// How many looks there are if it is not said, beside the first.
  abstract long defaultCount();

  final double intervalSeconds() {
    return interval;
  }

  @Override
  final ExitCode run() throws IOException, InterruptedException {
    if (!(interval > 0)) {
      throw new Refusal(
          ExitCode.USAGE,
          "--interval must be more than 0: " + interval,
          "holdfast %s --help".formatted(name()));
    }
    checkRange("--count", count, 0, Long.MAX_VALUE);
    try (LiveStore store = reach(name())) {
      Look before = look(store.bean());
      show(null, before);
      long looks = count != null ? count : defaultCount();
      for (long i = 0; i < looks && !out().checkError(); i++) {
        Thread.sleep((long) (interval * 1_000));
        Look now = look(store.bean());
        show(before, now);
        before = now;
      }
      return ExitCode.SOUND;
    } catch (UndeclaredThrowableException e) {
      remark("the store was closed, or its process ended");
      return ExitCode.SOUND;
    }
  }
}
