package io.holdfast.recovery.cli;

import io.holdfast.recovery.cli.Facts.Bytes;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/// A line for each value: where it is, a tab, the value; for `grep`, `cut` and `awk`. Sizes are
/// numbers of bytes, what is not known is empty.
final class PlainOutput implements Output {
  @Override
  public void print(Facts facts, PrintWriter out) {
    write("", facts, out);
  }

  private static void write(String at, Object value, PrintWriter out) {
    switch (value) {
      case null -> out.println(at + "\t");
      case Facts facts -> {
        for (Map.Entry<String, Object> each : facts.values().entrySet()) {
          write(at.isEmpty() ? each.getKey() : at + "." + each.getKey(), each.getValue(), out);
        }
      }
      case List<?> list -> {
        for (int i = 0; i < list.size(); i++) {
          write(at + "[" + i + "]", list.get(i), out);
        }
      }
      case Bytes(long count) -> out.println(at + "\t" + count);
      default -> out.println(at + "\t" + escaped(value.toString()));
    }
  }

  private static String escaped(String text) {
    return Output.visible(text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n"));
  }
}
