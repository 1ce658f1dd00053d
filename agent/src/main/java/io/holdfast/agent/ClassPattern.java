package io.holdfast.agent;

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
///
/// Matched by hand: the JVM asks for each class that it loads, long before the program's `main`,
/// and regular expressions would cost a program's start more than all the rest of the agent.
final class ClassPattern {
  private static final char LEVEL = '/';

  private final String text;

  /// With `/` between the levels.
  private final String pattern;

  /// What each name begins with: what stands before the first `*`.
  private final String prefix;

  private ClassPattern(String text) {
    this.text = text;
    this.pattern = text.replace('.', LEVEL);
    int star = pattern.indexOf('*');
    this.prefix = star < 0 ? pattern : pattern.substring(0, star);
  }

  /// @throws IllegalArgumentException if the text is no pattern
  static ClassPattern parse(String text) {
    int start = 0;
    while (start <= text.length()) {
      int dot = text.indexOf('.', start);
      int end = dot < 0 ? text.length() : dot;
      if (!isLevel(text, start, end)) {
        throw new IllegalArgumentException(
            "'%s' is no class pattern: names separated by '.', in which * is one level and ** any depth"
                .formatted(text));
      }
      start = end + 1;
    }
    return new ClassPattern(text);
  }

  /// A level of a Java name, in which `*` may stand; `**` only alone.
  private static boolean isLevel(String text, int start, int end) {
    if (start == end) {
      return false;
    }
    if (end - start == 2 && text.startsWith("**", start)) {
      return true;
    }
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      boolean allowed = c == '*' ? !text.startsWith("**", i) : Character.isJavaIdentifierPart(c);
      if (!allowed) {
        return false;
      }
    }
    return true;
  }

  /// @param internalName of a class, with `/` between its levels
  boolean matches(String internalName) {
    if (!internalName.startsWith(prefix)) {
      return false; // neither do the names of the classes around it
    }
    String name = internalName;
    while (!matches(0, name, 0)) {
      int nested = name.lastIndexOf('$');
      if (nested <= name.lastIndexOf(LEVEL) + 1) {
        return false;
      }
      name = name.substring(0, nested);
    }
    return true;
  }

  /// Whether the pattern from one position on matches the name from another one on.
  private boolean matches(int patternAt, String name, int nameAt) {
    int p = patternAt;
    int n = nameAt;
    while (p < pattern.length() && pattern.charAt(p) != '*') {
      if (n == name.length() || pattern.charAt(p) != name.charAt(n)) {
        return false;
      }
      p++;
      n++;
    }
    return p == pattern.length() ? n == name.length() : matchesStar(p, name, n);
  }

  private boolean matchesStar(int star, String name, int nameAt) {
    boolean anyDepth = pattern.startsWith("**", star);
    int next = star + (anyDepth ? 2 : 1);
    boolean isLevel =
        (star == 0 || pattern.charAt(star - 1) == LEVEL)
            && (next == pattern.length() || pattern.charAt(next) == LEVEL);
    for (int end = nameAt + (isLevel ? 1 : 0); end <= name.length(); end++) {
      if (!anyDepth && end > nameAt && name.charAt(end - 1) == LEVEL) {
        return false;
      }
      if (matches(next, name, end)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return text;
  }
}
