package io.holdfast.testkit;

import io.holdfast.testkit.CrashExplorer.Action;
import io.holdfast.testkit.CrashExplorer.Check;
import io.holdfast.testkit.Interleaving.Turn;
import io.holdfast.testkit.Schedules.Locking;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/// Explores the crashes of every order in which a few threads can take their steps.
///
/// ```java
/// @CrashTest
/// void aTransferIsWhole(CrashExplorer<Region> explorer) {
///   explorer
///       .given(region -> Words.create(region, 2))
///       .interleavings()
///       .thread(
///           "A",
///           List.of(
///               Step.acquiring("lock", LOCK, region -> SectionHooks.acquired(LOCK)),
///               Step.of("[0] = 1", region -> Words.write(region, 0, 1)),
///               Step.releasing("unlock", LOCK, region -> SectionHooks.releasing(LOCK))))
///       .thread("B", …)
///       .check(order -> (region, point) -> …)
///       .explore();
/// }
/// ```
///
/// A step that takes or gives up a lock says so, since a thread whose next step takes a lock that
/// another holds can't take it. No thread ever waits for a lock here: the steps tell a section of
/// its locks, as hooks do, and the order sees to it that nobody has to wait. Orders that end in a
/// deadlock are counted and left out.
///
/// All orders are taken if there are few ({@link #most}); of more, a sample, drawn evenly by the
/// explorer's seed. The system property `holdfast.interleavings` stands for both numbers. The
/// summary says which it was. Each order is explored as {@link CrashExplorer} explores its steps,
/// but for the crashes in turns that it has in common with the order before it: these were tried.
///
/// A failure shows the order, and its number: with `-Dholdfast.interleaving=NUMBER`, that one alone
/// is explored, for as long as the programs are what they were.
///
/// @param <T> the store under test
public final class Interleavings<T> {
  private static final int ALL = 1_000, SAMPLED = 500;

  /// Of the orders that are explored, each so many-th one is explored on a disk too.
  private static final int ON_DISK_EVERY = 250;

  private final CrashExplorer<T> explorer;
  private final Map<String, List<Step<T>>> programs = new LinkedHashMap<>();
  private final List<Function<Interleaving<T>, Check<T>>> checks = new ArrayList<>();
  private int allMost = ALL;
  private int sampledMost = SAMPLED;
  private Schedules schedules;

  /// What a thread does in one turn.
  ///
  /// @param acquires the locks that are taken; nobody else may hold any of them when the turn
  ///   begins
  /// @param releases the locks that are given up
  /// @param <T> the store under test
  public record Step<T>(
      String name, List<Object> acquires, List<Object> releases, Action<T> action) {
    /// A step that can always be taken.
    public static <T> Step<T> of(String name, Action<T> action) {
      return new Step<>(name, List.of(), List.of(), action);
    }

    /// A step that takes a lock, perhaps not for the first time.
    public static <T> Step<T> acquiring(String name, Object lock, Action<T> action) {
      return new Step<>(name, List.of(lock), List.of(), action);
    }

    /// A step that gives up a lock.
    public static <T> Step<T> releasing(String name, Object lock, Action<T> action) {
      return new Step<>(name, List.of(), List.of(lock), action);
    }

    /// Both, in one turn: nobody comes in between, and the compiler may move stores of the one
    /// above stores of the other.
    public Step<T> then(Step<T> next) {
      return new Step<>(
          name + "; " + next.name,
          Stream.concat(acquires.stream(), next.acquires.stream()).toList(),
          Stream.concat(releases.stream(), next.releases.stream()).toList(),
          store -> {
            action.run(store);
            next.action.run(store);
          });
    }
  }

  /// What was explored.
  ///
  /// @param taken orders whose crashes were explored
  /// @param possible orders that there are
  /// @param deadlocks further orders, which end in a deadlock
  /// @param images that were opened and checked, in all orders together
  public record Explored(
      String name, int taken, long possible, long deadlocks, long images, Duration duration) {}

  Interleavings(CrashExplorer<T> explorer) {
    this.explorer = explorer;
  }

  /// Adds a thread and its steps.
  ///
  /// @param name threads are numbered in the order of these calls
  public Interleavings<T> thread(String name, List<Step<T>> steps) {
    if (programs.putIfAbsent(name, List.copyOf(steps)) != null) {
      throw new IllegalArgumentException("there is a thread of this name: name=" + name);
    }
    return this;
  }

