package io.holdfast.testkit;

import io.holdfast.core.Durability;
import io.holdfast.core.memory.Memory;
import io.holdfast.testkit.Script.Recording;
import io.holdfast.testkit.Search.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Runs a body of steps on a recording memory, and opens every image of it that a crash could have
/// left.
///
/// What it injects, and nothing else:
///
/// - a crash before the first store, after the last, and between any two, in the body and (by
///   default to a depth of one) in the opening that follows a crash;
/// - `PROCESS_CRASH`: plain stores that were done early, as far as the Java memory model lets a
///   compiler lift them (`ProcessCrash`): above other stores and above release stores, not above a
///   release fence, a growth of the file, or the beginning or end of a step;
/// - `POWER_FAILURE`: any of the stores that are not flushed and fenced lost, line by line, as far
///   as PCSO lets them (`PowerFailure`);
/// - a growth that was cut off: the file longer by some zeros, and nobody told.
///
/// What survives crashes of the process also runs over a store on a disk, whose power is cut and
/// whose process is killed (`DiskFailure`): the log makes of a loss of power there a crash of the
/// process that came earlier. Of this failure a small sample is drawn. Left out are explorations
/// that begin with an empty file, stores that are no region, and bodies that are about a memory of
/// their own kind ({@link #withoutDisk}).
///
/// It assumes of the media what {@link Memory} names: words do not tear (MEDIA-1); stores to one
/// line persist in order (MEDIA-2); between lines nothing holds without a flush and a fence
/// (MEDIA-3). What reached the cache outlives a process, so only the first plays a part there. It
/// does not inject damage or failing calls.
///
/// Each image is opened by the real recovery. Then the state that is read back must be that of a
/// run which never crashed, after the acknowledged steps or these and the one in flight; checks of
/// the caller's run in the opened store, which may go on using it. An opening that crashed and was
/// repeated must lead to the same state as one that was not.
///
/// All images are built up to a bound, and a sample of the rest; {@link Exploration} says which it
/// was, with the seed. A failure is shrunk to as few early or lost stores as show it, and told with
/// the lines of code that stored them.
///
/// Steps may name threads, which then take turns ({@link Baton}); {@link #interleavings()} has them
/// take their turns in every order. Bodies must be deterministic: a failure is run again to find
/// the stack traces of its stores. Locks whose identity decides what happens (those of sections)
/// are best made once for all runs.
///
/// @param <T> the store under test
public final class CrashExplorer<T> {
  private static final Logger RECOVERIES = Logger.getLogger("io.holdfast");

  private final String name;
  private final Opener<T> opener;
  private final Script<T> script;
  private final List<Check<T>> checks = new ArrayList<>();
  private StateReader<T> reader;
  private Bounds bounds = Bounds.DEFAULT;
  private boolean isThorough = TestForm.isThorough();
  private Durability durability = Durability.PROCESS_CRASH;
  private int depth = 1;
  private long seed = Long.getLong("holdfast.explorer.seed", 1);
  private boolean comparesSteps = true;
  private boolean takesDisk = true;
  private boolean acknowledges;
  private boolean explored;

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

  private CrashExplorer(String name, Opener<T> opener) {
    this.name = name;
    this.opener = opener;
    this.script = new Script<>(opener);
  }

  /// The same exploration, of a body that has no steps yet.
  private CrashExplorer(CrashExplorer<T> other) {
    this.name = other.name;
    this.opener = other.opener;
    this.script = other.script.withoutSteps();
    this.checks.addAll(other.checks);
    this.reader = other.reader;
    this.bounds = other.bounds;
    this.isThorough = other.isThorough;
    this.durability = other.durability;
    this.depth = other.depth;
    this.seed = other.seed;
    this.comparesSteps = other.comparesSteps;
    this.takesDisk = other.takesDisk;
    this.acknowledges = other.acknowledges;
  }

  /// @param name what is explored, for messages
  /// @param opener if the store is `AutoCloseable`, it is closed after each image
  public static <T> CrashExplorer<T> of(String name, Opener<T> opener) {
    return new CrashExplorer<>(name, opener);
  }

