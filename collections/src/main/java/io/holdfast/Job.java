package io.holdfast;

import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.StoredCollection;
import io.holdfast.collections.overlay.Transactions;
import io.holdfast.core.region.Region;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/// Long work that goes on where it was, as its body sees it; see {@link Holdfast#job(String, Class,
/// Object, BiConsumer)}.
///
/// ```java
/// record Cursor(long line) {}
///
/// store.job("import", Cursor.class, new Cursor(0), (from, job) -> {
///   for (long line = from.line(); line < lines; line++) {
///     load(line);                     // changes collections
///     job.at(new Cursor(line + 1));   // a place to go on from
///   }
/// });
/// ```
///
/// - **J1** The state of the last cut and what the body did up to it are there together. Of what it
///   did after that nothing is there, after a crash as after an exception. So what a job does is
///   done once, however often it is killed. Test: JobCrashTest.j1EachLineIsLoadedOnce.
///
/// *Cuts.* Not each safe point is stored. One is when 1,000 changes were made since the last cut,
/// or 50 ms have passed; {@link Options} has other numbers. A cut does not wait for a device: a
/// loss of power may take some of the last ones. The end of the job waits for all.
///
/// *Transactions.* From one cut to the next is a transaction ({@link
/// Holdfast#transaction(java.util.function.Supplier)}). If something that the body has read changes
/// meanwhile, an exception ends the body, which it must let pass, and it is begun again with the
/// state of the last cut. So jobs that run at the same time should change keys of their own, and
/// what the body does elsewhere may be done again.
///
/// *Exceptions* of the body undo what it did since the last cut, and go on to the caller. The next
/// call with the name goes on at that cut. An interrupt does not end a job; its body may.
///
/// Confined to the thread of the body.
///
/// @param <S> the class of states, which are values: what the codec stores of them
public final class Job<S> {
  /// The only key.
  private static final long KEY = 0;

  private final Holdfast store;
  private final Region region;
  private final String name;
  private final Options options;
  private final Transactions transactions;
  private final EncodedBy<StoredJob<S>> codec;
  private final PersistentHashMap<Long, byte[]> stored;
  private final Thread thread = Thread.currentThread();
  private boolean isOver;

  /// The last one that was told.
  private S last;

  /// The last cut.
  private StoredJob<S> cut;

  private long cutNanos;
  private JobCutEvent event;

  Job(
      Holdfast store,
      Region region,
      String name,
      Options options,
      Transactions transactions,
      EncodedBy<StoredJob<S>> codec,
      PersistentHashMap<Long, byte[]> stored) {
    this.store = store;
    this.region = region;
    this.name = name;
    this.options = options;
    this.transactions = transactions;
    this.codec = codec;
    this.stored = stored;
  }

  /// How often a job is cut: at the first safe point after either.
  ///
  /// @param changes of elements of collections, at least 1
  /// @param time more than nothing
  public record Options(long changes, Duration time) {
    private static final Options DEFAULTS = new Options(1_000, Duration.ofMillis(50));

    /// @throws IllegalArgumentException if either is less
    public Options {
      if (changes < 1 || !time.isPositive()) {
        throw new IllegalArgumentException(
            "a job is cut too often: changes=%d, min=1; time=%s, min=1 ns"
                .formatted(changes, time));
      }
    }

    /// After 1,000 changes, or 50 ms.
    public static Options defaults() {
      return DEFAULTS;
    }

    /// After that many changes. The heap holds all of them until then.
    ///
    /// @throws IllegalArgumentException if it is less than 1
    public Options every(long number) {
      return new Options(number, time);
    }

    /// After that time.
    ///
    /// @throws IllegalArgumentException if it is not more than zero
    public Options atMost(Duration longest) {
      return new Options(changes, longest);
    }
  }

  /// How far a job has come; see {@link Holdfast#jobs}.
  ///
  /// @param name what it is called by
  /// @param state of its last cut, as it can be read without its class: a record is a `Map` from
  ///   its components' names to values, an enum's constant is its name, an array is a `List`, but
  ///   for `byte[]`
  /// @param isFinished whether its body has returned
  /// @param started when it was called first, to the millisecond
  /// @param cut when it was cut last, to the millisecond
  /// @param cuts how many there were; its end is one
  /// @param changes of elements of collections until the last cut
  public record Progress(
      String name,
      Object state,
      boolean isFinished,
      Instant started,
      Instant cut,
      long cuts,
      long changes) {}

  /// Tells a safe point: whoever begins the body with this state does what is left to be done. It
  /// costs some nanoseconds if the job is not cut here.
  ///
  /// @throws IllegalStateException if it is told from another thread, after the body, or in a
  ///   section, a transaction, an alternative or an operation of a collection inside of the body,
  ///   which a cut would divide
  /// @throws io.holdfast.core.RegionFullException if the device has no room; the job is as of its
  ///   last cut
  public void at(S state) {
    Objects.requireNonNull(state, "state");
    check();
    last = state;
    if (transactions.changes() >= options.changes()
        || System.nanoTime() - cutNanos >= TimeUnit.NANOSECONDS.convert(options.time())) {
      StoredJob<S> next = store(false);
      transactions.cut();
      told(next);
    }
  }

  @SuppressWarnings("ReferenceEquality") // this very thread
  private void check() {
    String fault = null;
    if (Thread.currentThread() != thread) {
      fault = "from another thread";
    } else if (isOver) {
      fault = "after the body";
    } else if (!transactions.canCut()) {
      fault = "in a section or transaction inside of the body, which a cut would divide";
    }
    if (fault != null) {
      throw new IllegalStateException(
          "%s: job %s: a safe point is told %s. Tell it in the body, and after such a block"
              .formatted(store.path(), name, fault));
    }
    StoredCollection.checkOutside(region);
  }

  /// J1: in the transaction of what was done until here.
  private StoredJob<S> store(boolean isFinished) {
    StoredJob<S> next =
        new StoredJob<>(
            last,
            isFinished,
            cut.started(),
            now(),
            cut.cuts() + 1,
            cut.changes() + transactions.changes());
    stored.put(KEY, codec.bytes(next));
    return next;
  }

  private static Instant now() {
    return Instant.ofEpochMilli(System.currentTimeMillis());
  }

  private void told(StoredJob<S> next) {
    if (event.shouldCommit()) {
      event.store = store.path().toString();
      event.job = name;
      event.cuts = next.cuts();
      event.changes = next.changes() - cut.changes();
      event.isFinished = next.finished();
      event.commit();
    }
    begunAt(next);
  }

  private void begunAt(StoredJob<S> here) {
    cut = here;
    cutNanos = System.nanoTime();
    event = new JobCutEvent();
    event.begin();
  }

  /// Runs what is left of it.
  ///
  /// @return the last state
  S run(S start, BiConsumer<? super S, ? super Job<S>> body) {
    Instant now = now();
    stored.putIfAbsent(
        KEY,
        codec.bytes(
            new StoredJob<>(Objects.requireNonNull(start, "start"), false, now, now, 0, 0)));
    try {
      StoredJob<S> end = store.transaction(() -> runFromLastCut(body));
      if (!cut.finished()) {
        told(end);
      }
      return end.state();
    } finally {
      isOver = true;
    }
  }

  private StoredJob<S> runFromLastCut(BiConsumer<? super S, ? super Job<S>> body) {
    begunAt(codec.value(stored.get(KEY)));
    if (cut.finished()) {
      return cut;
    }
    last = cut.state();
    body.accept(last, this);
    return store(true);
  }
}
