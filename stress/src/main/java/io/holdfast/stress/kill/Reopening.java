package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import io.holdfast.core.RecoveryReport;
import java.nio.file.Path;
import java.util.function.Consumer;

/// How the parent found a store after a kill.
///
/// @param report what recovery did
public record Reopening(RecoveryReport report) {
  /// Opens a store, lets something look at it, and closes it.
  public static Reopening of(Path region, Consumer<Holdfast> check) {
    try (Holdfast store = Holdfast.open(region)) {
      check.accept(store);
      return new Reopening(store.recovery());
    }
  }
}
