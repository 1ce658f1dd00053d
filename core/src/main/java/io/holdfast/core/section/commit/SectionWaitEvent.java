package io.holdfast.core.section.commit;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/// The JFR event of a section that ended and waited for others, from its end to its being durable.
@Name("io.holdfast.SectionWait")
@Label("Wait for Uncommitted Releases")
@Description("A section that ended had to wait until the sections it depends on had ended")
@Category("Holdfast")
@Threshold("20 ms")
@StackTrace(false)
final class SectionWaitEvent extends Event {
  @Label("Region")
  String region;

  @Label("Section's Thread")
  Thread sectionThread;

  @Label("Dependencies")
  int dependencies;
}
