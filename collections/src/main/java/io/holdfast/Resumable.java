package io.holdfast;

import io.holdfast.collections.Due;
import io.holdfast.core.CallFailedException;
import io.holdfast.core.section.hooks.SectionHooks;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/// A function whose calls happen exactly once, whatever is killed; see {@link Holdfast#resumable}.
///
/// ```java
/// record Transfer(long from, long to, long cents) {}
///
/// Resumable<Transfer, Void> transfer =
///     store.resumable("transfer", Transfer.class, t -> {
///       accounts.merge(t.from(), -t.cents(), Long::sum);
///       accounts.merge(t.to(), t.cents(), Long::sum);
///     });
/// transfer.run("order-4711", new Transfer(1, 2, 500)); // a second call with this id does nothing
/// ```
///
/// - **X1 accepted** What the function does to the store's collections happens exactly once for
///   each call that was accepted, in this process or in a later one: when {@link #submit} has
///   returned, or {@link #run} has taken its first step. Test:
///   ResumableCrashTest.x1ACallIsDoneOnce.
/// - **X2 atomic** A call is a transaction ({@link
///   Holdfast#transaction(java.util.function.Supplier)}). Of one that was cut off, or whose
///   function threw, nothing is there. Test: ResumableCrashTest.x2OfAFailedCallNothingStays.
/// - **X3 arguments** The function gets the argument as it was stored, in its first run too. Test:
///   ResumableTest.x3TheFunctionGetsWhatWasStored.
/// - **X4 order** What a former process left is run in the order in which it was accepted. Calls of
///   one key ({@link Options#orderedBy}) never overtake each other. Test:
///   ResumableTest.x4UnfinishedCallsRunInTheOrderOfTheirAcceptance.
/// - **X5 by itself** A store opens without the function. Its calls wait until it is registered,
///   and {@link Holdfast#unfinished} and the tools show them. Test:
///   ResumableTest.x5AStoreOpensWithoutTheFunction.
///
/// *What a function must not do.* It may run several times, in this process and in the next, and
/// all runs but one leave nothing in the store. So it works on the store and its argument alone.
/// What it does elsewhere (a file, a request, a field) is done again with each run. An answer that
/// need not arrive goes to {@link Holdfast#onDurable}: at most once. What must arrive goes into a
/// queue of the store together with the call's id, and from there to a receiver who knows ids: at
/// least once. It must not wait for another call of its key.
///
/// *Ids.* A call with an id that was used before is not made: its result is returned, or its
/// failure thrown ({@link CallFailedException}), or it is waited for. Results of calls with an id
/// are kept for a week, or as {@link Options#keep} says; an id that was forgotten is a new one.
///
/// *Times.* {@link #at} and {@link #every} have calls accepted later, by the system's clock. What
/// was due while no process ran is made at registration.
///
/// *Exceptions* of the function finish the call as failed, which is recorded under its id and not
/// repeated; what it did is undone, and `run` throws the exception. The failure of a call without
/// an id is recorded under `#` and a number. {@link Options#retryFailed} has them repeated instead.
/// An `Error` or an exception of the store's (a full device, this store closed) says nothing about
/// the call: it stays unfinished, and an `Error` of one leaves the others. That another store is
/// closed, which the function uses, is a failure of the function.
///
/// *In a section* (a lock, `atomically`, a transaction) `run` is a part of it: it needs no record,
/// happens exactly once if the section does, and its failure is an exception like any other. A call
/// that is submitted there is accepted when the section is durable, and undone with it; then its
/// future never completes.
///
/// *Loss of power.* `submit` waits until the call is durable. `run` waits once, for the call and
/// its effects: a loss of power may take one that has not returned, whole.
///
/// Thread-safe.
///
/// @param <A> the class of arguments
/// @param <R> the class of results
public final class Resumable<A, R> {
  private static final Duration PERIOD_MIN = Duration.ofMillis(1);

