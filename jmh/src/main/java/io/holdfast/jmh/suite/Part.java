package io.holdfast.jmh.suite;

import io.holdfast.jmh.report.Measurement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/// Benchmarks of one class that are run alike.
///
/// @param methods a regular expression of their names
/// @param full values of parameters other than those which the benchmark declares
/// @param quick the few that a first look is taken at instead; `null` if it takes none
/// @param operations of an invocation, 0 for as many as the benchmark declares
/// @param quickOperations of an invocation in a first look, 0 for as many as else
public record Part(
    Class<?> benchmark,
    String methods,
    Map<String, List<String>> full,
    Map<String, List<String>> quick,
    int operations,
    int quickOperations) {
  private static final Pattern NAME =
      Pattern.compile("(?<class>\\w+)\\.(?<method>\\w+)(?:\\((?<parameters>.*)\\))?");

  /// All methods of a class, with all values of their parameters.
  public static Part of(Class<?> benchmark) {
    return of(benchmark, "\\w+");
  }

  public static Part of(Class<?> benchmark, String methods) {
    return new Part(benchmark, methods, Map.of(), Map.of(), 0, 0);
  }

  /// These values of a parameter.
  public Part with(String parameter, List<String> values) {
    return new Part(
        benchmark, methods, and(full, parameter, values), quick, operations, quickOperations);
  }

  /// In a first look, these values of a parameter.
  public Part quick(String parameter, List<String> values) {
    return new Part(
        benchmark, methods, full, and(quick, parameter, values), operations, quickOperations);
  }

  /// So many operations of an invocation.
  public Part operations(int count) {
    return new Part(benchmark, methods, full, quick, count, quickOperations);
  }

  /// In a first look, so many operations of an invocation.
  public Part quickOperations(int count) {
    return new Part(benchmark, methods, full, quick, operations, count);
  }

  /// Not in a first look: no plot needs it.
  public Part notQuick() {
    return new Part(benchmark, methods, full, null, operations, 0);
  }

  /// What is left of it if one benchmark alone is to run, with one value of each parameter; nothing
  /// if that is not a part of it.
  ///
  /// @param name a {@link Measurement#shortName}
  Optional<Part> only(String name) {
    Matcher found = NAME.matcher(name);
    if (!found.matches()
        || !found.group("class").equals(benchmark.getSimpleName())
        || !found.group("method").matches(methods)) {
      return Optional.empty();
    }
    Map<String, List<String>> values = new TreeMap<>(full);
    Map<String, List<String>> few = quick == null ? null : new TreeMap<>(quick);
    String parameters = found.group("parameters");
    for (String parameter : parameters == null ? new String[0] : parameters.split(",")) {
      String key = parameter.substring(0, parameter.indexOf('='));
      String value = parameter.substring(key.length() + 1);
      if (full.containsKey(key) && !full.get(key).contains(value)) {
        return Optional.empty();
      }
      values.put(key, List.of(value));
      if (few != null) {
        few.remove(key);
      }
    }
    return Optional.of(
        new Part(benchmark, found.group("method"), values, few, operations, quickOperations));
  }

  private static Map<String, List<String>> and(
      Map<String, List<String>> parameters, String parameter, List<String> values) {
    Map<String, List<String>> more = new TreeMap<>(parameters);
    more.put(parameter, values);
    return more;
  }

  /// The parameters' values.
  public Map<String, List<String>> parameters(boolean quickly) {
    Map<String, List<String>> values = new TreeMap<>(full);
    if (quickly) {
      values.putAll(quick);
    }
    return values;
  }

  public boolean isQuick() {
    return quick != null;
  }

  /// How many processes JMH starts in a round.
  ///
  /// @param values of parameters
  public int processes(Map<String, List<String>> values) {
    return BenchmarkList.defaultList()
        .find(
            OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT),
            List.of(include("")),
            List.of())
        .stream()
        .mapToInt(entry -> combinations(entry, values))
        .sum();
  }

  private static int combinations(BenchmarkListEntry entry, Map<String, List<String>> values) {
    int combinations = 1;
    for (Map.Entry<String, String[]> parameter : entry.getParams().orElse(Map.of()).entrySet()) {
      List<String> given = values.get(parameter.getKey());
      combinations *= given == null ? parameter.getValue().length : given.size();
    }
    return combinations;
  }

  /// Which benchmarks JMH shall run.
  ///
  /// @param name a regular expression that is found in their names
  public String include(String name) {
    return "^(?=.*%s).*\\.%s\\.(%s)$".formatted(name, benchmark.getSimpleName(), methods);
  }
}
