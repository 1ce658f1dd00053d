package io.holdfast.recovery;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.codec.FormCodec;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.collections.map.EntryMap;
import io.holdfast.collections.queue.QueueChain;
import io.holdfast.collections.queue.QueueWalk;
import io.holdfast.collections.tree.repair.TreeListing;
import io.holdfast.core.heap.Root;
import io.holdfast.core.region.Region;
import io.holdfast.verification.RawCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Reads a collection's elements as the bytes that they are on media, whatever program they are of.
///
/// A queue is read from its head on, a sorted map leaf by leaf: the leaves in order, and the
/// entries of one, 64 at most, in an order of their own, since only the program may know how its
/// keys are compared. A map has no order. Memory is taken for a leaf or a segment at a time.
///
/// Not thread-safe.
public final class RootReader {
  /// Between a sorted map's codecs and the name of its comparator.
  private static final String SORTED_BY = " sorted by ";

  /// Elements of a queue that are handed over together.
  private static final int AT_A_TIME = 64;

  private final Region region;
  private final Root root;
  private final String order;
  private final List<String> parts;

  private RootReader(Region region, Root root) {
    this.region = region;
    this.root = root;
    String codecs = root.fingerprint();
    int end = root.kind().equals(PersistentTreeMap.KIND) ? codecs.indexOf(SORTED_BY) : -1;
    this.order = end < 0 ? "" : codecs.substring(end + SORTED_BY.length());
    this.parts =
        root.kind().equals(PersistentQueue.KIND)
            ? List.of(codecs)
            : FormCodec.parts(end < 0 ? codecs : codecs.substring(0, end));
  }

  /// An element, or an entry.
  ///
  /// @param key empty for a queue's
  public record Element(byte[] key, byte[] value) {}

  /// Receives elements, some at a time.
  public interface Visitor {
    /// @return whether to go on
    boolean visit(List<Element> elements);
  }

  /// Finds a root.
  ///
  /// @return `null` if the region has none of this name
  @SuppressWarnings("exports") // Region is for Holdfast's own modules
  public static RootReader of(Region region, String name) {
    Root root = region.roots().find(name);
    return root == null ? null : new RootReader(region, root);
  }

  /// Which collection it is, such as `queue`.
  public String kind() {
    return root.kind();
  }

  /// Whether elements are entries, of a key and a value.
  public boolean hasKeys() {
    return parts.size() == 2;
  }

  /// The fingerprint of the keys' codec, of a collection that has keys.
  public String keyCodec() {
    return parts.getFirst();
  }

  /// The fingerprint of the values' codec, or of a queue's elements.
  public String valueCodec() {
    return parts.getLast();
  }

  /// The name of a sorted map's comparator; empty for the natural order, and for other kinds.
  public String order() {
    return order;
  }

  /// Whether this version can read the kind.
  public boolean isKnown() {
    return switch (root.kind()) {
      case PersistentQueue.KIND -> true;
      case PersistentHashMap.KIND, PersistentTreeMap.KIND -> hasKeys();
      default -> false;
    };
  }

  /// Reads all elements, until the visitor has seen enough.
  ///
  /// @throws io.holdfast.core.RegionDamagedException naming the place, if what is read can't be
  /// @throws IllegalStateException if the kind is not known
  public void forEach(Visitor visitor) {
    switch (root.kind()) {
      case PersistentQueue.KIND -> readQueue(visitor);
      case PersistentHashMap.KIND -> readMap(visitor);
      case PersistentTreeMap.KIND ->
          new TreeListing(region, root.firstBlock())
              .forEachLeaf(
                  entries ->
                      visitor.visit(
                          entries.stream()
                              .map(each -> new Element(bytes(each.key()), bytes(each.value())))
                              .toList()));
      default -> throw new IllegalStateException("not a known kind: " + root.kind());
    }
  }

  private void readQueue(Visitor visitor) {
    QueueWalk<byte[]> walk =
        new QueueChain<>(region, new RawCodec(root.fingerprint()), root.firstBlock()).walk();
    byte[] none = new byte[0];
    List<Element> elements = new ArrayList<>();
    boolean goesOn = true;
    while (goesOn && walk.advance()) {
      elements.add(new Element(none, walk.element()));
      if (elements.size() == AT_A_TIME) {
        goesOn = visitor.visit(elements);
        elements = new ArrayList<>();
      }
    }
    if (goesOn && !elements.isEmpty()) {
      visitor.visit(elements);
    }
  }

  private void readMap(Visitor visitor) {
    EntryMap map = new EntryMap(region, root.firstBlock());
    List<EncodedEntry> entries = new ArrayList<>();
    for (EntryMap.Place at = EntryMap.Place.START; at != null; ) {
      entries.clear();
      at = map.walk(at, entries);
      List<Element> elements =
          entries.stream()
              .map(each -> new Element(bytes(each.key()), bytes(each.value())))
              .toList();
      if (!visitor.visit(elements)) {
        return;
      }
    }
  }

  private static byte[] bytes(Encoded encoded) {
    byte[] bytes = encoded.bytes();
    return bytes.length == encoded.length() ? bytes : Arrays.copyOf(bytes, encoded.length());
  }
}
