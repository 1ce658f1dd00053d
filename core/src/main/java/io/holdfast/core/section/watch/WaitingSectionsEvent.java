package io.holdfast.core.section.watch;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// The JFR event of sections that have waited for more than a second ({@link WaitingWatch}).
@Name("io.holdfast.WaitingSections")
@Label("Waiting Sections")
@Description("Sections have ended and wait for an open one; they are not durable meanwhile")
@Category("Holdfast")
@StackTrace(false)
final class WaitingSectionsEvent extends Event {
  @Label("Region")
  String region;

  @Label("Sections")
  long sections;

  @Label("Longest Wait")
  @Timespan(Timespan.MILLISECONDS)
  long longestMillis;

  @Label("Blocking Thread")
  @Description("The thread whose open section most of them wait for")
  Thread blocker;

  @Label("Blocking Lock")
  @Description("The class of the first lock that this thread holds, if it is known")
  String blockerLock;

  @Label("Waiting for It")
  @Description("How many of the oldest 5,000 wait for this section")
  long waiters;

  @Label("Stack")
  @Description("Where the blocking thread was")
  String stack;
}