  /// So that the times of what is repeated can be counted, and told, in milliseconds.
  private static final Duration PERIOD_MAX = Duration.ofDays(366_000);

  private static final Instant FIRST_MIN = Instant.EPOCH.minus(PERIOD_MAX);

  private final Holdfast store;
  private final String name;
  private final Options<A> options;
  private final StoredCalls<A, R> stored;
  private final Supplier<Schedule<A>> opening;

  /// Whether a thread looks what is due; else registration alone does.
  private final boolean looksAtTheClock;

  /// `null` as long as nothing is scheduled.
  private Schedule<A> schedule;

  /// By number, those in this process's memory.
  private final Map<Long, PendingCall<R>> pending = new ConcurrentHashMap<>();

  /// By key.
  private final Map<Object, Lane<R>> lanes = new ConcurrentHashMap<>();

  /// Calls with a key that sections have submitted, until their action ({@link Holdfast#onDurable})
  /// starts them; X4. Weakly, since of a section that is undone, or of a transaction's run that is
  /// repeated, there is no action.
  private final Set<Submitted<R>> submitted =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /// A call that was accepted, and is to be started.
  private static final class Submitted<R> {
    final long number;
    final String id;
    final Object key;

    /// `null` until its action, or a later call of its key, adds it to those that are pending.
    PendingCall<R> call;

    Submitted(long number, String id, Object key) {
      this.number = number;
      this.id = id;
      this.key = key;
    }
  }

  /// @param opening of its schedule
  /// @param looksAtTheClock whether a thread looks what is due; else registration alone does
  Resumable(
      Holdfast store,
      String name,
      Options<A> options,
      StoredCalls<A, R> stored,
      Supplier<Schedule<A>> opening,
      boolean looksAtTheClock) {
    this.opening = opening;
    this.looksAtTheClock = looksAtTheClock;
    this.store = store;
    this.name = name;
    this.options = options;
    this.stored = stored;
  }

  /// How calls are made. Immutable.
  ///
  /// @param <A> the class of arguments
  public static final class Options<A> {
    private static final Duration WEEK = Duration.ofDays(7);

    private final Function<? super A, ?> key;
    private final int version;
    private final BiFunction<Integer, ? super A, ? extends A> upgrade;
    private final boolean isRetried;
    private final long keptMax;
    private final Duration keptFor;

    private Options(
        Function<? super A, ?> key,
        int version,
        BiFunction<Integer, ? super A, ? extends A> upgrade,
        boolean isRetried,
        long keptMax,
        Duration keptFor) {
      this.key = key;
      this.version = version;
      this.upgrade = upgrade;
      this.isRetried = isRetried;
      this.keptMax = keptMax;
      this.keptFor = keptFor;
    }

    /// No order, version 0, failures are final, results are kept for a week.
    public static <A> Options<A> defaults() {
      return new Options<>(null, 0, null, false, Long.MAX_VALUE, WEEK);
    }

    /// Makes calls of one key one after the other, in the order in which they were accepted. Calls
    /// in sections are made with their section, whatever waits.
    ///
    /// @param keyOf of an argument; keys are compared by `equals`; `null` for one without an order
    public Options<A> orderedBy(Function<? super A, ?> keyOf) {
      return new Options<>(
          Objects.requireNonNull(keyOf, "keyOf"), version, upgrade, isRetried, keptMax, keptFor);
    }

    /// Says which version the function is. Calls that were accepted or scheduled for another one,
    /// and are not finished, have its registration refused.
    public Options<A> version(int number) {
      return new Options<>(key, number, null, isRetried, keptMax, keptFor);
    }

    /// Says which version the function is, and what becomes of the arguments of unfinished calls
    /// that were accepted or scheduled for another one.
    ///
    /// @param upgraded from that version and the argument to what this version is given
    public Options<A> version(int number, BiFunction<Integer, ? super A, ? extends A> upgraded) {
      return new Options<>(
          key, number, Objects.requireNonNull(upgraded, "upgraded"), isRetried, keptMax, keptFor);
    }

