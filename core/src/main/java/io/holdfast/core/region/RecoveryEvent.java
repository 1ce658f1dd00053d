package io.holdfast.core.region;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// The JFR event of a region's opening after a crash.
@Name("io.holdfast.Recovery")
@Label("Region Recovery")
@Description("A region that had not been closed was taken back to its last consistent cut")
@Category("Holdfast")
@StackTrace(false)
final class RecoveryEvent extends Event {
  @Label("Region")
  String region;

  @Label("Logs Scanned")
  int logsScanned;

  @Label("Sections Kept")
  int sectionsKept;

  @Label("Sections Undone")
  int sectionsUndone;

  @Label("Entries Undone")
  long entriesUndone;
}
