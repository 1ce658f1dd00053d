package io.holdfast.core.explorer;

import io.holdfast.core.explorer.Event.Kind;
import io.holdfast.core.memory.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Runs a body of steps on a recording memory, and opens every image of it that a crash of the
/// process could have left.
///
/// What it injects, and nothing else:
///
/// - a crash before the first store, after the last, and between any two, in the body and (by
///   default to a depth of one) in the opening that follows a crash;
/// - at a crash, plain stores that were done early, as far as the Java memory model lets a compiler
///   lift them (`CrashModel`): above other stores and above release stores, not above a release
///   fence, a growth of the file, or the beginning or end of a step;
/// - a growth that was cut off: the file longer by some zeros, and nobody told.
///
/// It assumes of the media what {@link Memory} names: words do not tear (MEDIA-1); what reached the
/// cache stays, so the order of lines (MEDIA-2, MEDIA-3) plays no part in the crash of a process.
/// It does not inject loss of power, damage, or failing calls.
///
/// Each image is opened by the real recovery. Then the state that is read back must be that of a
/// run which never crashed, after the acknowledged steps or these and the one in flight; checks of
/// the caller's run in the opened store, which may go on using it. An opening that crashed and was
/// repeated must lead to the same state as one that was not.
///
/// Steps may name threads, which then take turns ({@link Baton}). Bodies must be deterministic: a
/// failure is run again to find the stack traces of its stores. Locks whose identity decides what
/// happens (those of sections) are best made once for all runs.
///
/// @param <T> the store under test
public final class CrashExplorer<T> {
  private static final Logger RECOVERIES = Logger.getLogger("io.holdfast");
  private static final String FIRST_THREAD = "first";
  private static final int SAME_OPENINGS = 4;

  private final String name;
  private final Opener<T> opener;
  private final List<Step<T>> steps = new ArrayList<>();
  private final List<Check<T>> checks = new ArrayList<>();
  private Action<T> given = store -> {};
  private StateReader<T> reader;
  private Bounds bounds = Bounds.DEFAULT;
  private int depth = 1;
  private long seed = Long.getLong("holdfast.explorer.seed", 1);
  private boolean explorable = true;
  private boolean recordsOpening;

  /// Opens the store under test, with the real recovery.
  public interface Opener<T> {
    T open(Memory memory) throws Exception;
  }

  /// Does something to the store under test.
  public interface Action<T> {
    void run(T store) throws Exception;
  }

  /// Reads what the store holds, as a value that can be compared and printed.
  public interface StateReader<T> {
    Object read(T store) throws Exception;
  }

  /// Checks a store that was opened after a crash.
  public interface Check<T> {
    void check(T store, CrashPoint point) throws Exception;
  }

  private record Step<T>(String thread, String name, Action<T> action) {}

  private CrashExplorer(String name, Opener<T> opener) {
    this.name = name;
    this.opener = opener;
  }

  /// @param name what is explored, for messages
  /// @param opener if the store is `AutoCloseable`, it is closed after each image
  public static <T> CrashExplorer<T> of(String name, Opener<T> opener) {
    return new CrashExplorer<>(name, opener);
  }

  /// What happens before the body, without crashes.
  public CrashExplorer<T> given(Action<T> action) {
    given = action;
    return this;
  }

  /// The body begins with opening an empty file.
  public CrashExplorer<T> fromAnEmptyFile() {
    recordsOpening = true;
    return this;
  }

  /// Adds a step to the body.
  public CrashExplorer<T> step(String stepName, Action<T> action) {
    return step(FIRST_THREAD, stepName, action);
  }

  /// Adds a step of another thread, which starts with its first step.
  public CrashExplorer<T> step(String thread, String stepName, Action<T> action) {
    steps.add(new Step<>(thread, stepName, action));
    return this;
  }

