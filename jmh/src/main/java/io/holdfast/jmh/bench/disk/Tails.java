package io.holdfast.jmh.bench.disk;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.HdrHistogram.Histogram;

/// How long updates took while a checkpoint was under way, and otherwise. A checkpoint tells of
/// itself when it has ended, by an event of the flight recorder; so updates are kept until then.
final class Tails {
  /// Of what there was none.
  static final String NONE = "none";

  private static final String CHECKPOINT = "io.holdfast.Checkpoint";

  private final RecordingStream events = new RecordingStream();
  private final Instant instant = Instant.now();
  private final long nanos = System.nanoTime();
  private final List<Tail> tails = new ArrayList<>();
  private final Histogram with = new Histogram(TimeUnit.MINUTES.toNanos(10), 3);
  private final Histogram without = new Histogram(TimeUnit.MINUTES.toNanos(10), 3);

  /// Ends of checkpoints by their beginnings.
  private final TreeMap<Long, Long> checkpoints = new TreeMap<>();

  private long bytes;
  private long stalledNanos;

  Tails() {
    events.enable(CHECKPOINT).withoutThreshold();
    events.onEvent(CHECKPOINT, this::note);
    events.startAsync();
  }

  private void note(RecordedEvent event) {
    checkpoints.put(nanos(event.getStartTime()), nanos(event.getEndTime()));
    bytes += event.getLong("bytes");
    stalledNanos += event.getDuration("stalledNanos").toNanos();
  }

  private long nanos(Instant at) {
    return nanos + Duration.between(instant, at).toNanos();
  }

  /// What one thread did.
  static final class Tail {
    private long[] times = new long[1 << 12];
    private int count;

    void add(long started, long ended) {
      if (count == times.length) {
        times = Arrays.copyOf(times, 2 * count);
      }
      times[count++] = started;
      times[count++] = ended;
    }
  }

  /// For a thread that begins.
  Tail add() {
    Tail tail = new Tail();
    tails.add(tail);
    return tail;
  }

  /// All threads have ended. What was before the first checkpoint, or behind the last one that has
  /// ended, is left out: there may have been one of which nothing was told.
  void end() {
    events.stop();
    if (checkpoints.isEmpty()) {
      return;
    }
    long first = checkpoints.firstKey();
    long end = checkpoints.lastEntry().getValue();
    for (Tail tail : tails) {
      for (int i = 0; i < tail.count; i += 2) {
        long started = tail.times[i];
        long ended = tail.times[i + 1];
        if (started >= first && ended <= end) {
          boolean isWith = checkpoints.floorEntry(ended).getValue() >= started;
          (isWith ? with : without).recordValue(ended - started);
        }
      }
    }
  }

  int checkpoints() {
    return checkpoints.size();
  }

  /// Of the pages that checkpoints wrote.
  long bytes() {
    return bytes;
  }

  long stalledMillis() {
    return stalledNanos / 1_000_000;
  }

  String with() {
    return tail(with);
  }

  String without() {
    return tail(without);
  }

  private static String tail(Histogram times) {
    return times.getTotalCount() == 0 ? NONE : String.valueOf(times.getValueAtPercentile(99.9));
  }
}
