package io.holdfast.stress.failures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// All N of one scene.
final class Series {
  /// Hangs take long, and after some of them nothing is new.
  private static final int MOST_VIOLATIONS = 200;

  /// So many N are tried each; of those after them every second, of those after twice as many every
  /// third, and so on.
  private static final int DENSE = 400;

  /// Another thread than the operation's does not come to the same places each time: after so many
  /// runs without a failure there are no more.
  private static final int OVER = 3;

  /// Of a message that is printed.
  private static final int MOST_CHARACTERS = 600;

  private final Scene scene;
  private final Path directory;
  private final Path template;
  private final Survival survival;
  private final boolean quick;
  private final List<Snapshot> expected = new ArrayList<>();

  /// Prepares the store, and runs the operation without a failure.
  Series(Scene scene, Path directory, Survival survival, boolean quick) throws Exception {
    this.scene = scene;
    this.directory = directory;
    this.survival = survival;
    this.quick = quick;
    this.template = directory.resolve("template");
    Files.createDirectories(directory);
    if (scene.given() != null) {
      Stage given = new Stage(template, survival, () -> {});
      given.open();
      scene.given().on(given);
      given.closeAsGiven();
    }
    Path rehearsal = directory.resolve("rehearsal");
    if (Files.exists(template)) {
      FileCopy.makeOfStore(template, rehearsal);
    }
    Stage[] stage = new Stage[1];
    stage[0] = new Stage(rehearsal, survival, () -> expected.add(Snapshot.of(stage[0].store)));
    if (!scene.opens()) {
      stage[0].open();
      expected.add(Snapshot.of(stage[0].store));
    }
    scene.operation().on(stage[0]);
    if (scene.opens()) {
      expected.add(Snapshot.of(stage[0].store));
    }
    stage[0].store.close();
  }

  /// What came of one injection.
  ///
  /// @param places how many N there are
  /// @param tried how many of them were tried
  record Row(
      String scene,
      Injection injection,
      long places,
      int tried,
      Map<Trial.Outcome, Integer> outcomes,
      int violations,
      long millis) {
    private static final String FORMAT = "%-18s %-10s %7s %6s %8s %6s %8s %10s %8s";
    static final String HEADING =
        FORMAT.formatted(
            "scene",
            "failure",
            "places",
            "tried",
            "not done",
            "done",
            "latched",
            "violations",
            "time");

    @Override
    public String toString() {
      return FORMAT.formatted(
          scene,
          injection,
          places,
          tried,
          count(Trial.Outcome.NOT_DONE),
          count(Trial.Outcome.DONE),
          count(Trial.Outcome.LATCHED),
          violations,
          millis + " ms");
    }

    private int count(Trial.Outcome outcome) {
      return outcomes.getOrDefault(outcome, 0);
    }
  }

  /// @param listener told of violations
  Row run(Injection injection, Consumer<String> listener) throws IOException {
    long before = System.nanoTime();
    Trial trial = new Trial(scene, survival, expected, template, directory);
    Map<Trial.Outcome, Integer> outcomes = new EnumMap<>(Trial.Outcome.class);
    Map<String, Integer> seen = new HashMap<>();
    int violations = 0;
    int tried = 0;
    long places = 0;
    for (int variant = 0; variant < (quick ? 1 : 2); variant++) {
      long n = 1;
      int over = 0;
      while (violations < MOST_VIOLATIONS) {
        boolean virtual = quick ? n % 2 == 0 : variant == 1;
        try {
          Trial.Outcome outcome = trial.of(injection, n, virtual);
          over = outcome == Trial.Outcome.OVER ? over + 1 : 0;
          if (over == (scene.victim() == null ? 1 : OVER)) {
            break;
          } else if (over > 0) {
            continue;
          }
          outcomes.merge(outcome, 1, Integer::sum);
        } catch (Violation e) {
          violations++;
          String text =
              e.getMessage().replaceAll("\\S*/\\S*|0x[0-9A-F]+|\\d+", "") + stack(Trap.first(), 4);
          if (seen.merge(text, 1, Integer::sum) == 1) {
            listener.accept(text(injection, virtual, n, e));
          }
        }
        tried++;
        places = Math.max(places, n);
        n += quick ? 1 + n / 2 : 1 + n / DENSE;
      }
    }
    return new Row(
        scene.name(),
        injection,
        places,
        tried,
        outcomes,
        violations,
        (System.nanoTime() - before) / 1_000_000);
  }

  private String text(Injection injection, boolean virtual, long n, Violation violation) {
    StringBuilder text = new StringBuilder();
    String message = violation.getMessage().replace(directory.toString(), "");
    text.append(
        "VIOLATION %s %s n=%d in a %s thread: %s"
            .formatted(
                scene.name(),
                injection,
                n,
                virtual ? "virtual" : "platform",
                message.substring(0, Math.min(message.length(), MOST_CHARACTERS))));
    text.append("\n  injected at").append(stack(Trap.first(), 14));
    if (violation.getStackTrace().length > 0 && violation instanceof Hang) {
      text.append("\n  waits at").append(stack(violation, 14));
    }
    for (Throwable cause = violation.getCause(); cause != null; cause = cause.getCause()) {
      text.append("\n  by ").append(cause).append(stack(cause, 8));
    }
    return text.toString();
  }

  private static String stack(Throwable failure, int most) {
    StringBuilder text = new StringBuilder();
    if (failure == null) {
      return " no place";
    }
    int lines = 0;
    for (StackTraceElement each : failure.getStackTrace()) {
      if (!each.getClassName().startsWith("io.holdfast.stress") && lines++ < most) {
        text.append("\n    ")
            .append(each.getClassName().replace("io.holdfast.", ""))
            .append('.')
            .append(each.getMethodName())
            .append(':')
            .append(each.getLineNumber());
      }
    }
    return text.toString();
  }
}
