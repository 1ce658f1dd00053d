package io.holdfast.core.explorer;

import java.util.Arrays;
import java.util.List;

/// Prints a cut: the last events before the crash, the stores that were early, and those that they
/// overtook.
final class Report {
  private static final int BEFORE = 6, EARLY = 20, OVERTAKEN = 12;

  static void append(StringBuilder text, List<Event> events, Cut cut) {
    text.append("after event %d of %d".formatted(cut.prefix(), events.size()));
    if (cut.partialLength() >= 0) {
      text.append(", in a growth, at a length of %d bytes".formatted(cut.partialLength()));
    }
    text.append(":%n".formatted());
    for (int i = Math.max(0, cut.prefix() - BEFORE); i < cut.prefix(); i++) {
      line(text, "done", i, i < cut.prefix() - 2 ? events.get(i).toString() : show(events, i));
    }
    int[] early = cut.early();
    for (int i = 0; i < Math.min(early.length, EARLY); i++) {
      line(text, "early", early[i], show(events, early[i]));
    }
    if (early.length > EARLY) {
      text.append("      and %d more early stores%n".formatted(early.length - EARLY));
    }
    int end =
        early.length == 0 ? Math.min(cut.prefix() + 3, events.size()) : early[early.length - 1];
    int shown = 0;
    for (int i = cut.prefix(); i < end && shown < OVERTAKEN; i++) {
      if (Arrays.binarySearch(early, i) < 0) {
        line(text, "missing", i, show(events, i));
        shown++;
      }
    }
  }

  private static String show(List<Event> events, int index) {
    return events.get(index).withTrace();
  }

  private static void line(StringBuilder text, String state, int index, String event) {
    text.append("    %-8s #%d %s%n".formatted(state, index, event));
  }

  private Report() {}
}
