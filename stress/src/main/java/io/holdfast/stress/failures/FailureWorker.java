package io.holdfast.stress.failures;

import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/// The main class of the JVM that is tried; {@link FailureRun} starts it with {@link FailureAgent}.
public final class FailureWorker {
  /// The exit code of a worker that could not do what it was told.
  static final int BROKEN = 3;

  /// The exit code if a promise was broken.
  static final int VIOLATED = 1;

  private static final Logger LOGGER = Logger.getLogger("io.holdfast");

  private FailureWorker() {}

  /// Takes a directory, whether to be quick, what stores survive, injections with commas between,
  /// and names of scenes.
  public static void main(String[] arguments) {
    LOGGER.setLevel(Level.OFF);
    int violations = 0;
    try {
      Path directory = Path.of(arguments[0]);
      boolean quick = Boolean.parseBoolean(arguments[1]);
      Survival survival = Survival.of(arguments[2]);
      List<Injection> injections = Stream.of(arguments[3].split(",")).map(Injection::of).toList();
      List<String> names = List.of(arguments).subList(4, arguments.length);
      System.out.println(Series.Row.HEADING);
      List<Scene> scenes =
          Stream.concat(Scenes.of(survival).stream(), Stream.of(Scenes.HASTY))
              .filter(each -> names.isEmpty() ? each != Scenes.HASTY : names.contains(each.name()))
              .toList();
      for (Scene scene : scenes) {
        Series series = new Series(scene, directory.resolve(scene.name()), survival, quick);
        for (Injection injection : injections) {
          Series.Row row = series.run(injection, System.out::println);
          System.out.println(row);
          violations += row.violations();
        }
      }
    } catch (Throwable e) {
      e.printStackTrace();
      System.exit(BROKEN);
    }
    System.out.printf("violations: %d%n", violations);
    System.exit(violations == 0 ? 0 : VIOLATED); // hanging threads stay
  }
}
