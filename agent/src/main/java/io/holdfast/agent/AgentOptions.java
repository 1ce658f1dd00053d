package io.holdfast.agent;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What follows `-javaagent:holdfast-agent.jar=`.
///
/// ```text
/// options = option *( ";" option )
/// option  = ( "include" / "exclude" ) "=" pattern *( "," pattern )
/// ```
///
/// Each option at most once; `include` is required, since an agent that weaves nothing was not
/// meant; `exclude` wins. For patterns see {@link ClassPattern}. Shells want quotes around `;`, `*`
/// and `$`.
///
/// @param include what is woven
/// @param exclude what is not, even if included
record AgentOptions(List<ClassPattern> include, List<ClassPattern> exclude) {
  static final String EXAMPLE =
      "-javaagent:holdfast-agent.jar=include=com.acme.**,org.foo.Bar;exclude=com.acme.web.*";

  private static final String SYNTAX =
      "Allowed are include=PATTERN,... and exclude=PATTERN,... once each, separated by ';', for"
          + " example "
          + EXAMPLE;

  /// @throws IllegalArgumentException naming the option, what is allowed, and an example
  static AgentOptions parse(String text) {
    Map<String, List<ClassPattern>> found = new HashMap<>();
    if (text != null && !text.isEmpty()) {
      for (String option : text.split(";", -1)) {
        int equals = option.indexOf('=');
        String key = equals < 0 ? option : option.substring(0, equals);
        if (equals < 0 || !key.equals("include") && !key.equals("exclude")) {
          throw new IllegalArgumentException("unknown option: '%s'. %s".formatted(option, SYNTAX));
        }
        if (found.put(key, patterns(option, option.substring(equals + 1))) != null) {
          throw new IllegalArgumentException("option given twice: '%s'. %s".formatted(key, SYNTAX));
        }
      }
    }
    if (!found.containsKey("include")) {
      throw new IllegalArgumentException(
          "no include option, so nothing would be woven: options='%s'. %s"
              .formatted(text == null ? "" : text, SYNTAX));
    }
    return new AgentOptions(found.get("include"), found.getOrDefault("exclude", List.of()));
  }

  private static List<ClassPattern> patterns(String option, String value) {
    try {
      return Stream.of(value.split(",", -1)).map(ClassPattern::parse).toList();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "malformed option: '%s': %s. %s".formatted(option, e.getMessage(), SYNTAX), e);
    }
  }
}
