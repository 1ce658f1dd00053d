package io.holdfast.core.section;

import io.holdfast.core.PersistenceCounts;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// The JFR event of a section that stored something, from its first store to its end. Off unless a
/// recording asks for it, as by `+io.holdfast.Section#enabled=true`; then it costs nothing.
@Name("io.holdfast.Section")
@Label("Failure-Atomic Section")
@Description("A section that stored something in a region, from its first store to its end")
@Category("Holdfast")
@Enabled(false)
@StackTrace(false)
final class SectionEvent extends Event {
  @Label("Region")
  String region;

  @Label("Lock Class")
  @Description(
      "Class of the lock that ended the section when it was released; none of a section without a"
          + " lock")
  Class<?> lockClass;

  @Label("Stores")
  @Description(
      "Stores of words, ranges and bits; sections of a single word that take no log have no event")
  int stores;

  @Label("Log Bytes")
  @DataAmount
  long logBytes;

  @Label("Flushes")
  long flushes;

  @Label("Fences")
  long fences;

  @Label("Dependencies")
  @Description("Other sections, not durable at the time, that this one is durable only with")
  int dependencies;

  @Label("Waits")
  @Description("Whether it was not durable yet at its end")
  boolean waits;

  /// At the beginning, what is subtracted at the end.
  transient PersistenceCounts countsBefore;

  transient long logBefore;
}
