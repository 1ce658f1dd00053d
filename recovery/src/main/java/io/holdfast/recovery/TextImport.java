package io.holdfast.recovery;

import io.holdfast.core.RegionFormatException;
import io.holdfast.core.memory.PrivateThread;
import io.holdfast.recovery.RootReader.Element;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/// Makes a region of what {@link TextExport} wrote, in this version or an earlier one.
///
/// What is imported is compared with the counts and sums that the text has, and a text without its
/// end is refused: the new region has all or is not there (BUILD-1).
public final class TextImport {
  private static final int AT_A_TIME = 1_000;
  private static final byte[] NO_KEY = new byte[0];

  private final TextLines lines;
  private final RegionBuilder builder;
  private final Progress.Task task;
  private long entries;

  private TextImport(TextLines lines, RegionBuilder builder, Progress.Task task) {
    this.lines = lines;
    this.builder = builder;
    this.task = task;
  }

  /// Imports a region.
  ///
  /// @param in is read by a thread of the import's own: the caller must not hold a lock of it
  /// @param file is made, for its owner alone: how private the text's origin was nobody knows
  /// @param loader of the classes that sorted maps have as keys; `null` for the JDK's alone
  /// @return how many entries were read
  /// @throws RegionFormatException naming the line, if the text is none that was exported, or not
  ///   all of it
  /// @throws io.holdfast.core.RegionAccessException if the file exists, or the system refuses
  /// @throws io.holdfast.core.RegionFullException if the device has no room
  /// @throws IOException if the text can't be read
  public static long read(BufferedReader in, Path file, ClassLoader loader, Progress progress)
      throws IOException {
    return PrivateThread.call("holdfast-import", () -> make(in, file, loader, progress));
  }

  private static long make(BufferedReader in, Path file, ClassLoader loader, Progress progress)
      throws IOException {
    try (RegionBuilder builder = new RegionBuilder(file, null, loader);
        Progress.Task task = progress.begin("import", -1, "entries")) {
      TextImport reading = new TextImport(new TextLines(in, TextLines.lengthMax()), builder, task);
      reading.read();
      builder.finish();
      return reading.entries;
    }
  }

  private void read() throws IOException {
    Map<String, Object> first = line();
    if (!"export".equals(first.get("holdfast"))) {
      throw refused("its first line is none of an export");
    }
    if (number(first, "version") > TextExport.VERSION) {
      throw refused(
          "it was written by a newer version: version=%d, supported=%d"
              .formatted(number(first, "version"), TextExport.VERSION));
    }
    long roots = 0;
    Map<String, Object> next = line();
    for (; next.containsKey("root"); next = line()) {
      root(next);
      roots++;
    }
    if (!"end".equals(next.get("holdfast")) || number(next, "roots") != roots) {
      throw refused("roots read=%d, and this is no end of them".formatted(roots));
    }
  }

  private void root(Map<String, Object> root) throws IOException {
    RegionBuilder.Sink sink =
        builder.add(
            text(root, "root"), text(root, "kind"), text(root, "codec"), number(root, "created"));
    ElementSum sum = new ElementSum();
    List<Element> elements = new ArrayList<>();
    Map<String, Object> next = line();
    for (; next.containsKey("v"); next = line()) {
      Element element =
          new Element(next.containsKey("k") ? bytes(next, "k") : NO_KEY, bytes(next, "v"));
      sum.add(element);
      elements.add(element);
      if (elements.size() == AT_A_TIME) {
        sink.add(elements);
        elements = new ArrayList<>();
        task.advance(AT_A_TIME);
      }
    }
    sink.add(elements);
    task.advance(elements.size());
    entries += sum.count();
    if (!text(root, "root").equals(next.get("end"))) {
      throw refused("no end of the root " + text(root, "root"));
    }
    if (number(next, "entries") != sum.count() || number(next, "crc32c") != sum.value()) {
      throw refused(
          "entries of the root %s were lost or changed: found=%d, sum=%d, expected=%s, sum=%s"
              .formatted(
                  text(root, "root"),
                  sum.count(),
                  sum.value(),
                  next.get("entries"),
                  next.get("crc32c")));
    }
  }

  private Map<String, Object> line() throws IOException {
    try {
      String text = lines.next();
      if (text == null) {
        throw refused("it ends here: it was cut off");
      }
      return JsonLine.parse(text);
    } catch (IllegalArgumentException e) {
      throw refused(e.getMessage());
    }
  }

  private String text(Map<String, Object> line, String name) {
    if (line.get(name) instanceof String text) {
      return text;
    }
    throw refused("no text \"%s\"".formatted(name));
  }

  private long number(Map<String, Object> line, String name) {
    if (line.get(name) instanceof Long number) {
      return number;
    }
    throw refused("no number \"%s\"".formatted(name));
  }

  private byte[] bytes(Map<String, Object> line, String name) {
    try {
      return Base64.getDecoder().decode(text(line, name));
    } catch (IllegalArgumentException e) {
      throw refused("no Base64 in \"%s\": %s".formatted(name, e.getMessage()));
    }
  }

  private RegionFormatException refused(String why) {
    return new RegionFormatException(
        "the text can't be imported: line %d: %s. Nothing was made; export it again"
            .formatted(lines.number(), why));
  }
}
