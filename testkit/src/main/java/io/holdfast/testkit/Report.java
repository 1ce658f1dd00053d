package io.holdfast.testkit;

import io.holdfast.core.Durability;
import io.holdfast.testkit.Event.Kind;
import io.holdfast.testkit.Search.Failure;
import java.util.Arrays;
import java.util.List;

/// Tells of a failing image: what was on media, what was early or lost, and who stored it.
final class Report {
  private static final int BEFORE = 6, TOLD = 20, OVERTAKEN = 12;

  private final StringBuilder text = new StringBuilder();

  void head(String name, Durability durability, Failure found, long seed, int images) {
    String failed = durability == Durability.PROCESS_CRASH ? "a crash" : "a loss of power";
    line("%s: %s is not survived: %s".formatted(name, failed, found.point));
    line("  " + found.getCause());
    line(
        "  reproduce: seed=%d (-Dholdfast.explorer.seed), path=%s, after %d images"
            .formatted(seed, found.path, images));
  }

  Report line(String line) {
    text.append(line).append('\n');
    return this;
  }

  void crash(String what, List<Event> events, Cut cut) {
    line(
        "  %s after event %d of %d%s:"
            .formatted(
                what,
                cut.prefix(),
                events.size(),
                cut.partialLength() < 0
                    ? ""
                    : ", in a growth, at a length of %d bytes".formatted(cut.partialLength())));
    for (int i = Math.max(0, cut.prefix() - BEFORE); i < cut.prefix(); i++) {
      if (Arrays.binarySearch(cut.lost(), i) < 0) {
        event("done", i, i < cut.prefix() - 2 ? events.get(i).toString() : show(events, i));
      }
    }
    told("lost", events, cut.lost());
    told("early", events, cut.early());
    if (cut.lost().length == 0) {
      missing(events, cut);
    }
  }

  private void told(String state, List<Event> events, int[] stores) {
    for (int i = 0; i < Math.min(stores.length, TOLD); i++) {
      event(state, stores[i], show(events, stores[i]));
      if (state.equals("lost")) {
        line("        " + whyLost(events, stores[i]));
      }
    }
    if (stores.length > TOLD) {
      line("      and %d more %s stores".formatted(stores.length - TOLD, state));
    }
  }

  /// What would have made a store durable, and was not there.
  private static String whyLost(List<Event> events, int store) {
    for (int i = store + 1; i < events.size(); i++) {
      Event event = events.get(i);
      boolean covers =
          event.kind() == Kind.FLUSH
              && event.at() <= events.get(store).line()
              && events.get(store).line() < event.after();
      if (covers) {
        return fenced(events, i);
      }
    }
    return "its line is never flushed after it";
  }

  private static String fenced(List<Event> events, int flush) {
    for (int i = flush + 1; i < events.size(); i++) {
      Event event = events.get(i);
      if (event.kind() == Kind.FENCE && event.what().equals(events.get(flush).what())) {
        return "flushed at #%d, fenced at #%d".formatted(flush, i);
      }
    }
    return "flushed at #%d, never fenced".formatted(flush);
  }

  /// The stores that the early ones overtook, or the next ones.
  private void missing(List<Event> events, Cut cut) {
    int[] early = cut.early();
    int end =
        early.length == 0 ? Math.min(cut.prefix() + 3, events.size()) : early[early.length - 1];
    int shown = 0;
    for (int i = cut.prefix(); i < end && shown < OVERTAKEN; i++) {
      if (Arrays.binarySearch(early, i) < 0) {
        event("missing", i, show(events, i));
        shown++;
      }
    }
  }

  private static String show(List<Event> events, int index) {
    return events.get(index).withTrace();
  }

  private void event(String state, int index, String event) {
    line("    %-8s #%d %s".formatted(state, index, event));
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
