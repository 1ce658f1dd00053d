package io.holdfast.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What follows `-javaagent:holdfast-agent.jar=`.
///
/// ```text
/// options = option *( ";" option )
/// option  = ( "include" / "exclude" / "loader" / "silent" ) "=" pattern *( "," pattern )
///         / "file" "=" path
///         / "explain" "=" ( path / "-" )
///         / ( "tasks" / "locksets" ) "=" ( "on" / "off" )
/// ```
///
/// A file has an option in each line; lines that are empty or begin with `#` say nothing. It may
/// not name another file. An option that is given more than once, here or in a file, adds up, but
/// for those with one value. At least one `include` is required, since an agent that weaves nothing
/// was not meant; `exclude` wins. For patterns see {@link ClassPattern}. Shells want quotes around
/// `;`, `*` and `$`.
///
/// @param include what is woven
/// @param exclude what is not, even if included
/// @param loaders by name (`app` is the one of the class path) or class, whose classes are woven;
///   if empty, those of all
/// @param silent classes whose methods nothing is told of at run time
/// @param explain where to say what was woven in each method: a file, `-` for standard error, or
///   `null` for nowhere
/// @param tasks whether a task depends on who hands it over; on unless it is said to be off
/// @param lockSets whether reads without the lock of the changes are looked for; off unless it is
///   said to be on
record AgentOptions(
    List<ClassPattern> include,
    List<ClassPattern> exclude,
    List<ClassPattern> loaders,
    List<ClassPattern> silent,
    String explain,
    boolean tasks,
    boolean lockSets) {
  static final String EXAMPLE =
      "-javaagent:holdfast-agent.jar=include=com.acme.**,org.foo.Bar;exclude=com.acme.web.*";

  private static final String SYNTAX =
      "Allowed are include=PATTERN,... exclude=PATTERN,... loader=PATTERN,... silent=PATTERN,..."
          + " file=PATH, explain=PATH, tasks=on|off and locksets=on|off, separated by ';' or each"
          + " in a line of the file, for example "
          + EXAMPLE;

  /// Options of a command line or agent.
  ///
  /// @throws IllegalArgumentException naming the option, what is allowed, and an example
  static AgentOptions parse(String text) {
    Found found = new Found();
    if (text != null && !text.isEmpty()) {
      for (String option : text.split(";", -1)) {
        found.add(option, true);
      }
    }
    if (found.include.isEmpty()) {
      throw new IllegalArgumentException(
          "no include option, so nothing would be woven: options='%s'. %s"
              .formatted(text == null ? "" : text, SYNTAX));
    }
    return new AgentOptions(
        found.include,
        found.exclude,
        found.loaders,
        found.silent,
        found.explain,
        !"off".equals(found.tasks),
        "on".equals(found.lockSets));
  }

  /// Made when it is asked for, at the first class in scope.
  Extras extras() {
    return new Extras(tasks, lockSets);
  }

  /// What has been read so far.
  private static final class Found {
    private final List<ClassPattern> include = new ArrayList<>();
    private final List<ClassPattern> exclude = new ArrayList<>();
    private final List<ClassPattern> loaders = new ArrayList<>();
    private final List<ClassPattern> silent = new ArrayList<>();
    private String explain;
    private String tasks;
    private String lockSets;

    void add(String option, boolean mayNameFile) {
      int equals = option.indexOf('=');
      String value = option.substring(equals + 1);
      switch (equals < 0 ? "" : option.substring(0, equals)) {
        case "include" -> addPatterns(include, option, value);
        case "exclude" -> addPatterns(exclude, option, value);
        case "loader" -> addPatterns(loaders, option, value);
        case "silent" -> addPatterns(silent, option, value);
        case "explain" -> explain = once(option, explain, value);
        case "tasks" -> tasks = onOrOff(option, tasks, value);
        case "locksets" -> lockSets = onOrOff(option, lockSets, value);
        case "file" -> {
          if (!mayNameFile) {
            throw new IllegalArgumentException(
                "a file of options names another one: '%s'. Name both after -javaagent"
                    .formatted(option));
          }
          addFile(value);
        }
        default ->
            throw new IllegalArgumentException(
                "unknown option: '%s'. %s".formatted(option, SYNTAX));
      }
    }

    private static void addPatterns(List<ClassPattern> patterns, String option, String value) {
      for (String pattern : value.split(",", -1)) {
        try {
          patterns.add(ClassPattern.parse(pattern));
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(
              "malformed option: '%s': %s. %s".formatted(option, e.getMessage(), SYNTAX), e);
        }
      }
    }

    private static String once(String option, String before, String value) {
      if (value.isEmpty() || before != null) {
        throw new IllegalArgumentException(
            "%s: '%s'. %s"
                .formatted(
                    value.isEmpty() ? "an option without a value" : "an option given twice",
                    option,
                    SYNTAX));
      }
      return value;
    }

    private static String onOrOff(String option, String before, String value) {
      String found = once(option, before, value);
      if (!value.equals("on") && !value.equals("off")) {
        throw new IllegalArgumentException(
            "malformed option: '%s': neither on nor off. %s".formatted(option, SYNTAX));
      }
      return found;
    }

    private void addFile(String path) {
      List<String> lines;
      try {
        lines = Files.readAllLines(Path.of(path));
      } catch (IOException | IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "a file of options can't be read: file='%s', cause=%s. Its path is relative to the directory in which the program starts: '%s'"
                .formatted(path, e, Path.of("").toAbsolutePath()),
            e);
      }
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i).strip();
        if (!line.isEmpty() && !line.startsWith("#")) {
          try {
            add(line, false);
          } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                "line %d of %s: %s".formatted(i + 1, path, e.getMessage()), e);
          }
        }
      }
    }
  }
}
