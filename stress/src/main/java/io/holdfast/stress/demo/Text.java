package io.holdfast.stress.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/// The lines of a text file, which are fed round and round. UTF-8; what is not is taken byte for
/// byte as ISO 8859-1, so that nothing is replaced.
final class Text {
  /// Parent and worker hold the file in their heaps.
  private static final int BYTES_MAX = 16 << 20;

  private static final String LICENSE = "LICENSE";

  private final String name;
  private final byte[] bytes;
  private final List<String> lines;

  private Text(String name, byte[] bytes, List<String> lines) {
    this.name = name;
    this.bytes = bytes;
    this.lines = lines;
  }

  /// @throws IllegalArgumentException if the file can't be read, has no line, or is too long
  static Text of(Path file) {
    try {
      if (Files.isDirectory(file)) {
        throw new IllegalArgumentException(file + ": a directory. Name a text file");
      }
      return of(file.toString(), read(file));
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(
          file + ": no such file. Name a text file, or none for Holdfast's own license", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "%s: can't be read: %s. Name a file that can".formatted(file, e), e);
    }
  }

  /// Does not ask for the length before: a pipe has none.
  private static byte[] read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(BYTES_MAX + 1);
      if (bytes.length > BYTES_MAX) {
        throw new IllegalArgumentException(
            "%s: too long for this demo: max=%d bytes. Name a shorter file"
                .formatted(file, BYTES_MAX));
      }
      return bytes;
    }
  }

  /// The text of Holdfast's license.
  static Text ofLicense() {
    try (InputStream in = Text.class.getResourceAsStream(LICENSE)) {
      return of("the Apache License", in.readAllBytes());
    } catch (IOException e) {
      throw new IllegalStateException("the jar is damaged: resource=" + LICENSE, e);
    }
  }

  private static Text of(String name, byte[] bytes) {
    List<String> lines = new String(bytes, charsetOf(bytes)).lines().toList();
    if (lines.isEmpty()) {
      throw new IllegalArgumentException(name + ": has no line. Name a file that has some");
    }
    return new Text(name, bytes, lines);
  }

  private static Charset charsetOf(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return StandardCharsets.UTF_8;
    } catch (CharacterCodingException _) {
      return StandardCharsets.ISO_8859_1;
    }
  }

  /// What it is called in messages.
  String name() {
    return name;
  }

  /// Writes the text to a file as it was read.
  void copyTo(Path file) {
    try {
      Files.write(file, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("the text can't be copied for the workers", e);
    }
  }

  /// How many lines one round has.
  int lines() {
    return lines.size();
  }

  /// The line that is fed after so many others.
  Line line(long number) {
    return new Line(number, lines.get((int) (number % lines.size())));
  }
}
