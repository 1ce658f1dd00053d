package io.holdfast.jmh.report;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.Statistics;

/// All that was measured in one run, and where: what the report is made of, and what another run is
/// compared with.
///
/// A file of them is JSON: `run`, what is known of machine, JDK and commit; `flags`, JVM flags by
/// the benchmarks that have them; `measurements`, each with the values of all rounds.
///
/// Not thread-safe.
public final class Results {
  /// What the facts of a run call how much was done, and how that begins if it was `--quick`.
  public static final String EXTENT = "extent", FIRST_LOOK = "a first look";

  /// JMH's name for the bytes that an operation allocates.
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Map<String, String> run;
  private final Map<String, List<String>> flags = new LinkedHashMap<>();
  private final Map<String, Measurement> measurements = new TreeMap<>();

  /// @param run what is known of the run, by what it is
  public Results(Map<String, String> run) {
    this.run = new LinkedHashMap<>(run);
  }

  /// What stands in a file.
  private record Document(
      Map<String, String> run, Map<String, List<String>> flags, List<Measurement> measurements) {}

  /// @throws IOException if there is no such file, or it holds something else
  public static Results read(Path file) throws IOException {
    Document document = JSON.readValue(file.toFile(), Document.class);
    Results results = new Results(document.run);
    results.flags.putAll(document.flags);
    document.measurements.forEach(results::add);
    return results;
  }

  public void write(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    JSON.writeValue(file.toFile(), new Document(run, flags, List.copyOf(measurements.values())));
  }

  /// Adds a result of JMH's: a round.
  public void add(RunResult result) {
    BenchmarkParams params = result.getParams();
    String name = name(params);
    Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
    add(
        new Measurement(
            name,
            Measurement.NANOSECONDS,
            List.of(values(result.getPrimaryResult().getStatistics())),
            allocated == null ? 0 : allocated.getStatistics().getPercentile(50)));
    List<String> own = List.copyOf(params.getJvmArgs());
    if (!own.isEmpty()) {
      flags.putIfAbsent(name.substring(0, name.indexOf('.')), own);
    }
  }

  private static List<Double> values(Statistics statistics) {
    Iterable<Map.Entry<Double, Long>> raw = statistics::getRawData;
    return StreamSupport.stream(raw.spliterator(), false)
        .flatMap(value -> Collections.nCopies(value.getValue().intValue(), value.getKey()).stream())
        .toList();
  }

  /// Adds what was measured otherwise, a value each time: one round.
  public void add(String name, String unit, List<Double> values) {
    add(new Measurement(name, unit, List.of(values), 0));
  }

  private void add(Measurement measurement) {
    measurements.merge(measurement.name(), measurement, Measurement::and);
  }

  /// `Class.method`, and `(parameter=value,…)` after it if it has parameters.
  public static String name(BenchmarkParams params) {
    String method = params.getBenchmark();
    String name = method.substring(method.lastIndexOf('.', method.lastIndexOf('.') - 1) + 1);
    String values =
        params.getParamsKeys().stream()
            .map(key -> key + "=" + params.getParam(key))
            .collect(Collectors.joining(","));
    return values.isEmpty() ? name : name + "(" + values + ")";
  }

  public Map<String, String> run() {
    return run;
  }

  /// JVM flags, and of whose benchmarks they are.
  public Map<List<String>, List<String>> flags() {
    Map<List<String>, List<String>> whose = new LinkedHashMap<>();
    flags.forEach((name, own) -> whose.computeIfAbsent(own, _ -> new ArrayList<>()).add(name));
    return whose;
  }

  public List<Measurement> all() {
    return List.copyOf(measurements.values());
  }

  Optional<Measurement> find(String name) {
    return Optional.ofNullable(measurements.get(name));
  }

  /// The values of a benchmark, whatever number of entries the run had.
  ///
  /// @param name a {@link Measurement#shortName}
  public Optional<Statistics> time(String name) {
    return named(name).map(Measurement::statistics);
  }

  private Optional<Measurement> named(String name) {
    return measurements.values().stream()
        .filter(measurement -> measurement.shortName().equals(name))
        .findFirst();
  }

  /// The unit of something that was measured.
  public String unit(String name) {
    return named(name).orElseThrow().unit();
  }

  public Optional<Double> median(String name) {
    return time(name).map(values -> values.getPercentile(50));
  }
}