    /// Has a call whose function throws stay unfinished. It is made again by {@link #run} with its
    /// id, by {@link #resume}, by the next registration, and before a later call of its key, which
    /// waits for it.
    public Options<A> retryFailed() {
      return new Options<>(key, version, upgrade, true, keptMax, keptFor);
    }

    /// Says how long ids and results of finished calls are kept. What is older, or is one of too
    /// many, is forgotten at registration, and when a further call with an id is finished outside
    /// of sections.
    ///
    /// @param most how many at most, at least 1
    /// @param longest for how long, more than nothing
    /// @throws IllegalArgumentException if either is less
    public Options<A> keep(long most, Duration longest) {
      if (most < 1 || !longest.isPositive()) {
        throw new IllegalArgumentException(
            "results must be kept: most=%d, min=1; longest=%s, min=1 ns".formatted(most, longest));
      }
      return new Options<>(key, version, upgrade, isRetried, most, longest);
    }

    int version() {
      return version;
    }

    BiFunction<Integer, ? super A, ? extends A> upgrade() {
      return upgrade;
    }

    long keptMax() {
      return keptMax;
    }

    Duration keptFor() {
      return keptFor;
    }
  }

  /// What became of a call that is finished.
  ///
  /// @param finished to the millisecond
  /// @param result `null` if it failed, or if its function returned that
  /// @param failure the exception of its function, as a text; `null` if there was none
  public record Outcome<R>(Instant finished, R result, String failure) {}

  /// What it was registered by.
  public String name() {
    return name;
  }

  /// Makes a call, and returns what the function returns.
  ///
  /// @throws RuntimeException what the function throws
  /// @throws IllegalStateException if a call of its key that failed is to be made before it; this
  ///   one was accepted
  /// @throws io.holdfast.core.RegionFullException if the device has no room. Either the call was
  ///   not accepted, or it is unfinished: {@link Holdfast#unfinished} says which
  public R run(A argument) {
    return runOnce(null, argument);
  }

  /// Makes a call, unless one of this id was made before: then the argument, which must not be
  /// null, does not matter, and this returns what that one returned, once it is finished.
  ///
  /// @param id not empty; one that begins with `#` is refused
  /// @throws IllegalArgumentException if it is no such id
  /// @throws CallFailedException if a call of this id was made and failed
  /// @throws RuntimeException as {@link #run(Object)}
  public R run(String id, A argument) {
    return runOnce(checked(id), argument);
  }

  private static String checked(String id) {
    if (Objects.requireNonNull(id, "id").isEmpty() || id.startsWith("#")) {
      throw new IllegalArgumentException(
          "not an id of a call: id=\"%s\", allowed=not empty, and without # at its beginning"
              .formatted(id));
    }
    return id;
  }

  private R runOnce(String id, A argument) {
    if (SectionHooks.inSection()) {
      return store.transaction(() -> stored.performInside(id, argument));
    }
    Object key = keyOf(argument);
    StoredCalls.Admission<R> admission = stored.admit(id, argument, false);
    if (admission.isFinished()) {
      store.awaitDurable("run");
      return stored.result(admission.kept());
    }
    return perform(admission.isNew() ? add(admission.number(), id, key) : find(id, admission));
  }

  /// Before a call is accepted or scheduled: no key, no call, and none whose key can't be looked
  /// up. Else it would be there, and be refused at each registration.
  private Object keyOf(A argument) {
    Object key = options.key == null ? null : options.key.apply(argument);
    if (key != null) {
      lanes.computeIfPresent(key, (_, lane) -> lane);
    }
    return key;
  }

  /// Accepts a call, durably, and makes it in a virtual thread.
  ///
  /// @return what `run` returns or throws; not cancelled by `cancel`
  /// @throws io.holdfast.core.RegionFullException if the device has no room: it was not accepted
  public CompletableFuture<R> submit(A argument) {
    return submitOnce(null, argument);
  }

