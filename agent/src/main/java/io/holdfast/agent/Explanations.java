package io.holdfast.agent;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Where the agent says what it wove, method by method, as classes are loaded: a file, or standard
/// error. Not the program's logging, which may be among the classes that are being loaded.
///
/// Thread-safe; each explanation is written whole, at once.
final class Explanations {
  /// In place of a file's name.
  static final String STANDARD_ERROR = "-";

  private final String name;
  private final OutputStream out;
  private boolean failed;

  private Explanations(String name, OutputStream out) {
    this.name = name;
    this.out = out;
  }

  /// @param name of a file, which is begun anew, or {@link #STANDARD_ERROR}
  /// @throws IllegalArgumentException if it can't be written
  static Explanations writtenTo(String name) {
    if (name.equals(STANDARD_ERROR)) {
      return new Explanations(name, System.err);
    }
    try {
      return new Explanations(
          name,
          Files.newOutputStream(
              Path.of(name),
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE));
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "explain=%s: the file can't be written: %s. Name another one, or - for standard error"
              .formatted(name, e),
          e);
    }
  }

  /// Never throws: a program does not stop because its explanation has no room. That is said once.
  synchronized void write(String explanation) {
    if (failed) {
      return;
    }
    try {
      out.write(explanation.getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      failed = true;
      System.err.println(
          "holdfast-agent: explain=" + name + " can't be written any more, the rest is lost: " + e);
    }
  }
}
