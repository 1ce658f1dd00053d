package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import io.holdfast.core.RecoveryReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/// How the parent found a store after a kill.
///
/// @param report what recovery did
/// @param open from the call of `Holdfast.open` to its return
public record Reopening(RecoveryReport report, Duration open) {
  /// Opens a store, lets something look at it, and closes it.
  public static Reopening of(Path region, Consumer<Holdfast> check) {
    long start = System.nanoTime();
    try (Holdfast store = Holdfast.open(region)) {
      Duration open = Duration.ofNanos(System.nanoTime() - start);
      check.accept(store);
      return new Reopening(store.recovery(), open);
    }
  }
}
