package io.holdfast.recovery.cli;

import io.holdfast.recovery.cli.Facts.Bytes;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// For people: names and values below each other, lists as tables with a head.
final class TableOutput implements Output {
  private static final String UNKNOWN = "-";

  @Override
  public void print(Facts facts, PrintWriter out) {
    write("", facts, out);
  }

  private static void write(String indent, Facts facts, PrintWriter out) {
    int width =
        facts.values().keySet().stream()
            .mapToInt(name -> Facts.spoken(name).length())
            .max()
            .orElse(0);
    for (Map.Entry<String, Object> each : facts.values().entrySet()) {
      String name = Facts.spoken(each.getKey());
      List<Facts> rows = Facts.rows(each.getValue());
      if (each.getValue() instanceof Facts inner) {
        out.println(indent + name);
        write(indent + "  ", inner, out);
      } else if (!rows.isEmpty()) {
        out.println();
        out.println(indent + name);
        table(indent + "  ", rows, out);
      } else {
        out.println(
            (indent + padded(name, width, false) + "  " + shown(each.getValue())).stripTrailing());
      }
    }
  }

  private static void table(String indent, List<Facts> rows, PrintWriter out) {
    List<String> names = new ArrayList<>(rows.getFirst().values().keySet());
    int[] widths = new int[names.size()];
    boolean[] right = new boolean[names.size()];
    for (int i = 0; i < widths.length; i++) {
      String name = names.get(i);
      widths[i] = Facts.spoken(name).length();
      for (Facts row : rows) {
        Object value = row.values().get(name);
        widths[i] = Math.max(widths[i], shown(value).length());
        right[i] |= value instanceof Number || value instanceof Bytes;
      }
    }
    StringBuilder head = new StringBuilder(indent);
    for (int i = 0; i < widths.length; i++) {
      head.append(padded(Facts.spoken(names.get(i)), widths[i], right[i])).append("  ");
    }
    out.println(head.toString().stripTrailing());
    for (Facts row : rows) {
      StringBuilder line = new StringBuilder(indent);
      for (int i = 0; i < widths.length; i++) {
        line.append(padded(shown(row.values().get(names.get(i))), widths[i], right[i]))
            .append("  ");
      }
      out.println(line.toString().stripTrailing());
    }
  }

  static String shown(Object value) {
    return switch (value) {
      case null -> UNKNOWN;
      case Boolean truth -> truth ? "yes" : "no";
      case Number number -> String.valueOf(number);
      case Duration duration -> spoken(duration);
      case List<?> list when list.isEmpty() -> "none";
      case List<?> list -> String.join(", ", list.stream().map(TableOutput::shown).toList());
      default -> Output.visible(value.toString());
    };
  }

  private static String spoken(Duration duration) {
    long nanos = duration.toNanos();
    if (nanos < 10_000_000) {
      return nanos / 1_000 + " µs";
    }
    return nanos < 10_000_000_000L
        ? nanos / 1_000_000 + " ms"
        : "%d:%02d:%02d"
            .formatted(duration.toHours(), duration.toMinutesPart(), duration.toSecondsPart());
  }

  private static String padded(String text, int width, boolean right) {
    String spaces = " ".repeat(Math.max(0, width - text.length()));
    return right ? spaces + text : text + spaces;
  }
}
