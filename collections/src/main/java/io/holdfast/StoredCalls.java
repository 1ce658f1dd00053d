package io.holdfast;

import io.holdfast.codec.Codec;
import io.holdfast.codec.CodecException;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.overlay.Transactions;
import io.holdfast.core.CallFailedException;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.section.Sections;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// What a resumable has in the store: the calls that are not finished, by number; what became of
/// those with an id; and the order in which these were finished.
///
/// - **CALL-1** A call leaves the unfinished ones in the transaction of its effects, which keeps
///   its result under its id besides: all of that is there, or nothing. Test:
///   ResumableCrashTest.x1ACallIsDoneOnce.
/// - **CALL-2** An id is looked for and taken in one transaction, so two calls with one id are one
///   call. Test: ResumableThreadsTest.call2ManyCallsWithOneIdAreOne.
/// - **CALL-3** Numbers ascend, from one process to the next too: unfinished calls in the order of
///   their numbers are in the order in which they were accepted. Test:
///   ResumableTest.x4UnfinishedCallsRunInTheOrderOfTheirAcceptance.
/// - **CALL-4** An id that is forgotten leaves both collections in one transaction. Test:
///   ResumableTest.finishedIdsAreForgottenByCountAndByAge.
///
/// Thread-safe.
final class StoredCalls<A, R> {
  /// A process that accepts fewer calls than this in a millisecond, on average, gives no number
  /// that an earlier one gave.
  private static final int NUMBERS_PER_MILLISECOND = 1 << 16;

  private static final Transaction.Options RELAXED = Transaction.Options.defaults().relaxed();

  private final Holdfast store;
  private final Sections sections;
  private final String name;
  private final Resumable.Options<A> options;
  private final Function<? super A, ? extends R> function;
  private final EncodedBy<Call<A>> codec;
  private final PersistentHashMap<Long, byte[]> calls;
  private final PersistentHashMap<String, Kept<R>> results;
  private final PersistentQueue<Finished> finished;
  private final AtomicLong last = new AtomicLong();
  private final ReentrantLock forgetting = new ReentrantLock();

  /// @param codec as adapted to what is stored
  /// @param calls encoded by that
  StoredCalls(
      Holdfast store,
      Sections sections,
      String name,
      Resumable.Options<A> options,
      Function<? super A, ? extends R> function,
      Codec<Call<A>> codec,
      PersistentHashMap<Long, byte[]> calls,
      PersistentHashMap<String, Kept<R>> results,
      PersistentQueue<Finished> finished) {
    this.store = store;
    this.sections = sections;
    this.name = name;
    this.options = options;
    this.function = function;
    this.codec = new EncodedBy<>(codec);
    this.calls = calls;
    this.results = results;
    this.finished = finished;
  }

  /// What came of asking for a call.
  ///
  /// @param kept what is known of its id, if that was used before; else `null`
  /// @param number of the call, if it is not finished
  record Admission<R>(Kept<R> kept, long number) {
    boolean isNew() {
      return kept == null;
    }

    boolean isFinished() {
      return kept != null && kept.finished() != null;
    }
  }

  /// All calls that are not finished, in the order in which they were accepted.
  ///
  /// @throws IllegalStateException if one was accepted for another version of the function, and
  ///   there is no upgrade
  Map<Long, Call<A>> readAll() {
    Map<Long, Call<A>> found = new TreeMap<>(Comparator.naturalOrder());
    calls.forEach((number, bytes) -> found.put(number, accepted(number, bytes)));
    long fromTheClock = System.currentTimeMillis() * NUMBERS_PER_MILLISECOND;
    last.set(found.keySet().stream().reduce(fromTheClock, Math::max)); // CALL-3
    return found;
  }

  /// One that is not finished; `null` if it is by now.
  Call<A> read(long number) {
    byte[] stored = calls.get(number);
    return stored == null ? null : accepted(number, stored);
  }

  private Call<A> accepted(long number, byte[] stored) {
    try {
      return decoded(stored);
    } catch (CodecException e) {
      throw new CodecException(
          "%s: resumable %s: call #%d is not finished, and its argument cannot be read: %s. Register a class that accepts what was stored; or delete the resumable with all of its calls"
              .formatted(store.path(), name, number, e.getMessage()),
          e);
    }
  }

  private Call<A> decoded(byte[] stored) {
    Call<A> call = codec.value(stored);
    return call.version() == options.version()
        ? call
        : new Call<>(
            call.id(),
            upgraded(call.version(), call.argument()),
            call.accepted(),
            options.version());
  }

  /// Converts an argument of another version to what this one is given.
  ///
  /// @throws IllegalStateException if there is no upgrade
  A upgraded(int version, A argument) {
    if (options.upgrade() == null) {
      throw new IllegalStateException(
          "%s: resumable %s: a call was accepted or scheduled for another version of the function: found=%d, registered=%d. Register an upgrade for it, or run it by a program of that version"
              .formatted(store.path(), name, version, options.version()));
    }
    return options.upgrade().apply(version, argument);
  }

  /// Accepts a call, unless its id was used before.
  ///
  /// @param id `null` for none
  /// @param isWaitedFor whether it is to be durable when this returns; else with whatever this
  ///   thread waits for next
  Admission<R> admit(String id, A argument, boolean isWaitedFor) {
    byte[] bytes =
        codec.bytes(
            new Call<>(
                id,
                Objects.requireNonNull(argument, "argument"),
                Instant.ofEpochMilli(System.currentTimeMillis()),
                options.version()));
    if (id != null) {
      return store.transaction(
          isWaitedFor ? Transaction.Options.defaults() : RELAXED, () -> admitOnce(id, bytes));
    }
    long number = last.incrementAndGet();
    if (isWaitedFor) {
      calls.put(number, bytes);
    } else {
      sections.withoutWaiting(() -> calls.put(number, bytes)); // a block would hold it back
      sections.relax();
    }
    return new Admission<>(null, number);
  }

