package io.holdfast.recovery;

import java.io.IOException;
import java.io.Reader;

/// The lines of a text, none of which may be longer than can be held: a file without line ends,
/// which is no export, would fill the heap.
///
/// Confined to a thread.
final class TextLines {
  private final Reader in;
  private final int lengthMax;
  private final char[] chars = new char[1 << 13];
  private int at;
  private int end;
  private boolean isBehindReturn;
  private long number;

  /// @param lengthMax of a line, in chars
  TextLines(Reader in, int lengthMax) {
    this.in = in;
    this.lengthMax = lengthMax;
  }

  /// How long a line may be that this process can hold: while it is read there are its chars once
  /// and, growing, twice more, its Base64 text, and the bytes of that, all of a byte a char. That
  /// is under six bytes a char; an eighth of the heap leaves room for the rest.
  static int lengthMax() {
    return (int) Math.min(Runtime.getRuntime().maxMemory() / 8, Integer.MAX_VALUE - 8);
  }

  /// The number of the line that was read last, from 1 on.
  long number() {
    return number;
  }

  /// The next line without its end.
  ///
  /// @return `null` after the last
  /// @throws IllegalArgumentException if it is too long
  String next() throws IOException {
    number++;
    StringBuilder line = new StringBuilder();
    boolean isEmpty = true;
    while (at < end || fill()) {
      if (isBehindReturn) {
        isBehindReturn = false;
        if (chars[at] == '\n') {
          at++; // of the end of the line before
          continue;
        }
      }
      isEmpty = false;
      int from = at;
      while (at < end && chars[at] != '\n' && chars[at] != '\r') {
        at++;
      }
      append(line, from);
      if (at < end) {
        isBehindReturn = chars[at++] == '\r';
        return line.toString();
      }
    }
    return isEmpty ? null : line.toString();
  }

  private void append(StringBuilder line, int from) {
    if (at - from > lengthMax - line.length()) {
      throw new IllegalArgumentException(
          "longer than this process can hold: found=%d characters or more, max=%d, an eighth of the heap; if the text is an export, give the process a larger heap by -Xmx"
              .formatted((long) line.length() + at - from, lengthMax));
    }
    line.append(chars, from, at - from);
  }

  /// @return false at the text's end
  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(chars));
    return end > 0;
  }
}