  /// Accepts a call, durably, unless one of this id was made before; see {@link #run(String,
  /// Object)}.
  public CompletableFuture<R> submit(String id, A argument) {
    return submitOnce(checked(id), argument);
  }

  private CompletableFuture<R> submitOnce(String id, A argument) {
    Object key = keyOf(argument);
    CompletableFuture<R> future = new CompletableFuture<>();
    if (SectionHooks.inSection()) {
      store.transaction(
          () -> {
            StoredCalls.Admission<R> admission = stored.admit(id, argument, true);
            Submitted<R> call = new Submitted<>(admission.number(), id, key);
            if (key != null && admission.isNew()) {
              submitted.add(call);
            }
            store.onDurable(
                () -> {
                  try {
                    start(call, admission, future);
                  } catch (Throwable e) {
                    future.completeExceptionally(e);
                  }
                });
          });
    } else {
      StoredCalls.Admission<R> admission = stored.admit(id, argument, true);
      start(new Submitted<>(admission.number(), id, key), admission, future);
    }
    return future;
  }

  private void start(
      Submitted<R> call, StoredCalls.Admission<R> admission, CompletableFuture<R> future) {
    // A new one before a later call of its key.
    PendingCall<R> added = admission.isNew() ? add(call) : null;
    submitted.remove(call);
    Thread.ofVirtual()
        .name("holdfast-resumable")
        .start(
            () -> {
              try {
                future.complete(
                    admission.isFinished()
                        ? stored.result(admission.kept())
                        : perform(added == null ? find(call.id, admission) : added));
              } catch (Throwable e) {
                future.completeExceptionally(e);
              }
            });
  }

  /// Has a call accepted at a time, durably, in this process or in a later one: as {@link
  /// #submit(Object)} at that time, or as soon as the function is registered after it. What becomes
  /// of it nobody waits for.
  ///
  /// @param when by the system's clock, to the millisecond; may be over
  /// @throws io.holdfast.core.RegionFullException if the device has no room: nothing has changed
  public void at(Instant when, A argument) {
    schedule(null, when, 0, argument);
  }

  /// The same for a call with an id, unless one of this id is scheduled or was accepted; see {@link
  /// #run(String, Object)}.
  ///
  /// @throws IllegalArgumentException if the id is empty, or begins with `#`
  public void at(String id, Instant when, A argument) {
    if (stored.kept(checked(id)) == null) {
      schedule(id, when, 0, argument);
    }
  }

  /// Has calls accepted again and again, the first one a period from now; see {@link #every(String,
  /// Instant, Duration, Object)}.
  ///
  /// @throws IllegalArgumentException as there
  public void every(String id, Duration period, A argument) {
    checkPeriod(period);
    every(id, Instant.now().plus(period), period, argument);
  }

  private void checkPeriod(Duration period) {
    if (period.compareTo(PERIOD_MIN) < 0 || period.compareTo(PERIOD_MAX) > 0) {
      throw new IllegalArgumentException(
          "%s: resumable %s: repeated too often, or too seldom: period=%s, min=%s, max=%s"
              .formatted(store.path(), name, period, PERIOD_MIN, PERIOD_MAX));
    }
  }

  /// Has calls accepted again and again, as {@link #at(Instant, Object)}, until {@link #cancel}.
  /// Programs may say so at each start: if the same is scheduled under this id already, with this
  /// period and an argument that is equal, it goes on as it is; anything else under it is replaced.
  /// It begins anew, too, if its next call is later than `first` and more than two periods away:
  /// the system's clock ran ahead when that was put off.
  ///
  /// Times that pass while no process has the function registered, or while the store is busy, are
  /// made up for by one call. The calls themselves have no id.
  ///
  /// @param id of the repetition, as that of a call
  /// @param first when the first one is due, no earlier than some thousand years before 1970
  /// @param period to the millisecond, at least one, and at most some thousand years
  /// @throws IllegalArgumentException if one of these is out of range
  public void every(String id, Instant first, Duration period, A argument) {
    checkPeriod(period);
    if (first.isBefore(FIRST_MIN)) {
      throw new IllegalArgumentException(
          "%s: resumable %s: repeated since too long: first=%s, min=%s"
              .formatted(store.path(), name, first, FIRST_MIN));
    }
    schedule(checked(id), first, period.toMillis(), argument);
  }

