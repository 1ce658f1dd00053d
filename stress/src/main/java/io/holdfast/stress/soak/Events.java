package io.holdfast.stress.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/// What Holdfast tells Java Flight Recorder of some work: how many events of each kind, and how
/// long they took.
///
/// The work is that of one thread, so that as many moves are as many events; how long one takes the
/// machine decides too, which is why medians are compared, and only what is far off is called a
/// drift.
///
/// @param byName tallies by the events' names
public record Events(Map<String, Tally> byName) {
  /// Those that each region's work tells of; what is reported periodically, or once, is left out.
  private static final List<String> NAMES =
      List.of("io.holdfast.Section", "io.holdfast.SectionWait", "io.holdfast.LogGrowth");

  private static final double COUNT_DRIFT = 1.5;
  private static final long COUNT_SLACK = 50;
  private static final double DURATION_DRIFT = 4;
  private static final Duration DURATION_SLACK = Duration.ofNanos(20_000);

  /// @param count of events
  /// @param median of their durations
  public record Tally(long count, Duration median) {
    private static final Tally NONE = new Tally(0, Duration.ZERO);

    private static Tally of(List<RecordedEvent> events) {
      List<Duration> durations = events.stream().map(RecordedEvent::getDuration).sorted().toList();
      return new Tally(durations.size(), durations.get(durations.size() / 2));
    }
  }

  /// Records what some work makes Holdfast tell.
  ///
  /// @param file for the recording; it is deleted
  public static Events of(Path file, Runnable work) {
    try (Recording recording = new Recording()) {
      NAMES.forEach(
          name -> recording.enable(name).withThreshold(Duration.ZERO).withoutStackTrace());
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
      Map<String, List<RecordedEvent>> byName =
          RecordingFile.readAllEvents(file).stream()
              .filter(event -> NAMES.contains(event.getEventType().getName()))
              .collect(Collectors.groupingBy(event -> event.getEventType().getName()));
      Files.delete(file);
      Map<String, Tally> tallies = new TreeMap<>();
      byName.forEach((name, events) -> tallies.put(name, Tally.of(events)));
      return new Events(tallies);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What differs between earlier rounds and later ones of the same work.
  ///
  /// @return empty if nothing does
  public static String drift(List<Events> earlier, List<Events> later) {
    for (String name : NAMES) {
      Tally before = median(name, earlier);
      Tally after = median(name, later);
      if (after.count > before.count * COUNT_DRIFT + COUNT_SLACK) {
        return "%s: more events: first third=%d, last third=%d"
            .formatted(name, before.count, after.count);
      }
      double nanos = before.median.toNanos() * DURATION_DRIFT + DURATION_SLACK.toNanos();
      if (after.median.toNanos() > nanos) {
        return "%s: longer events: first third=%s, last third=%s"
            .formatted(name, before.median, after.median);
      }
    }
    return "";
  }

  private static Tally median(String name, List<Events> rounds) {
    List<Tally> tallies =
        rounds.stream().map(round -> round.byName.getOrDefault(name, Tally.NONE)).toList();
    int middle = tallies.size() / 2;
    return new Tally(
        tallies.stream().map(Tally::count).sorted().toList().get(middle),
        tallies.stream().map(Tally::median).sorted().toList().get(middle));
  }

  @Override
  public String toString() {
    return byName.entrySet().stream()
        .map(
            each ->
                "%s %d of %.1f µs"
                    .formatted(
                        each.getKey().substring("io.holdfast.".length()),
                        each.getValue().count(),
                        each.getValue().median().toNanos() / 1e3))
        .collect(Collectors.joining(", "));
  }
}
