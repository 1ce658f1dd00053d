package io.holdfast;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EntryCodec;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.kind.CollectionKind;
import io.holdfast.collections.overlay.Transactions;
import io.holdfast.core.heap.Root;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/// The jobs of a store. Each has a collection of a kind of its own, which programs can't open, with
/// one entry: how far it has come.
///
/// Thread-safe.
final class Jobs {
  private final Holdfast store;
  private final Region region;
  private final OpenCollections collections;
  private final Transactions transactions;
  private final Set<String> running = ConcurrentHashMap.newKeySet();

  Jobs(Holdfast store, Region region, OpenCollections collections, Transactions transactions) {
    this.store = store;
    this.region = region;
    this.collections = collections;
    this.transactions = transactions;
  }

  /// As {@link Holdfast#job(String, Class, Object, Job.Options, BiConsumer)}.
  <S> S run(
      String name,
      Class<S> state,
      S start,
      Job.Options options,
      BiConsumer<? super S, ? super Job<S>> body) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(start, "start");
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(body, "body");
    Codec<StoredJob<S>> codec = Codec.of(StoredJob.class, List.of(state));
    if (SectionHooks.inSection()) {
      throw new IllegalStateException(
          "%s: job %s is called inside of a section, which its cuts would divide. Call it outside of sections"
              .formatted(store.path(), name));
    }
    if (!running.add(name)) {
      throw new IllegalStateException(
          "%s: job %s is running. Wait for it, or use another name".formatted(store.path(), name));
    }
    try {
      EntryCodec<Long, StoredJob<S>> entries = new EntryCodec<>(Codec.of(Long.class), codec);
      PersistentHashMap<Long, byte[]> stored =
          collections.open(
              name,
              new Kind.OfBytes(
                  CollectionKind.JOB,
                  entries.fingerprint(),
                  found -> entries.adaptedTo(found).fingerprint()));
      EncodedBy<StoredJob<S>> adapted =
          new EncodedBy<>(entries.adaptedTo(region.roots().find(name).fingerprint()).value());
      return new Job<>(store, region, name, options, transactions, adapted, stored)
          .run(start, body);
    } finally {
      running.remove(name);
    }
  }

  /// As {@link Holdfast#jobs}.
  List<Job.Progress> progress() {
    return collections.list(CollectionKind.JOB, Jobs::read);
  }

  private static Stream<Job.Progress> read(Root root, Map<Long, byte[]> stored) {
    var form = EncodedBy.asForm(root);
    return stored.values().stream()
        .map(form::value)
        .map(Map.class::cast)
        .map(job -> progress(root.name(), job));
  }

  private static Job.Progress progress(String name, Map<?, ?> job) {
    return new Job.Progress(
        name,
        job.get("state"),
        (Boolean) job.get("finished"),
        (Instant) job.get("started"),
        (Instant) job.get("cut"),
        (Long) job.get("cuts"),
        (Long) job.get("changes"));
  }
}