  /// CALL-2
  private Admission<R> admitOnce(String id, byte[] bytes) {
    Kept<R> kept = results.get(id);
    if (kept != null) {
      return new Admission<>(kept, kept.call());
    }
    long number = last.incrementAndGet();
    calls.put(number, bytes);
    results.put(id, new Kept<>(null, null, null, number));
    return new Admission<>(null, number);
  }

  /// Performs a call that was accepted, once: CALL-1.
  ///
  /// @param id `null` for none
  R perform(long number, String id) {
    return store.transaction(() -> performAccepted(number, id));
  }

  private R performAccepted(long number, String id) {
    byte[] stored = calls.remove(number);
    if (stored == null) { // a section has performed it as a part of itself
      return result(id == null ? null : results.get(id));
    }
    R result = function.apply(accepted(number, stored).argument()); // X3
    if (id != null) {
      keep(id, result, null);
    }
    return result;
  }

  /// Performs a call as a part of the transaction that the thread is in. If its function throws,
  /// nothing of the call is there, whatever the transaction makes of that (X2).
  ///
  /// @param id `null` for none
  R performInside(String id, A argument) {
    return Transactions.current().wholeOrNot(() -> performPart(id, argument));
  }

  private R performPart(String id, A argument) {
    Kept<R> kept = id == null ? null : results.get(id);
    if (kept != null) {
      return kept.finished() == null ? performAccepted(kept.call(), id) : result(kept);
    }
    byte[] bytes =
        codec.bytes(
            new Call<>(id, Objects.requireNonNull(argument, "argument"), null, options.version()));
    R result = function.apply(decoded(bytes).argument()); // X3
    if (id != null) {
      keep(id, result, null);
    }
    return result;
  }

  /// Whether what was thrown says nothing about a call, but that the store can't make it now. That
  /// another store is closed, which the function uses, is the function's failure.
  boolean isOfTheStore(Throwable thrown) {
    return thrown instanceof HoldfastException
        && !(thrown instanceof CallFailedException)
        && (!(thrown instanceof StoreClosedException) || sections.isClosed());
  }

  /// Finishes a call whose function has thrown. One without an id is kept under its number.
  ///
  /// @param id `null` for none
  void fail(long number, String id, Exception thrown) {
    String failure = text(thrown);
    store.transaction(
        () -> {
          if (calls.remove(number) != null) {
            keep(id == null ? "#" + number : id, null, failure);
          }
        });
  }

  /// What an exception says of itself, which is code of the program's: never `null`, by which a
  /// call that failed is told from one that did not.
  private static String text(Exception thrown) {
    String text = null;
    try {
      text = thrown.toString();
    } catch (RuntimeException e) {
      thrown.addSuppressed(e);
    }
    return text == null ? thrown.getClass().getName() : text;
  }

  private void keep(String id, R result, String failure) {
    Instant now = now();
    results.put(id, new Kept<>(now, result, failure, 0));
    finished.add(new Finished(id, now));
  }

  /// What is kept of an id; `null` if nothing is.
  Kept<R> kept(String id) {
    return results.get(id);
  }

  /// The result of a call that is finished.
  ///
  /// @throws CallFailedException if it failed
  /// @throws IllegalStateException if it is the one that the thread is in
  R result(Kept<R> kept) {
    if (kept == null) {
      throw new IllegalStateException(
          "%s: resumable %s: the call was finished, and its result is not kept any more"
              .formatted(store.path(), name));
    }
    if (kept.finished() == null) {
      throw new IllegalStateException(
          "%s: resumable %s: the function asks for the result of its own call, which is not there before it returns. Use another id for a call inside of a call"
              .formatted(store.path(), name));
    }
    if (kept.failure() != null) {
      throw new CallFailedException(
          "%s: resumable %s: the call was made before, at %s, and failed: %s. It is not repeated; use another id"
              .formatted(store.path(), name, kept.finished(), kept.failure()));
    }
    return kept.result();
  }

  Lane<R> lane(Object key) {
    return new Lane<>(sections, key);
  }

  /// Forgets finished ids that need not be kept. One thread is enough.
  void forget() {
    if (forgetting.tryLock()) {
      try {
        Duration age = ageOfOldest();
        while (isTooMuch(age) || isAhead(age)) {
          boolean isForgotten = isTooMuch(age);
          store.transaction(RELAXED, () -> takeOldest(isForgotten));
          age = ageOfOldest();
        }
      } finally {
        forgetting.unlock();
      }
    }
  }

  /// CALL-4. One that is not forgotten is kept from now on.
  private void takeOldest(boolean isForgotten) {
    Finished oldest = finished.poll();
    if (oldest != null && isForgotten) {
      results.remove(oldest.id());
    } else if (oldest != null) {
      finished.add(new Finished(oldest.id(), now()));
    }
  }

  private Duration ageOfOldest() {
    Finished oldest = finished.peek();
    return oldest == null ? Duration.ZERO : Duration.between(oldest.when(), Instant.now());
  }

  private boolean isTooMuch(Duration age) {
    return finished.size() > options.keptMax() || age.compareTo(options.keptFor()) > 0;
  }

  /// Whether the oldest id was finished while the clock was ahead, by more than ids are kept. The
  /// ids behind it would be kept until its time comes.
  private boolean isAhead(Duration age) {
    return age.negated().compareTo(options.keptFor()) > 0;
  }

  private static Instant now() {
    return Instant.ofEpochMilli(System.currentTimeMillis());
  }
}
