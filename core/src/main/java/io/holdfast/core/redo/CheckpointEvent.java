package io.holdfast.core.redo;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// A checkpoint of a region on a disk.
@Name("io.holdfast.Checkpoint")
@Label("Checkpoint")
@Category("Holdfast")
@Description("What a region's log had was written to the region's file")
@StackTrace(false)
final class CheckpointEvent extends Event {
  @Label("Log")
  String log;

  @Label("Bytes")
  @Description("Of the pages that were written")
  @DataAmount
  long bytes;

  @Label("Stalled")
  @Description("How long the log was full, so that all who changed something waited")
  @Timespan(Timespan.NANOSECONDS)
  long stalledNanos;

  @Label("Held")
  @Description("How long stores waited while memory of the image was given back")
  @Timespan(Timespan.NANOSECONDS)
  long heldNanos;
}