  /// After every crash this must read what it reads in a run without one, after the acknowledged
  /// steps or one more. It changes nothing, and can be called between any two steps.
  public CrashExplorer<T> state(StateReader<T> stateReader) {
    reader = stateReader;
    return this;
  }

  /// After every crash, this must not throw. It may go on using the store.
  public CrashExplorer<T> check(Check<T> check) {
    checks.add(check);
    return this;
  }

  /// Sets where exploring every image ends and sampling begins.
  public CrashExplorer<T> bounds(Bounds newBounds) {
    bounds = newBounds;
    return this;
  }

  /// How many openings may crash, one after the other.
  public CrashExplorer<T> crashesOfRecovery(int newDepth) {
    depth = newDepth;
    return this;
  }

  /// The steps' own states are not compared, for bodies in which a step alone is not atomic; what
  /// `state` reads must still be the same with and without a second crash.
  public CrashExplorer<T> withoutModel() {
    explorable = false;
    return this;
  }

  /// Explores.
  ///
  /// @throws AssertionError with what was stored, by whom, and what was found
  public Exploration explore() {
    Level level = RECOVERIES.getLevel();
    RECOVERIES.setLevel(Level.WARNING);
    try {
      List<Object> model = reader == null || !explorable ? null : model();
      Recording recording = record(false);
      Run run = new Run(model);
      try {
        run.explore(recording.initial, recording.events, null, null, "", depth);
      } catch (Failure failure) {
        throw new AssertionError(describe(failure, run), failure.getCause());
      }
      Exploration done = run.result(recording.events);
      System.out.println(done);
      return done;
    } finally {
      RECOVERIES.setLevel(level);
    }
  }

  private record Recording(RecordingMemory initial, List<Event> events) {}

  private Recording record(boolean withTraces) {
    RecordingMemory memory = new RecordingMemory();
    RecordingMemory initial = new RecordingMemory();
    List<Event> events = new ArrayList<>();
    run(
        memory,
        () -> {
          initial.become(memory);
          memory.record(withTraces);
        },
        (index, store) -> {
          if (index == steps.size()) {
            events.addAll(memory.recorded());
          }
        });
    return new Recording(initial, events);
  }

  /// The states of a run that never crashes: one for each number of acknowledged steps.
  private List<Object> model() {
    List<Object> states = new ArrayList<>();
    run(
        new RecordingMemory(),
        () -> {},
        (index, store) -> {
          states.add(reader.read(store));
          if (index == 0 && recordsOpening) {
            states.add(states.getFirst()); // opening is a step, and changes no state
          }
        });
    return states;
  }

  private interface AfterStep<T> {
    void run(int steps, T store) throws Exception;
  }

  private void run(RecordingMemory memory, Runnable begin, AfterStep<T> afterStep) {
    List<T> store = new ArrayList<>();
    try (Baton baton = new Baton()) {
      if (recordsOpening) {
        begin.run();
        memory.mark(Kind.STEP_BEGINS, "open");
      }
      baton.run(FIRST_THREAD, () -> store.add(opener.open(memory)));
      if (recordsOpening) {
        memory.mark(Kind.STEP_ENDS, "open");
      } else {
        baton.run(FIRST_THREAD, () -> given.run(store.getFirst()));
        begin.run();
      }
      baton.run(FIRST_THREAD, () -> afterStep.run(0, store.getFirst()));
      for (int i = 0; i < steps.size(); i++) {
        Step<T> step = steps.get(i);
        int done = i + 1;
        memory.mark(Kind.STEP_BEGINS, step.name);
        baton.run(step.thread, () -> step.action.run(store.getFirst()));
        memory.mark(Kind.STEP_ENDS, step.name);
        baton.run(FIRST_THREAD, () -> afterStep.run(done, store.getFirst()));
      }
    } finally {
      store.forEach(CrashExplorer::closeQuietly);
    }
  }

