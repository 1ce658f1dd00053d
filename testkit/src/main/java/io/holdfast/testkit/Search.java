package io.holdfast.testkit;

import io.holdfast.testkit.CrashExplorer.Check;
import io.holdfast.testkit.CrashExplorer.Opener;
import io.holdfast.testkit.CrashExplorer.StateReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/// One search through the images of a recording: opens each that is new, and compares and checks
/// what it finds.
final class Search<T> {
  /// Most images differ in nothing that recovery looks at. So of those in which it does the same,
  /// from the same point to the same state, so many stand for all when recovery is crashed.
  private static final int SAME_OPENINGS = 4;

  /// All openings crash until there are so many images of that; then each eighth until there are
  /// twice as many, then each sixteenth, and so on. One body of six comes so far; the largest would
  /// have half a million, whose openings differ in which stores they take back.
  private static final int SECOND_CRASHES_OF_ALL = 1_000;

  /// In the short form, so many openings; then each 64th.
  private static final int OPENINGS_IN_SHORT = 8;

  private final FailureModel failure;
  private final Opener<T> opener;
  private final StateReader<T> reader;
  private final List<Check<T>> checks;
  private final List<Object> model;
  private final Bounds bounds;
  private final boolean isThorough;
  private final long seed;
  private final Map<Image, Object> seen = new HashMap<>();
  private final Map<Object, Object> states = new HashMap<>();
  private final Map<Opening, Integer> openings = new HashMap<>();
  private int points;
  private int secondCrashes;
  private int worthCrashing;
  private boolean tookAll;

  private record Image(
      long hash, long length, int acknowledged, boolean inFlight, int notes, boolean first) {}

  private record Opening(int events, Object state, int acknowledged, int depthLeft) {}

  /// What became of an image that was opened.
  private record Opened(Object state, List<Event> events, Throwable failure) {}

  /// An image that fails: the cuts from the body's to that of the innermost opening, and the cause.
  static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final transient List<Cut> path;
    final transient CrashPoint point;

