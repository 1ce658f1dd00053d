package io.holdfast.recovery;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/// A line of JSON: an object whose values are texts and whole numbers, no more. Written here, so
/// that the library needs nothing but the JDK.
final class JsonLine {
  private final String text;
  private int at;

  private JsonLine(String text) {
    this.text = text;
  }

  /// @throws IllegalArgumentException saying what is wrong, and at which character
  static Map<String, Object> parse(String line) {
    return new JsonLine(line).object();
  }

  private SequencedMap<String, Object> object() {
    SequencedMap<String, Object> values = new LinkedHashMap<>();
    expect('{');
    while (peek() != '}') {
      if (!values.isEmpty()) {
        expect(',');
      }
      String name = string();
      expect(':');
      values.put(name, peek() == '"' ? string() : number());
    }
    expect('}');
    if (peek() != 0) {
      throw wrong("the end of the line");
    }
    return values;
  }

  /// The next character that is no space, 0 at the end.
  private char peek() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  private void expect(char character) {
    if (peek() != character) {
      throw wrong("'" + character + "'");
    }
    at++;
  }

  private IllegalArgumentException wrong(String expected) {
    return new IllegalArgumentException(
        "not a line of an export: expected=%s at character %d".formatted(expected, at + 1));
  }

  private long number() {
    int from = at;
    while (at < text.length() && (text.charAt(at) == '-' || Character.isDigit(text.charAt(at)))) {
      at++;
    }
    try {
      return Long.parseLong(text, from, at, 10);
    } catch (NumberFormatException e) {
      throw wrong("a text or a whole number");
    }
  }

  private String string() {
    expect('"');
    int from = at;
    while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\\') {
      at++;
    }
    if (at < text.length() && text.charAt(at) == '"') {
      return text.substring(from, at++); // as a rule
    }
    StringBuilder content = new StringBuilder(text.substring(from, at));
    while (at < text.length() && text.charAt(at) != '"') {
      char next = text.charAt(at++);
      content.append(next == '\\' ? escaped() : next);
    }
    expect('"');
    return content.toString();
  }

  private char escaped() {
    char kind = at < text.length() ? text.charAt(at++) : 0;
    return switch (kind) {
      case '"', '\\', '/' -> kind;
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> {
        if (at + 4 > text.length()) {
          throw wrong("four hexadecimal digits");
        }
        at += 4;
        try {
          yield (char) Integer.parseInt(text, at - 4, at, 16);
        } catch (NumberFormatException e) {
          throw wrong("four hexadecimal digits");
        }
      }
      default -> throw wrong("an escape");
    };
  }

  /// A text between quotation marks.
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '"' || each == '\\') {
        quoted.append('\\').append(each);
      } else if (each < ' ') {
        quoted.append("\\u%04x".formatted((int) each));
      } else {
        quoted.append(each);
      }
    }
    return quoted.append('"').toString();
  }
}
