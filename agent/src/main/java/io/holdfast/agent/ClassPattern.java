package io.holdfast.agent;

import java.util.regex.Pattern;

/// A set of classes, by name.
///
/// | part of a pattern | stands for |
/// |---|---|
/// | `*` | one level: a package or a class; beside letters, any part of a name (`com.acme.*Service`) |
/// | `**` | one or more levels: `com.acme.**` is every class in `com.acme` and the packages below it |
/// | anything else | itself |
///
/// A class brings its nested and anonymous classes with it: `org.foo.Bar` means `org.foo.Bar$1`
/// too.
final class ClassPattern {
  /// A level of a Java name, in which `*` may stand; `**` only alone.
  private static final Pattern LEVEL =
      Pattern.compile("\\*\\*|\\*?(?:\\p{javaJavaIdentifierPart}++\\*?)*+");

  private final String text;
  private final Pattern names;

  private ClassPattern(String text, Pattern names) {
    this.text = text;
    this.names = names;
  }

  /// @throws IllegalArgumentException if the text is no pattern
  static ClassPattern parse(String text) {
    StringBuilder regex = new StringBuilder();
    for (String level : text.split("\\.", -1)) {
      if (level.isEmpty() || !LEVEL.matcher(level).matches()) {
        throw new IllegalArgumentException(
            "'%s' is no class pattern: names separated by '.', in which * is one level and ** any depth"
                .formatted(text));
      }
      regex.append(regex.isEmpty() ? "" : "/").append(regexOf(level));
    }
    return new ClassPattern(text, Pattern.compile(regex.toString()));
  }

  private static String regexOf(String level) {
    return switch (level) {
      case "**" -> "[^/]+(?:/[^/]+)*";
      case "*" -> "[^/]+";
      default -> level.replace("$", "\\$").replace("*", "[^/]*");
    };
  }

  /// @param internalName of a class, with `/` between its levels
  boolean matches(String internalName) {
    if (names.matcher(internalName).matches()) {
      return true;
    }
    int simpleName = internalName.lastIndexOf('/') + 1;
    int nested = internalName.lastIndexOf('$');
    return nested > simpleName && matches(internalName.substring(0, nested));
  }

  @Override
  public String toString() {
    return text;
  }
}