    Failure(List<Cut> path, CrashPoint point, Throwable cause) {
      super(cause);
      this.path = path;
      this.point = point;
    }
  }

  /// @param reader `null` if no state is read
  /// @param model the states between steps, `null` if they are not compared
  Search(
      FailureModel failure,
      Opener<T> opener,
      StateReader<T> reader,
      List<Check<T>> checks,
      List<Object> model,
      Bounds bounds,
      boolean isThorough,
      long seed) {
    this.failure = failure;
    this.opener = opener;
    this.reader = reader;
    this.checks = checks;
    this.model = model;
    this.bounds = bounds;
    this.isThorough = isThorough;
    this.seed = seed;
  }

  int points() {
    return points;
  }

  int images() {
    return seen.size();
  }

  int secondCrashes() {
    return secondCrashes;
  }

  /// Whether no image of the body was left out.
  boolean tookAll() {
    return tookAll;
  }

  /// Tries all crashes in the body.
  ///
  /// @param afterSteps only those after so many steps; a crash right after the last of them is one
  ///   of theirs
  /// @param depth how many openings may crash, one after the other
  /// @throws Failure at the first image that fails, shrunk
  void explore(RecordingMemory initial, List<Event> events, int afterSteps, int depth) {
    Cursor cursor = new Cursor(initial, events);
    int from = afterSteps == 0 ? 0 : indexAfter(events, afterSteps) + 1;
    tookAll =
        failure.forEachCut(
            events,
            bounds,
            new Random(seed),
            cut -> {
              if (cut.prefix() < from) {
                return;
              }
              points += cut.prefix() == cursor.prefix && seen.size() > 0 ? 0 : 1;
              cursor.moveTo(cut);
              visit(cursor, cut, List.of(), cursor.point(), true, null, depth);
            });
    cursor.moveTo(Cut.at(0));
  }

  /// Index of the event that ends the last of some steps, and one more: where the next begins.
  private static int indexAfter(List<Event> events, int steps) {
    int left = steps;
    for (int i = 0; i < events.size(); i++) {
      if (events.get(i).kind() == Event.Kind.STEP_ENDS && --left == 0) {
        return i + 1;
      }
    }
    return events.size();
  }

  /// Tries all crashes in an opening.
  ///
  /// @param point where the body crashed
  /// @param expected the state that must result
  private void exploreOpening(
      RecordingMemory image,
      List<Event> events,
      List<Cut> path,
      CrashPoint point,
      Object expected,
      int depthLeft) {
    Cursor cursor = new Cursor(image, events);
    failure.forEachCut(
        events,
        isThorough ? Bounds.OF_RECOVERY : Bounds.OF_RECOVERY_IN_SHORT,
        new Random(seed),
        cut -> {
          cursor.moveTo(cut);
          visit(cursor, cut, path, point, false, expected, depthLeft);
        });
    cursor.moveTo(Cut.at(0));
  }

  private void visit(
      Cursor cursor,
      Cut cut,
      List<Cut> outer,
      CrashPoint point,
      boolean first,
      Object expected,
      int depthLeft) {
    List<Cut> path = new ArrayList<>(outer);
    path.add(cut);
    Throwable cause = evaluate(cursor.image, path, point, first, expected, depthLeft);
    if (cause != null) {
      throw shrunk(cursor, path, point, first, expected, cause);
    }
  }

  /// @return why the image fails, or `null`
  private Throwable evaluate(
      RecordingMemory image,
      List<Cut> path,
      CrashPoint point,
      boolean first,
      Object expected,
      int depthLeft) {
    Image key =
        new Image(
            image.contentHash(),
            image.length(),
            point.acknowledged(),
            point.inFlight() != null,
            point.notes().size(),
            first && depthLeft > 0);
    if (seen.containsKey(key)) {
      return first ? null : compare(expected, seen.get(key));
    }
    Opened opened = open(image, point);
    if (opened.failure != null) {
      return opened.failure;
    }
    seen.put(key, opened.state);
    secondCrashes += first ? 0 : 1;
    AssertionError differs = first ? null : compare(expected, opened.state);
    if (differs == null && isWorthCrashing(opened, point, depthLeft)) {
      exploreOpening(image, opened.events, path, point, opened.state, depthLeft - 1);
    }
    return differs;
  }

  private boolean isWorthCrashing(Opened opened, CrashPoint point, int depthLeft) {
    if (depthLeft == 0 || opened.events.isEmpty()) {
      return false;
    }
    Opening opening =
        new Opening(opened.events.hashCode(), opened.state, point.acknowledged(), depthLeft);
    return openings.merge(opening, 1, Integer::sum) <= SAME_OPENINGS && isTaken(++worthCrashing);
  }

  /// The first ones, and some of the rest.
  private boolean isTaken(int opening) {
    return isThorough
        ? opening % Math.max(1, 8 * (secondCrashes / SECOND_CRASHES_OF_ALL)) == 0
        : opening <= OPENINGS_IN_SHORT || opening % 64 == 0;
  }

  static AssertionError compare(Object expected, Object found) {
    return Objects.equals(expected, found)
        ? null
        : new AssertionError(
            "the state differs after a crash in the opening: without=%s, with=%s"
                .formatted(expected, found));
  }

  /// Opens an image, checks the store, and takes back all that both stored.
  private Opened open(RecordingMemory image, CrashPoint point) {
    image.record(failure.heedsFlushes(), false);
    T store = null;
    Object state = null;
    int opening = 0;
    Throwable cause = null;
    try {
      store = opener.open(image);
      opening = image.eventCount();
      if (reader != null) {
        state = reader.read(store);
        state = states.computeIfAbsent(state, same -> same);
        compareWithModel(model, state, point);
      }
      for (Check<T> check : checks) {
        check.check(store, point);
      }
    } catch (Exception | Error e) {
      cause = e;
    }
    Script.closeQuietly(store);
    List<Event> events = image.recorded();
    image.undo(events);
    return new Opened(state, List.copyOf(events.subList(0, opening)), cause);
  }

  /// @param model `null` if there is none
  static void compareWithModel(List<Object> model, Object state, CrashPoint point) {
    if (model != null) {
      Object before = model.get(point.acknowledged());
      Object after = point.inFlight() == null ? before : model.get(point.acknowledged() + 1);
      if (!state.equals(before) && !state.equals(after)) {
        throw new AssertionError(
            "the state is not one between steps: found=%s, allowed=%s%s"
                .formatted(state, before, point.inFlight() == null ? "" : ", or " + after));
      }
    }
  }

  /// The same failure with as few early and as few lost stores as possible.
  private Failure shrunk(
      Cursor cursor,
      List<Cut> path,
      CrashPoint point,
      boolean first,
      Object expected,
      Throwable cause) {
    List<Throwable> newest = new ArrayList<>(List.of(cause));
    Shrinker shrinker =
        new Shrinker(
            cut -> {
              if (!failure.isPossible(cursor.events, cut)) {
                return false;
              }
              cursor.moveTo(cut);
              Opened opened = open(cursor.image, point);
              Throwable found = opened.failure;
              if (found == null && !first) {
                found = compare(expected, opened.state);
              }
              if (found != null) {
                newest.add(found);
              }
              return found != null;
            });
    Cut smallest = shrinker.shrink(path.getLast());
    List<Cut> shrunk = new ArrayList<>(path.subList(0, path.size() - 1));
    shrunk.add(smallest);
    return new Failure(shrunk, point, newest.getLast());
  }
}
