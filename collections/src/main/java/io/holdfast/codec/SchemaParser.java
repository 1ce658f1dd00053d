package io.holdfast.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Reads the text of a [Schema] from front to back. It comes from media, so anything may stand
/// there.
final class SchemaParser {
  private static final String STRUCTURE = " (),:<>\"^";
  private static final Set<String> KINDS = Set.of("record", "enum", "sealed");

  private final String text;
  private int position;
  private int depth;

  SchemaParser(String text) {
    this.text = text;
  }

  /// @return null if the text is not one of a schema
  Schema parse() {
    Schema schema = schema();
    return position == text.length() ? schema : null;
  }

  /// @return null if there is none
  private Schema schema() {
    if (depth > EncodedOutput.DEPTH_MAX) {
      return null;
    }
    depth++;
    Schema schema = take('"') ? quoted() : take('^') ? enclosing() : named();
    depth--;
    return schema;
  }

  private Schema quoted() {
    StringBuilder content = new StringBuilder();
    while (position < text.length()) {
      char next = text.charAt(position++);
      if (next == '"') {
        return new Schema.Text(content.toString());
      }
      if (next == '\\' && position < text.length()) {
        next = text.charAt(position++);
      }
      content.append(next);
    }
    return null;
  }

  private Schema enclosing() {
    String digits = word();
    return digits.matches("[1-9][0-9]{0,8}")
        ? new Schema.Enclosing(Integer.parseInt(digits))
        : null;
  }

  private Schema named() {
    String word = word();
    if (word.isEmpty()) {
      return null;
    }
    if (KINDS.contains(word) && take(' ')) {
      String className = word();
      return take('(') ? members(word, className) : null;
    }
    return take('<') ? container(word) : new Schema.Leaf(word);
  }

  private Schema members(String kind, String className) {
    List<Schema.Member> members = new ArrayList<>();
    while (!take(')')) {
      if (!members.isEmpty() && !take(',')) {
        return null;
      }
      String name = word();
      Schema schema = take(':') ? schema() : Schema.NONE;
      if (name.isEmpty() || schema == null) {
        return null;
      }
      members.add(new Schema.Member(name, schema));
    }
    return new Schema.Named(kind, className, members);
  }

  private Schema container(String name) {
    List<Schema> arguments = new ArrayList<>();
    do {
      Schema argument = schema();
      if (argument == null) {
        return null;
      }
      arguments.add(argument);
    } while (take(','));
    return take('>') ? new Schema.Container(name, arguments) : null;
  }

  private String word() {
    int start = position;
    while (position < text.length() && STRUCTURE.indexOf(text.charAt(position)) < 0) {
      position++;
    }
    return text.substring(start, position);
  }

  private boolean take(char expected) {
    boolean there = position < text.length() && text.charAt(position) == expected;
    if (there) {
      position++;
    }
    return there;
  }
}
