package io.holdfast.core.explorer;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Keeps the recoveries of a class's tests from telling what they found: there are thousands.
public final class QuietRecoveries implements BeforeAllCallback, AfterAllCallback {
  private static final Logger RECOVERIES = Logger.getLogger("io.holdfast");

  @Override
  public void beforeAll(ExtensionContext context) {
    RECOVERIES.setLevel(Level.WARNING);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    RECOVERIES.setLevel(null);
  }
}
