package io.holdfast;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EntryCodec;
import io.holdfast.collections.PersistentDelayQueue;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.kind.CollectionKind;
import io.holdfast.core.heap.Root;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/// The resumables of a store. Each has three collections of kinds of their own, which programs
/// can't open: its unfinished calls under its name, and two more under that name and a suffix, for
/// what became of calls with an id. From its first scheduled call on it has another two for these.
///
/// Thread-safe.
final class Resumables {
  private static final String RESULTS = "/results";
  private static final String FINISHED = "/finished";
  private static final String SCHEDULED = "/scheduled";
  private static final String SCHEDULED_IDS = "/scheduledIds";

  private static final List<String> PARTS = List.of(RESULTS, FINISHED, SCHEDULED, SCHEDULED_IDS);

  /// The result of a function that has none, in fingerprints.
  record Nothing() {}

  private final Holdfast store;
  private final Region region;
  private final OpenCollections collections;
  private final boolean onFile;
  private final Set<String> registered = ConcurrentHashMap.newKeySet();

  /// @param onFile whether the region outlives the process as a file does
  Resumables(Holdfast store, Region region, OpenCollections collections, boolean onFile) {
    this.store = store;
    this.region = region;
    this.collections = collections;
    this.onFile = onFile;
  }

  /// As {@link Holdfast#resumable}.
  <A, R> Resumable<A, R> register(
      String name,
      Class<A> argument,
      Class<?> result,
      Resumable.Options<A> options,
      Function<? super A, ? extends R> function) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(function, "function");
    Codec<Call<A>> call = Codec.of(Call.class, List.of(argument));
    Codec<Kept<R>> kept = Codec.of(Kept.class, List.of(result));
    if (SectionHooks.inSection()) {
      throw new IllegalStateException(
          "%s: resumable %s is registered inside of a section, and would run what is unfinished there. Register it before"
              .formatted(store.path(), name));
    }
    if (!registered.add(name)) {
      throw new IllegalStateException(
          "%s: resumable %s is registered already. Use that, or another name"
              .formatted(store.path(), name));
    }
    boolean isDone = false;
    try {
      Resumable<A, R> made =
          new Resumable<>(
              store,
              name,
              options,
              open(name, call, kept, options, function),
              () -> schedule(name, argument),
              onFile);
      made.resumeWhatIsLeft(region.roots().find(name + SCHEDULED_IDS) != null);
      isDone = true;
      return made;
    } finally {
      if (!isDone) {
        registered.remove(name);
      }
    }
  }

  private synchronized <A, R> StoredCalls<A, R> open(
      String name,
      Codec<Call<A>> call,
      Codec<Kept<R>> kept,
      Resumable.Options<A> options,
      Function<? super A, ? extends R> function) {
    EntryCodec<Long, Call<A>> entries = new EntryCodec<>(Codec.of(Long.class), call);
    Kind<PersistentHashMap<Long, byte[]>> ofCalls =
        new Kind.OfBytes(
            CollectionKind.RESUMABLE,
            entries.fingerprint(),
            stored -> entries.adaptedTo(stored).fingerprint());
    Kind<PersistentHashMap<String, Kept<R>>> ofResults =
        new Kind.OfHashMap<>(
            CollectionKind.RESUMABLE_RESULTS, new EntryCodec<>(Codec.of(String.class), kept));
    collections.check(name, ofCalls); // a registration that is refused leaves nothing
    collections.check(name + RESULTS, ofResults);
    if (region.roots().find(name) == null) {
      deleteParts(name);
    }
    PersistentQueue<Finished> finished =
        collections.open(
            name + FINISHED,
            new Kind.OfQueue<>(
                CollectionKind.RESUMABLE_FINISHED, Codec.of(Finished.class), Integer.MAX_VALUE));
    PersistentHashMap<String, Kept<R>> results = collections.open(name + RESULTS, ofResults);
    PersistentHashMap<Long, byte[]> calls = collections.open(name, ofCalls);
    Codec<Call<A>> adapted = entries.adaptedTo(region.roots().find(name).fingerprint()).value();
    return new StoredCalls<>(
        store, region.sections(), name, options, function, adapted, calls, results, finished);
  }

  /// Opens or creates that of a resumable.
  private <A> Schedule<A> schedule(String name, Class<A> argument) {
    Codec<Scheduled<A>> codec = Codec.of(Scheduled.class, List.of(argument));
    PersistentDelayQueue<Scheduled<A>> queue =
        collections.open(
            name + SCHEDULED,
            new Kind.OfDelayQueue<>(
                CollectionKind.RESUMABLE_SCHEDULED, new EntryCodec<>(Codec.of(UUID.class), codec)));
    PersistentHashMap<String, Scheduled<A>> ids =
        collections.open(
            name + SCHEDULED_IDS,
            new Kind.OfHashMap<>(
                CollectionKind.RESUMABLE_SCHEDULED_IDS,
                new EntryCodec<>(Codec.of(String.class), codec)));
    return new Schedule<>(store, name, queue, ids, new EncodedBy<>(codec));
  }

  /// As {@link Holdfast#unfinished}.
  List<Unfinished> unfinished() {
    return collections.list(CollectionKind.RESUMABLE, Resumables::read);
  }

  /// How many calls are unfinished.
  long count() {
    return collections
        .list(CollectionKind.RESUMABLE, (_, calls) -> Stream.of(calls.mappingCount()))
        .stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  private static Stream<Unfinished> read(Root root, Map<Long, byte[]> calls) {
    var form = EncodedBy.asForm(root);
    return new TreeMap<>(calls).values().stream().map(bytes -> read(root.name(), form, bytes));
  }

  private static Unfinished read(String name, EncodedBy<?> form, byte[] bytes) {
    Map<?, ?> call = (Map<?, ?>) form.value(bytes);
    return new Unfinished(
        name, (String) call.get("id"), call.get("argument"), (Instant) call.get("accepted"));
  }

  /// Deletes a collection, and all that a resumable of its name has.
  ///
  /// **CALL-5** The unfinished calls are deleted first, and a resumable that has none of these
  /// roots is none. What a crash leaves of the others is deleted by the next deletion or
  /// registration of the name. So each is deleted by itself, as other collections are, and no
  /// section is open between two of them, on which others would come to depend. Tests:
  /// ResumableCrashTest.call5ADeletionTakesAllOrNothing, AcknowledgedCrashTest.deletesAResumable.
  boolean delete(String name) {
    boolean deleted = deleteAll(name);
    region.sections().acknowledge(); // by who holds no lock
    return deleted;
  }

  private synchronized boolean deleteAll(String name) {
    refusePart(name);
    boolean deleted = collections.delete(name);
    deleteParts(name);
    if (registered.remove(name) && SectionHooks.inSection()) {
      region.sections().current().enlist(() -> registered.add(name)); // if it is rolled back
    }
    return deleted;
  }

  private void refusePart(String name) {
    for (String part : PARTS) {
      if (name.endsWith(part) && isPart(name, part)) {
        throw new IllegalArgumentException(
            "%s: \"%s\" is a part of resumable %s, whose ids would be forgotten. Delete that"
                .formatted(store.path(), name, name.substring(0, name.length() - part.length())));
      }
    }
  }

  /// What programs have under such a name is not touched, nor is another resumable.
  private void deleteParts(String name) {
    for (String part : PARTS) {
      if (isPart(name + part, part)) {
        collections.delete(name + part);
      }
    }
  }

  private boolean isPart(String name, String part) {
    Root root = region.roots().find(name);
    String kind =
        switch (part) {
          case RESULTS -> CollectionKind.RESUMABLE_RESULTS;
          case FINISHED -> CollectionKind.RESUMABLE_FINISHED;
          case SCHEDULED -> CollectionKind.RESUMABLE_SCHEDULED;
          default -> CollectionKind.RESUMABLE_SCHEDULED_IDS;
        };
    return root != null && root.kind().equals(kind);
  }
}