  private void schedule(String id, Instant when, long everyMillis, A argument) {
    Objects.requireNonNull(argument, "argument");
    keyOf(argument);
    Instant at = new Due<>(when, name).at();
    schedule().add(new Scheduled<>(at, id, argument, everyMillis, options.version()));
  }

  /// Takes back what is scheduled under an id. What is accepted is made all the same.
  ///
  /// @return whether there was something
  /// @throws IllegalArgumentException if the id is empty, or begins with `#`
  public boolean cancel(String id) {
    return schedule().cancel(checked(id));
  }

  /// What is scheduled at the moment, the next one first; of repeated calls the next time.
  public List<Due<A>> scheduled() {
    return schedule().all();
  }

  private synchronized Schedule<A> schedule() {
    if (schedule == null) {
      // What a transaction creates stays there, though a section around it is rolled back.
      Schedule<A> opened = store.transaction(opening);
      if (looksAtTheClock) {
        opened.start(this::submitOnce);
      }
      schedule = opened; // not before: its thread may be refused
    }
    return schedule;
  }

  /// What became of a call with an id, or of one that failed. One that failed without an id has the
  /// name `#` and a number: `holdfast dump FILE NAME/results` shows it, and so does what {@link
  /// #resume} tells in the log.
  ///
  /// @return nothing if there was none, if it is not finished, or if it was forgotten
  public Optional<Outcome<R>> outcome(String id) {
    Kept<R> kept = stored.kept(Objects.requireNonNull(id, "id"));
    return kept == null || kept.finished() == null
        ? Optional.empty()
        : Optional.of(new Outcome<>(kept.finished(), kept.result(), kept.failure()));
  }

  /// Makes the calls that are not finished, in the order in which they were accepted, and waits for
  /// those that other threads are at. One whose function throws, an `Error` too, is told in the log
  /// of `io.holdfast`. Registration does this.
  ///
  /// @throws IllegalStateException inside of a section
  public void resume() {
    if (SectionHooks.inSection()) {
      throw new IllegalStateException(
          "%s: resumable %s: calls are resumed outside of sections alone, each in a transaction of its own"
              .formatted(store.path(), name));
    }
    for (PendingCall<R> call : new ConcurrentSkipListMap<>(pending).values()) {
      try {
        perform(call);
      } catch (Exception | Error e) { // one of this call is no reason to leave the next ones
        if (stored.isOfTheStore(e)) {
          throw e;
        }
        tell(call, e);
      }
    }
  }

  private void tell(PendingCall<R> call, Throwable thrown) {
    System.getLogger("io.holdfast")
        .log(
            Level.WARNING,
            "%s: resumable %s: call %s failed, and %s"
                .formatted(
                    store.path(),
                    name,
                    call.id() == null ? "#" + call.number() : call.id(),
                    options.isRetried || thrown instanceof Error
                        ? "stays unfinished"
                        : "is recorded as failed"),
            thrown);
  }

  /// Makes what an earlier process left, and forgets what it would have.
  ///
  /// @param isScheduled whether it has a schedule
  void resumeWhatIsLeft(boolean isScheduled) {
    stored.readAll().forEach(this::add);
    if (isScheduled) {
      Schedule<A> left = opening.get();
      left.upgrade(options.version(), stored::upgraded);
      left.acceptDue((id, argument) -> stored.admit(id, argument, true));
      stored.readAll().forEach(this::add);
    }
    resume();
    stored.forget();
    if (isScheduled) {
      schedule(); // last: its thread outlives a registration that fails
    }
  }

