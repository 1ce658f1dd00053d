package io.holdfast.core.explorer;

import io.holdfast.core.explorer.CrashExplorer.Action;
import io.holdfast.core.explorer.CrashExplorer.Opener;
import io.holdfast.core.explorer.CrashExplorer.StateReader;
import io.holdfast.core.explorer.Event.Kind;
import java.util.ArrayList;
import java.util.List;

/// The body of an exploration: what happens before it, and its steps. Runs the same way each time.
final class Script<T> {
  private static final String FIRST_THREAD = "first";

  private final Opener<T> opener;
  private final List<Step<T>> steps = new ArrayList<>();
  private final List<Action<T>> given = new ArrayList<>();
  private boolean recordsOpening;

  private record Step<T>(String thread, String name, Action<T> action) {}

  /// What happened: the bytes before the first event, and the events.
  record Recording(RecordingMemory initial, List<Event> events) {}

  private interface AfterStep<T> {
    void run(int steps, T store) throws Exception;
  }

  Script(Opener<T> opener) {
    this.opener = opener;
  }

  void given(Action<T> action) {
    given.add(action);
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
        () -> {
          initial.become(memory);
          memory.record(withFlushes, withTraces);
        },
        (index, store) -> {
          if (index == steps.size()) {
            events.addAll(memory.recorded());
          }
        });
    return new Recording(initial, events);
  }

  /// The states of a run that never crashes: one for each number of acknowledged steps.
  List<Object> states(StateReader<T> reader) {
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
        for (Action<T> action : given) {
          baton.run(FIRST_THREAD, () -> action.run(store.getFirst()));
        }
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
      store.forEach(Script::closeQuietly);
    }
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