  /// Adds a check: made for each order, and called after every crash of it.
  public Interleavings<T> check(Function<Interleaving<T>, Check<T>> check) {
    checks.add(check);
    return this;
  }

  /// Sets where taking every order ends and sampling begins.
  ///
  /// @param all up to so many orders, all are taken
  /// @param sampled of more, so many are drawn
  public Interleavings<T> most(int all, int sampled) {
    allMost = all;
    sampledMost = sampled;
    return this;
  }

  /// Explores.
  ///
  /// @throws AssertionError with the order, and with what {@link CrashExplorer#explore} tells
  public Explored explore() {
    explorer.explored();
    long started = System.nanoTime();
    Interleaving<T> before = new Interleaving<>(-1, List.of());
    long images = 0;
    int taken = 0;
    for (long number : chosen(schedules().count())) {
      Interleaving<T> order = order(number);
      images += explore(order, order.turnsInCommon(before), taken % ON_DISK_EVERY == 0);
      before = order;
      taken++;
    }
    Explored explored =
        new Explored(
            explorer.name(),
            taken,
            schedules().count(),
            schedules().deadlocks(),
            images,
            Duration.ofNanos(System.nanoTime() - started));
    System.out.println(tell(explored));
    return explored;
  }

  /// The orders of the threads that were added; no more are added then.
  Schedules schedules() {
    if (schedules == null) {
      schedules = new Schedules(programs.values().stream().map(Interleavings::lockings).toList());
    }
    return schedules;
  }

  private static <T> List<Locking> lockings(List<Step<T>> steps) {
    return steps.stream().map(step -> new Locking(step.acquires(), step.releases())).toList();
  }

  private Iterable<Long> chosen(long count) {
    TreeSet<Long> chosen = new TreeSet<>();
    Long only = Long.getLong("holdfast.interleaving");
    if (only != null) {
      return List.of(only);
    }
    Integer asked = Integer.getInteger("holdfast.interleavings");
    boolean all = count <= (asked == null ? allMost : asked);
    long wanted = all ? count : Math.min(count, asked == null ? sampledMost : asked);
    Random random = new Random(explorer.seed());
    for (long i = 0; chosen.size() < wanted; i++) {
      chosen.add(all ? i : random.nextLong(count));
    }
    return chosen;
  }

  Interleaving<T> order(long number) {
    List<String> names = List.copyOf(programs.keySet());
    int[] steps = new int[names.size()];
    List<Turn<T>> turns = new ArrayList<>();
    for (int thread : schedules().order(number)) {
      String name = names.get(thread);
      turns.add(new Turn<>(name, programs.get(name).get(steps[thread]++)));
    }
    return new Interleaving<>(number, List.copyOf(turns));
  }

  /// Explores the crashes of an order.
  ///
  /// @param turnsTried but for those in so many of its first turns
  /// @param onDisk whether to explore it on a disk as well
  /// @return how many images were checked
  int explore(Interleaving<T> order, int turnsTried, boolean onDisk) {
    CrashExplorer<T> body = explorer.withoutSteps().withoutModel();
    for (int i = 0; i < order.turns().size(); i++) {
      Turn<T> turn = order.turns().get(i);
      body.step(
          turn.thread(),
          "turn %d, %s: %s".formatted(i, turn.thread(), turn.step().name()),
          turn.step().action());
    }
    checks.forEach(check -> body.check(check.apply(order)));
    try {
      Exploration done = body.explore(turnsTried);
      if (onDisk && !TestForm.isThorough()) {
        body.exploreOnDisk(done.stores());
      }
      return done.images();
    } catch (AssertionError e) {
      throw new AssertionError(
          "%1$s, %2$s: interleaving %3$d fails; -Dholdfast.interleaving=%3$d explores it alone:\n%4$s\n%5$s"
              .formatted(
                  explorer.name(), explorer.durability(), order.number(), order, e.getMessage()),
          e.getCause());
    }
  }

  private String tell(Explored explored) {
    return "explored %s, %s: turns=%d, interleavings=%d of %d%s, deadlocks=%d, images=%d; %d ms"
        .formatted(
            explored.name(),
            explorer.durability(),
            programs.values().stream().mapToInt(List::size).sum(),
            explored.taken(),
            explored.possible(),
            explored.taken() < explored.possible()
                ? " (a sample, seed=" + explorer.seed() + ")"
                : "",
            explored.deadlocks(),
            explored.images(),
            explored.duration().toMillis());
  }
}