  private void add(long number, Call<A> call) {
    add(number, call.id(), keyOf(call.argument()));
  }

  /// The same one to both, its action and a later call of its key: whoever comes second may come
  /// when it is finished.
  private PendingCall<R> add(Submitted<R> call) {
    synchronized (call) {
      if (call.call == null) {
        call.call = add(call.number, call.id, call.key);
      }
      return call.call;
    }
  }

  /// Those of ended sections that were accepted before a call, and whose actions are still to come.
  private void addSubmitted(PendingCall<R> later) {
    if (later.lane().key() == null) {
      return;
    }
    for (Submitted<R> each : List.copyOf(submitted)) {
      if (each.number < later.number()
          && each.key.equals(later.lane().key())
          && stored.read(each.number) != null) {
        add(each);
      }
    }
  }

  private PendingCall<R> add(long number, String id, Object key) {
    return pending.computeIfAbsent(
        number,
        _ -> {
          if (key == null) {
            return new PendingCall<>(number, id, stored.lane(null));
          }
          AtomicReference<PendingCall<R>> added = new AtomicReference<>();
          lanes.compute(
              key,
              (_, there) -> {
                Lane<R> lane = there == null ? stored.lane(key) : there;
                added.set(new PendingCall<>(number, id, lane));
                lane.add(added.get());
                return lane;
              });
          return added.get();
        });
  }

  private void finished(PendingCall<R> call) {
    pending.remove(call.number());
    Object key = call.lane().key();
    if (key != null) {
      lanes.computeIfPresent(key, (_, lane) -> lane.remove(call) ? null : lane);
    }
  }

  /// The unfinished call that has an id already.
  ///
  /// @return one that takes its result from what is kept, if it is finished by now
  private PendingCall<R> find(String id, StoredCalls.Admission<R> admission) {
    PendingCall<R> known = pending.get(admission.number());
    if (known != null) {
      return known;
    }
    // It was accepted in a section a moment ago, or is finished by now.
    Call<A> there = stored.read(admission.number());
    return there == null
        ? new PendingCall<>(admission.number(), id, stored.lane(null))
        : add(admission.number(), id, keyOf(there.argument()));
  }

  private R perform(PendingCall<R> call) {
    Lane<R> lane = call.lane();
    lane.turn.take();
    try {
      addSubmitted(call);
      for (PendingCall<R> before : lane.before(call)) {
        performBefore(before, call);
      }
      performOnce(call);
      return call.result();
    } finally {
      lane.turn.unlock();
    }
  }

  /// X4
  private void performBefore(PendingCall<R> before, PendingCall<R> call) {
    try {
      performOnce(before);
    } catch (Exception e) {
      if (stored.isOfTheStore(e)) {
        throw e;
      }
      throw new IllegalStateException(
          "%s: resumable %s: call #%d waits for call #%d of the same key, which failed and is to be made before it: %s"
              .formatted(store.path(), name, call.number(), before.number(), e),
          e);
    }
  }

  /// With the lane's turn.
  ///
  /// @throws RuntimeException what leaves it unfinished, or a checked exception
  private void performOnce(PendingCall<R> call) {
    if (call.isFinished()) {
      return;
    }
    try {
      call.succeeded(stored.perform(call.number(), call.id()));
    } catch (Exception e) { // a checked one, too, of a function in another language
      if (stored.isOfTheStore(e) || options.isRetried) {
        throw e;
      }
      stored.fail(call.number(), call.id(), e);
      call.failed(e);
    }
    finished(call);
    if (call.id() != null) {
      stored.forget();
    }
  }

  @Override
  public String toString() {
    return "Resumable[%s, unfinished=%d]".formatted(name, pending.size());
  }
}
