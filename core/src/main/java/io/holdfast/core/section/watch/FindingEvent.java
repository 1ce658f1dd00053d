package io.holdfast.core.section.watch;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/// The JFR event of something that woven code did and that is likely wrong ({@link Findings}), with
/// its stack; once for each place.
@Name("io.holdfast.Finding")
@Label("Finding in Woven Code")
@Description("Woven code did something that is likely wrong")
@Category("Holdfast")
final class FindingEvent extends Event {
  @Label("Kind")
  String kind;

  @Label("What")
  String what;
}
