package io.holdfast.core.persistence;

import io.holdfast.core.PersistenceCounts;
import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/// What a region's domain has counted so far, once in a while.
@Name("io.holdfast.Persistence")
@Label("Persistence")
@Description("How often a region made its data durable since it was opened, and how much")
@Category("Holdfast")
@Period("1 s")
@StackTrace(false)
public final class PersistenceEvent extends Event {
  @Label("Region")
  String region;

  @Label("Domain")
  String domain;

  @Label("Flushes")
  long flushes;

  @Label("Fences")
  long fences;

  @Label("Lines Written Back")
  long lines;

  @Label("Bytes Flushed")
  @DataAmount
  long bytes;

  /// Reports a region from now on.
  ///
  /// @return ends it
  public static Runnable report(Path region, PersistenceDomain domain) {
    Runnable hook = () -> commit(region, domain);
    FlightRecorder.addPeriodicEvent(PersistenceEvent.class, hook);
    return () -> FlightRecorder.removePeriodicEvent(hook);
  }

  private static void commit(Path region, PersistenceDomain domain) {
    PersistenceEvent event = new PersistenceEvent();
    PersistenceCounts counts = domain.counts();
    event.region = region.toString();
    event.domain = domain.toString();
    event.flushes = counts.flushes();
    event.fences = counts.fences();
    event.lines = counts.lines();
    event.bytes = counts.bytes();
    event.commit();
  }
}
