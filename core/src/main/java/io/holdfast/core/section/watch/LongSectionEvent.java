package io.holdfast.core.section.watch;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// The JFR event of a section that is open for longer than it should ({@link SectionWatch}).
@Name("io.holdfast.LongSection")
@Label("Long Section")
@Description("A section was open for longer than it should; nothing it did is durable meanwhile")
@Category("Holdfast")
@StackTrace(false)
final class LongSectionEvent extends Event {
  @Label("Region")
  String region;

  @Label("Section's Thread")
  Thread sectionThread;

  @Label("Open for at Least")
  @Timespan(Timespan.MILLISECONDS)
  long openMillis;

  @Label("Stack")
  @Description("Where its thread was")
  String stack;
}
