package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import io.holdfast.core.RecoveryReport;
import java.nio.file.Path;
import java.util.function.Consumer;

/// How the parent opens a store after a kill.
public final class Reopening {
  /// Opens a store, lets something look at it, and closes it.
  ///
  /// @throws Violation if the look finds one, or if opening or looking fails in any other way: a
  ///   store that a kill left opens by itself (P7), so that is a finding and no accident
  public static RecoveryReport of(Path region, Consumer<Holdfast> look) {
    try (Holdfast store = Holdfast.open(region)) {
      look.accept(store);
      return store.recovery();
    } catch (Violation e) {
      throw e;
    } catch (RuntimeException | InternalError e) { // a page that is missing is an InternalError
      throw new Violation(e, "P7 opens: what a kill left can't be opened and read: %s", e);
    }
  }

  private Reopening() {}
}
