package io.holdfast.core.log;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/// The JFR event of a log that outgrew its space, or of sections that outnumbered the logs.
@Name("io.holdfast.LogGrowth")
@Label("Log Growth")
@Description(
    "A section's log took more space, or more sections were open at once than there were logs")
@Category("Holdfast")
final class LogGrowthEvent extends Event {
  @Label("Region")
  private final String region;

  @Label("Log")
  @Description("Number of the log; -1 if it is further logs that were made")
  private final int slot;

  @Label("Added")
  @DataAmount
  private final long bytes;

  LogGrowthEvent(String region, int slot, long bytes) {
    this.region = region;
    this.slot = slot;
    this.bytes = bytes;
  }
}
