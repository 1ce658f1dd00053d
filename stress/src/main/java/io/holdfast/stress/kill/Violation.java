package io.holdfast.stress.kill;

import java.util.Locale;

/// A promise that was not kept: what was expected and what was found.
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public Violation(String format, Object... arguments) {
    super(String.format(Locale.ROOT, format, arguments));
  }

  Violation(Throwable cause, String format, Object... arguments) {
    super(String.format(Locale.ROOT, format, arguments), cause);
  }

  /// @throws Violation unless the condition holds
  public static void unless(boolean holds, String format, Object... arguments) {
    if (!holds) {
      throw new Violation(format, arguments);
    }
  }
}
