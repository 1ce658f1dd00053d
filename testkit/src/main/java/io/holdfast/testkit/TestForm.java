package io.holdfast.testkit;

/// The two forms that tests have: a short one, in which each still notices the deliberate faults
/// that it is there for, and a thorough one (`mvn -Pthorough verify`, or
/// `-Dholdfast.thorough=true`).
///
/// A test learns its form here alone: `.ci/run` runs classes that do not refer to this one, nor to
/// any that does, in the short form only.
public final class TestForm {
  private static final boolean THOROUGH = Boolean.getBoolean("holdfast.thorough");

  private TestForm() {}

  public static boolean isThorough() {
    return THOROUGH;
  }

  /// How often something is done, how many are looked at.
  public static int count(int inShortForm, int inThoroughForm) {
    return THOROUGH ? inThoroughForm : inShortForm;
  }
}
