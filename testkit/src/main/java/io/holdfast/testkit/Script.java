package io.holdfast.testkit;

import io.holdfast.core.memory.Memory;
import io.holdfast.testkit.Baton.Leg;
import io.holdfast.testkit.CrashExplorer.Action;
import io.holdfast.testkit.CrashExplorer.Opener;
import io.holdfast.testkit.CrashExplorer.StateReader;
import io.holdfast.testkit.Event.Kind;
import java.util.ArrayList;
import java.util.List;

/// The body of an exploration: what happens before it, and its steps. Runs the same way each time.
final class Script<T> {
  private static final String FIRST_THREAD = "first";
  private static final Marks NO_MARKS = (kind, what) -> {};

  private final Opener<T> opener;
  private final List<Step<T>> steps = new ArrayList<>();
  private final List<Action<T>> given = new ArrayList<>();
  private boolean recordsOpening;
  private boolean virtual;

  private record Step<T>(String thread, String name, Action<T> action) {}

  /// What happened: the bytes before the first event, and the events.
  record Recording(RecordingMemory initial, List<Event> events) {}

  interface AfterStep<T> {
    void run(int steps, T store) throws Exception;
  }

  /// Is told when a step begins and ends.
  interface Marks {
    void mark(Kind kind, String what);
  }

  Script(Opener<T> opener) {
    this.opener = opener;
  }

  Script<T> withoutSteps() {
    if (recordsOpening) {
      throw new IllegalStateException(
          "a body that begins with an empty file is one order of steps. Open the store in given");
    }
    Script<T> copy = new Script<>(opener);
    copy.given.addAll(given);
    copy.virtual = virtual;
    return copy;
  }

  /// Whether it begins with a file that is empty.
  boolean recordsOpening() {
    return recordsOpening;
  }

  void given(Action<T> action) {
    given.add(action);
  }

  void takesVirtualThreads() {
    virtual = true;
  }

  void recordOpening() {
    recordsOpening = true;
  }

  void step(String thread, String name, Action<T> action) {
    steps.add(new Step<>(thread == null ? FIRST_THREAD : thread, name, action));
  }

  boolean isEmpty() {
    return steps.isEmpty() && !recordsOpening;
  }

  Recording record(boolean withFlushes, boolean withTraces) {
    RecordingMemory memory = new RecordingMemory();
    RecordingMemory initial = new RecordingMemory();
    List<Event> events = new ArrayList<>();
    run(
        memory,
        memory::mark,
        () -> {
          initial.become(memory);
          memory.record(withFlushes, withTraces);
        },
        null,
        () -> events.addAll(memory.recorded()));
    return new Recording(initial, events);
  }

  /// The states of a run that never crashes: one for each number of acknowledged steps.
  List<Object> states(StateReader<T> reader) {
    List<Object> states = new ArrayList<>();
    run(
        new RecordingMemory(),
        NO_MARKS,
        () -> {},
        (index, store) -> {
          states.add(reader.read(store));
          if (index == 0 && recordsOpening) {
            states.add(states.getFirst()); // opening is a step, and changes no state
          }
        },
        () -> {});
    return states;
  }

  /// What an action throws after some steps and no crash: the store was closed and opened again.
  ///
  /// @param acknowledged how many steps, the opening included if it is one
  /// @return `null` if it throws nothing, or that is before the opening
  Throwable thrownAfter(int acknowledged, Action<T> action) {
    int number = acknowledged - (recordsOpening ? 1 : 0);
    RecordingMemory memory = new RecordingMemory();
    Throwable[] thrown = {null};
    AfterStep<T> afterStep =
        (index, store) -> {
          if (index == number) {
            closeQuietly(store);
            thrown[0] = thrown(memory, action);
          }
        };
    run(memory, NO_MARKS, () -> {}, steps.subList(0, Math.max(0, number)), afterStep, () -> {});
    return thrown[0];
  }

  private Throwable thrown(Memory memory, Action<T> action) {
    T store = null;
    try {
      store = opener.open(memory);
      action.run(store);
      return null;
    } catch (Exception | Error e) {
      return e;
    } finally {
      closeQuietly(store);
    }
  }

  /// Runs it once.
  ///
  /// @param begin called when the body begins
  /// @param afterStep called before the first step and after each, in the first thread, or `null`
  void run(Memory memory, Marks marks, Runnable begin, AfterStep<T> afterStep, Runnable atEnd) {
    run(memory, marks, begin, steps, afterStep, atEnd);
  }

  private void run(
      Memory memory,
      Marks marks,
      Runnable begin,
      List<Step<T>> steps,
      AfterStep<T> afterStep,
      Runnable atEnd) {
    List<T> store = new ArrayList<>();
    List<Leg> legs = new ArrayList<>();
    legs.add(new Leg(FIRST_THREAD, () -> open(memory, marks, begin, store)));
    for (int i = 0; i <= steps.size(); i++) {
      int done = i;
      if (i > 0) {
        Step<T> step = steps.get(i - 1);
        legs.add(new Leg(step.thread, () -> take(step, marks, store.getFirst())));
      }
      if (afterStep != null) {
        legs.add(new Leg(FIRST_THREAD, () -> afterStep.run(done, store.getFirst())));
      }
    }
    try (Baton baton = virtual ? Baton.ofVirtualThreads() : new Baton()) {
      baton.relay(legs);
      atEnd.run();
    } finally {
      store.forEach(Script::closeQuietly);
    }
  }

  private void open(Memory memory, Marks marks, Runnable begin, List<T> store) throws Exception {
    if (recordsOpening) {
      begin.run();
      marks.mark(Kind.STEP_BEGINS, "open");
      store.add(opener.open(memory));
      marks.mark(Kind.STEP_ENDS, "open");
    } else {
      store.add(opener.open(memory));
      for (Action<T> action : given) {
        action.run(store.getFirst());
      }
      begin.run();
    }
  }

  private static <T> void take(Step<T> step, Marks marks, T store) throws Exception {
    marks.mark(Kind.STEP_BEGINS, step.name);
    try {
      step.action.run(store);
    } catch (Exception | Error e) {
      throw new AssertionError(
          "the step \"%s\" fails without any crash: %s".formatted(step.name, e), e);
    }
    marks.mark(Kind.STEP_ENDS, step.name);
  }

  static void closeQuietly(Object store) {
    if (store instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception | AssertionError e) {
        // The store has been checked; what is left of it is thrown away.
      }
    }
  }
}