  private static void closeQuietly(Object store) {
    if (store instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception | AssertionError e) {
        // The store has been checked; what is left of it is thrown away.
      }
    }
  }

  /// Where it failed: cuts from the body to the innermost opening, with the cause.
  private static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final transient CrashPoint point;

    Failure(String path, CrashPoint point, Throwable cause) {
      super(path, cause);
      this.path = path;
      this.point = point;
    }
  }

  private record Image(long hash, long length, int acknowledged, boolean inFlight, boolean first) {}

  private record Opening(int events, Object state, int acknowledged, int depthLeft) {}

  /// One exploration.
  private final class Run {
    private final List<Object> model;
    private final long started = System.nanoTime();
    private final Map<Image, Object> seen = new HashMap<>();
    private final Map<Object, Object> states = new HashMap<>();
    private final Map<Opening, Integer> openings = new HashMap<>();
    private int points;
    private int secondCrashes;

    Run(List<Object> model) {
      this.model = model;
    }

    Exploration result(List<Event> events) {
      int stores = (int) events.stream().filter(Event::isStore).count();
      return new Exploration(
          name,
          stores,
          points,
          seen.size(),
          secondCrashes,
          Duration.ofNanos(System.nanoTime() - started));
    }

    /// Tries all crashes in a list of events.
    ///
    /// @param image the bytes before the first event; as before on return
    /// @param outer where the body crashed, `null` if the events are the body's
    /// @param expected the state that must result, if `outer` is given
    void explore(
        RecordingMemory image,
        List<Event> events,
        CrashPoint outer,
        Object expected,
        String path,
        int depthLeft) {
      Cursor cursor = new Cursor(image, events);
      CrashModel.forEachCut(
          events,
          outer == null ? bounds : Bounds.OF_RECOVERY,
          new Random(seed),
          cut -> {
            if (outer == null && cut.prefix() != cursor.prefix) {
              points++;
            }
            cursor.moveTo(cut);
            CrashPoint point = outer == null ? cursor.point() : outer;
            try {
              evaluate(image, point, outer == null, expected, path + cut, depthLeft);
            } catch (Failure failure) {
              if (failure.path.equals(path + cut)) {
                throw shrunk(cursor, cut, path, point, outer == null, expected, failure);
              }
              throw failure;
            }
          });
      cursor.moveTo(Cut.at(0));
    }

    private void evaluate(
        RecordingMemory image,
        CrashPoint point,
        boolean first,
        Object expected,
        String path,
        int depthLeft) {
      Image key =
          new Image(
              image.contentHash(),
              image.length(),
              point.acknowledged(),
              point.inFlight() != null,
              first && depthLeft > 0);
      if (seen.containsKey(key)) {
        if (!first) {
          compare(expected, seen.get(key), path, point);
        }
        return;
      }
      Opened opened = open(image, point);
      if (opened.failure != null) {
        throw new Failure(path, point, opened.failure);
      }
      seen.put(key, opened.state);
      secondCrashes += first ? 0 : 1;
      if (!first) {
        compare(expected, opened.state, path, point);
      }
      if (depthLeft > 0 && !opened.events.isEmpty() && isWorthCrashing(opened, point, depthLeft)) {
        explore(image, opened.events, point, opened.state, path + "/", depthLeft - 1);
      }
    }

    /// Most images differ in nothing that recovery looks at. So of those in which it does the same,
    /// from the same point to the same state, a few stand for all.
    private boolean isWorthCrashing(Opened opened, CrashPoint point, int depthLeft) {
      Opening opening =
          new Opening(opened.events.hashCode(), opened.state, point.acknowledged(), depthLeft);
      return openings.merge(opening, 1, Integer::sum) <= SAME_OPENINGS;
    }

    private void compare(Object expected, Object found, String path, CrashPoint point) {
      if (!Objects.equals(expected, found)) {
        throw new Failure(path, point, differsAfterSecondCrash(expected, found));
      }
    }

    private AssertionError differsAfterSecondCrash(Object expected, Object found) {
      return new AssertionError(
          "the state differs after a crash in the opening: without=%s, with=%s"
              .formatted(expected, found));
    }

    private record Opened(Object state, List<Event> events, Throwable failure) {}

    /// Opens an image, checks the store, and takes back all that both stored.
    private Opened open(RecordingMemory image, CrashPoint point) {
      image.record(false);
      T store = null;
      Object state = null;
      int opening = 0;
      Throwable failure = null;
      try {
        store = opener.open(image);
        opening = image.eventCount();
        if (reader != null) {
          state = reader.read(store);
          state = states.computeIfAbsent(state, same -> same);
          compareWithModel(state, point);
        }
        for (Check<T> check : checks) {
          check.check(store, point);
        }
      } catch (Exception | Error e) {
        failure = e;
      }
      closeQuietly(store);
      List<Event> events = image.recorded();
      for (int i = events.size() - 1; i >= 0; i--) {
        image.undo(events.get(i));
      }
      return new Opened(state, List.copyOf(events.subList(0, opening)), failure);
    }

    private void compareWithModel(Object state, CrashPoint point) {
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

    /// The same failure with as few early stores as possible: leaves out halves, quarters, … single
    /// ones.
    private Failure shrunk(
        Cursor cursor,
        Cut failed,
        String path,
        CrashPoint point,
        boolean first,
        Object expected,
        Failure failure) {
      Cut smallest = failed;
      Throwable cause = failure.getCause();
      for (int part = Math.max(1, failed.early().length / 2); part > 0; part /= 2) {
        for (int at = 0; at < smallest.early().length; ) {
          Cut smaller = without(smallest, at, part);
          Throwable found = null;
          if (CrashModel.isPossible(cursor.events, smaller)) {
            cursor.moveTo(smaller);
            Opened opened = open(cursor.image, point);
            found = opened.failure;
            if (found == null && !first && !Objects.equals(opened.state, expected)) {
              found = differsAfterSecondCrash(expected, opened.state);
            }
          }
          if (found == null) {
            at += part;
          } else {
            smallest = smaller;
            cause = found;
          }
        }
      }
      return new Failure(path + smallest, point, cause);
    }

    private static Cut without(Cut cut, int at, int count) {
      int[] early = cut.early();
      int[] fewer = new int[early.length - Math.min(count, early.length - at)];
      System.arraycopy(early, 0, fewer, 0, at);
      System.arraycopy(early, early.length - (fewer.length - at), fewer, at, fewer.length - at);
      return new Cut(cut.prefix(), fewer, cut.partialLength());
    }
  }

  private String describe(Failure failure, Run run) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%s: a crash is not survived: %s%n  %s%n  reproduce: seed=%d (-Dholdfast.explorer.seed), path=%s, after %d images%n"
            .formatted(
                name, failure.point, failure.getCause(), seed, failure.path, run.seen.size()));
    Recording recording = record(true);
    RecordingMemory image = recording.initial;
    List<Event> events = recording.events;
    String[] cuts = failure.path.split("/");
    for (int i = 0; i < cuts.length; i++) {
      Cut cut = Cut.parse(cuts[i]);
      if (cut.prefix() > events.size()) {
        return text.append("  (the body did something else when run again)").toString();
      }
      text.append(i == 0 ? "  the body crashed " : "  then its opening crashed ");
      Report.append(text, events, cut);
      if (i + 1 < cuts.length) {
        new Cursor(image, events).moveTo(cut);
        image.record(true);
        try {
          closeQuietly(opener.open(image));
        } catch (Exception | Error e) {
          text.append("  (opening fails: %s)%n".formatted(e));
        }
        events = image.recorded();
        for (int j = events.size() - 1; j >= 0; j--) {
          image.undo(events.get(j));
        }
      }
    }
    return text.toString();
  }
}
