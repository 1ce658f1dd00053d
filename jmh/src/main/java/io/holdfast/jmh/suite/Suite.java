package io.holdfast.jmh.suite;

import io.holdfast.jmh.report.Measurement;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/// What is measured together and shown together.
///
/// @param name for the command line
/// @param title of its part of the report
/// @param parts run by JMH, in rounds
/// @param trials what JMH can't measure, run once
/// @param section shows it
public record Suite(
    String name, String title, List<Part> parts, List<Trial> trials, Section section) {
  /// An experiment that is no benchmark of JMH's. Its class is an {@link Experiment}.
  public interface Trial {
    /// Measures, and adds what was measured.
    void run(Extent extent, Results results) throws IOException;
  }

  /// A part of the report.
  public interface Section {
    void print(Results results, Page page);
  }

  /// How much is done.
  ///
  /// @param quick a first look, as few points as its plots need
  /// @param peers whether others' maps and queues are there
  public record Extent(boolean quick, boolean peers) {}

  /// Processes that JMH starts in a round, peers included.
  public int processes(boolean quickly) {
    return parts.stream()
        .filter(part -> !quickly || part.isQuick())
        .mapToInt(part -> part.processes(part.parameters(quickly)))
        .sum();
  }

  /// What is left of it if some benchmarks alone are to run, in their order.
  ///
  /// @param names their {@link Measurement#shortName}s
  public Suite only(List<String> names) {
    return new Suite(
        name,
        title,
        names.stream()
            .flatMap(one -> parts.stream().flatMap(part -> part.only(one).stream()).limit(1))
            .toList(),
        trials.stream()
            .filter(
                trial ->
                    names.stream()
                        .anyMatch(one -> one.startsWith(trial.getClass().getSimpleName() + ".")))
            .toList(),
        section);
  }

  /// Its classes, each of which is an {@link Experiment}.
  public Stream<Class<?>> experiments() {
    return Stream.<Class<?>>concat(
            parts.stream().map(Part::benchmark), trials.stream().map(Object::getClass))
        .distinct();
  }
}
