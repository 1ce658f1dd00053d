package io.holdfast.stress.faults;

/// What became of one fault.
///
/// @param test that noticed it; `null` if none did
/// @param tried how many tests were run, this one included; 0 if none reaches the site
/// @param millis that they took together
/// @param why that test failed
public record Outcome(Site site, String test, int tried, long millis, String why) {
  public boolean isNoticed() {
    return test != null;
  }

  /// A line of a table, with tabs.
  public String toLine() {
    return "%s\t%s\t%d\t%d\t%s"
        .formatted(site, isNoticed() ? test : "-", tried, millis, isNoticed() ? why : "");
  }
}