  /// Which failure is to be survived; a crash of the process unless this is called.
  ///
  /// A loss of power is survived by a store that flushes: the opener must open it so.
  public CrashExplorer<T> surviving(Durability failure) {
    durability = failure;
    return this;
  }

  /// Adds to what happens before the body, without crashes.
  public CrashExplorer<T> given(Action<T> action) {
    script.given(action);
    return this;
  }

  /// The body begins with opening an empty file.
  public CrashExplorer<T> fromAnEmptyFile() {
    script.recordOpening();
    return this;
  }

  /// Adds a step to the body.
  public CrashExplorer<T> step(String stepName, Action<T> action) {
    return step(null, stepName, action);
  }

  /// Adds a step of another thread, which starts with its first step.
  public CrashExplorer<T> step(String thread, String stepName, Action<T> action) {
    script.step(thread, stepName, action);
    return this;
  }

  /// The threads that take the steps are virtual ones.
  public CrashExplorer<T> inVirtualThreads() {
    script.takesVirtualThreads();
    return this;
  }

  /// The body is every interleaving of several threads' steps, one after the other, with what is
  /// set up here around each. Steps that were added here play no part.
  public Interleavings<T> interleavings() {
    return new Interleavings<>(this);
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

  /// Sets where exploring every image ends and sampling begins: in the thorough form of tests;
  /// sooner in the short one.
  public CrashExplorer<T> bounds(Bounds newBounds) {
    bounds = newBounds;
    return this;
  }

  /// Explores as far in the short form of tests, for what few images of many show.
  public CrashExplorer<T> thoroughInBothForms() {
    isThorough = true;
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
    comparesSteps = false;
    return this;
  }

  /// Not on a disk: for bodies that are about a memory of their own kind, as one that is full, that
  /// is copied as it is, or in which things are noted.
  public CrashExplorer<T> withoutDisk() {
    takesDisk = false;
    return this;
  }

  /// The store's operations return when they are durable, on a disk as well; else it is the steps
  /// that do.
  public CrashExplorer<T> acknowledging() {
    acknowledges = true;
    return this;
  }

  /// The same exploration, of a body that has no steps yet.
  CrashExplorer<T> withoutSteps() {
    return new CrashExplorer<>(this);
  }

  String name() {
    return name;
  }

  Durability durability() {
    return durability;
  }

  long seed() {
    return seed;
  }

  /// Whether {@link #explore()} was called, or something explored on its behalf.
  boolean isExplored() {
    return explored;
  }

  void explored() {
    explored = true;
  }

  /// Explores.
  ///
  /// @throws AssertionError with what was stored, by whom, and what was found
  /// @throws IllegalStateException if there is nothing to explore
  public Exploration explore() {
    if (script.isEmpty()) {
      throw new IllegalStateException(
          "%s: nothing to explore: add a step, or begin with an empty file".formatted(name));
    }
    explored = true;
    Exploration done = explore(0);
    System.out.println(done);
    if (!TestForm.isThorough()) { // which looks further in memory, and takes long enough
      exploreOnDisk(done.stores());
    }
    return done;
  }

  /// Explores the crashes after a number of steps, quietly.
  Exploration explore(int afterSteps) {
    return quietly(() -> search(afterSteps));
  }

  /// Explores the same body over a store on a disk, quietly: whoever survives crashes of the
  /// process survives losses of power there.
  ///
  /// @param stores how many the body has, about
  void exploreOnDisk(int stores) {
    if (durability != Durability.PROCESS_CRASH || !takesDisk || script.recordsOpening()) {
      return;
    }
    long started = System.nanoTime();
    DiskFailure<T> failure =
        new DiskFailure<>(opener, reader, checks, comparesSteps, acknowledges, isThorough, seed);
    String found;
    try {
      found = Objects.toString(quietly(() -> failure.explore(script, stores)), "it is no region");
    } catch (AssertionError e) {
      throw new AssertionError(name + ": " + e.getMessage(), e);
    }
    System.out.printf(
        "explored %s, on a disk: %s; %d ms%n",
        name, found, Duration.ofNanos(System.nanoTime() - started).toMillis());
  }

  private static <R> R quietly(Supplier<R> action) {
    Level level = RECOVERIES.getLevel();
    RECOVERIES.setLevel(Level.WARNING);
    try {
      return action.get();
    } finally {
      RECOVERIES.setLevel(level);
    }
  }

  private Exploration search(int afterSteps) {
    long started = System.nanoTime();
    FailureModel failure = FailureModel.of(durability);
    List<Object> model = reader == null || !comparesSteps ? null : script.states(reader);
    Recording recording = script.record(failure.heedsFlushes(), false);
    Bounds searched = isThorough ? bounds : bounds.inShort();
    Search<T> search =
        new Search<>(failure, opener, reader, checks, model, searched, isThorough, seed);
    try {
      search.explore(recording.initial(), recording.events(), afterSteps, depth);
    } catch (Failure found) {
      throw failed(found, failure, model, search.images());
    }
    return new Exploration(
        name,
        durability,
        (int) recording.events().stream().filter(Event::isStore).count(),
        search.points(),
        search.images(),
        search.secondCrashes(),
        searched,
        search.tookAll(),
        seed,
        Duration.ofNanos(System.nanoTime() - started));
  }

  private AssertionError failed(
      Failure found, FailureModel failure, List<Object> model, int images) {
    Throwable uncrashed = thrownWithoutCrash(found.point, model);
    String described = describe(found, failure, images);
    return uncrashed == null
        ? new AssertionError(described, found.getCause())
        : new AssertionError(
            "%s: this fails without any crash: %s%n  %s%nand after a crash%n%s"
                .formatted(name, found.point, uncrashed, described),
            uncrashed);
  }

  /// What is wrong with a run that never crashes, at the end of the same steps.
  ///
  /// @return `null` if it reads what the model did, and the checks are satisfied before the step in
  ///   flight or after it
  private Throwable thrownWithoutCrash(CrashPoint point, List<Object> model) {
    int before = point.acknowledged();
    int after = point.inFlight() == null ? before : before + 1;
    for (int steps = before; model != null && steps <= after; steps++) {
      Object expected = model.get(steps);
      Throwable differs = script.thrownAfter(steps, store -> compare(expected, reader.read(store)));
      if (differs != null) {
        return differs;
      }
    }
    Action<T> all =
        store -> {
          for (Check<T> check : checks) {
            check.check(store, point);
          }
        };
    return script.thrownAfter(before, all) == null ? null : script.thrownAfter(after, all);
  }

  private static void compare(Object first, Object second) {
    if (!first.equals(second)) {
      throw new AssertionError(
          "two runs read two states, so the body is not deterministic: first=%s, second=%s"
              .formatted(first, second));
    }
  }

  private String describe(Failure found, FailureModel failure, int images) {
    Report report = new Report();
    report.head(name, durability, found, seed, images);
    Recording recording = script.record(failure.heedsFlushes(), true);
    RecordingMemory image = recording.initial();
    List<Event> events = recording.events();
    for (int i = 0; i < found.path.size(); i++) {
      Cut cut = found.path.get(i);
      if (cut.prefix() > events.size()) {
        return report.line("(the body did something else when run again)").toString();
      }
      report.crash(i == 0 ? "the body crashed" : "then its opening crashed", events, cut);
      if (i + 1 < found.path.size()) {
        new Cursor(image, events).moveTo(cut);
        events = opening(image, failure, report);
      }
    }
    return report.toString();
  }

  private List<Event> opening(RecordingMemory image, FailureModel failure, Report report) {
    image.record(failure.heedsFlushes(), true);
    try {
      Script.closeQuietly(opener.open(image));
    } catch (Exception | Error e) {
      report.line("(opening fails: %s)".formatted(e));
    }
    List<Event> events = image.recorded();
    image.undo(events);
    return events;
  }
}
