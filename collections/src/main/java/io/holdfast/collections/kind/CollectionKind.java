package io.holdfast.collections.kind;

import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.PersistentDelayQueue;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.collections.inspect.Inspector;
import io.holdfast.collections.inspect.Rescue;
import io.holdfast.collections.inspect.Trail;
import io.holdfast.core.heap.Root;
import io.holdfast.core.region.Region;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/// One kind of collection, as the store, its verification and the tools handle it that do not know
/// the classes of its elements. A root names its kind.
///
/// A new kind is a package of its own, and a line in {@link #ALL}. Elements are entries here; those
/// of a kind without keys have an empty key.
///
/// Thread-safe.
public interface CollectionKind {
  /// The unfinished calls of a resumable: a hash map that programs can't open. The names of the
  /// other kinds that a resumable has begin with this.
  String RESUMABLE = "resumable";

  /// What became of its calls that had an id: a hash map.
  String RESUMABLE_RESULTS = RESUMABLE + "Results";

  /// Their ids in the order in which they were finished: a queue.
  String RESUMABLE_FINISHED = RESUMABLE + "Finished";

  /// Its calls that are to be accepted later: a delay queue.
  String RESUMABLE_SCHEDULED = RESUMABLE + "Scheduled";

  /// Those of them that have an id, by that: a hash map.
  String RESUMABLE_SCHEDULED_IDS = RESUMABLE_SCHEDULED + "Ids";

  /// How far a job has come: a hash map that programs can't open.
  String JOB = "job";

  /// The kinds that this version knows.
  List<CollectionKind> ALL =
      List.of(
          new QueueKind(PersistentQueue.KIND),
          new HashMapKind(PersistentHashMap.KIND),
          new TreeMapKind(PersistentTreeMap.KIND, false),
          new TreeMapKind(PersistentDelayQueue.KIND, true),
          new HashMapKind(RESUMABLE),
          new HashMapKind(RESUMABLE_RESULTS),
          new QueueKind(RESUMABLE_FINISHED),
          new TreeMapKind(RESUMABLE_SCHEDULED, true),
          new HashMapKind(RESUMABLE_SCHEDULED_IDS),
          new HashMapKind(JOB));

  /// Whether those of a kind are parts of something that is no collection to programs.
  static boolean isHidden(String name) {
    return name.startsWith(RESUMABLE) || name.equals(JOB);
  }

  /// Finds a kind by its name.
  static Optional<CollectionKind> of(String name) {
    for (CollectionKind kind : ALL) {
      if (kind.name().equals(name)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }

  /// As roots say it.
  String name();

  /// The name of the kind whose blocks look the same.
  String layout();

  /// The fingerprints of the codecs: of the keys and the values, or of the elements.
  ///
  /// @param fingerprint the root's
  List<String> codecs(String fingerprint);

  /// How many codecs there are: 2 where elements have keys.
  int parts();

  /// The name of the comparator that the root's fingerprint names; empty for none.
  default String order(String fingerprint) {
    return "";
  }

  /// Whether elements are in the order of their keys.
  default boolean isSorted() {
    return false;
  }

  /// Whether keys are times, in a form of our own: UUIDs that begin with milliseconds since 1970.
  default boolean isByTime() {
    return false;
  }

  /// Makes an empty collection in the calling thread's section.
  ///
  /// @param fingerprint as its root says it
  /// @return its first block
  long create(Region region, String fingerprint);

  /// Frees some blocks of a collection that nobody can find any more, in the calling thread's
  /// section (ROOT-4).
  ///
  /// @return whether these were the last
  boolean freeSome(Region region, Root root);

  /// How many elements there are, if that can be said without a look at all of them.
  ///
  /// @param quickly whether a few milliseconds are the most
  OptionalLong count(Region region, Root root, boolean quickly);

  /// A collection that can be walked.
  interface Walk {
    /// Has an inspector look at all of the collection but its first block.
    ///
    /// @return how many elements there are, as soon as all parts have run
    LongAdder run(Inspector inspector, Trail trail);
  }

  /// Opens a collection to be proven sound, while nobody changes it.
  ///
  /// @throws io.holdfast.core.HoldfastException if it can't be opened
  Walk open(Region region, Root root, KeyCodecs codecs);

  /// Receives elements, some at a time.
  interface Visitor {
    /// @return whether to go on
    boolean visit(List<EncodedEntry> elements);
  }

  /// Reads all elements, some at a time, until the visitor has seen enough.
  ///
  /// @throws io.holdfast.core.RegionDamagedException naming the place, if what is read can't be
  void forEach(Region region, Root root, Visitor visitor);

  /// Whether elements can be added to a collection of this fingerprint: the order of its keys must
  /// be known.
  default boolean takesElements(String fingerprint, KeyCodecs codecs) {
    return true;
  }

  /// Opens an empty collection to add elements, as {@link #forEach} gives them.
  Consumer<List<EncodedEntry>> adder(Region region, Root root, KeyCodecs codecs);

  /// Takes what can be read of a damaged collection.
  ///
  /// @param isAlone whether the region has no other collection of this layout, so that blocks that
  ///   look like this kind's are this collection's
  void rescue(Region region, Root root, Trail trail, boolean isAlone, Rescue rescue);
}
