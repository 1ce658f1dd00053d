package io.holdfast.recovery;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.codec.FormCodec;
import io.holdfast.collections.kind.CollectionKind;
import io.holdfast.core.heap.Root;
import io.holdfast.core.region.Region;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Reads a collection's elements as the bytes that they are on media, whatever program they are of.
///
/// In which order: as `CollectionKind` of its kind says. Memory is taken for some elements at a
/// time.
///
/// Not thread-safe.
public final class RootReader {
  private final Region region;
  private final Root root;
  private final Optional<CollectionKind> kind;
  private final List<String> parts;

  private RootReader(Region region, Root root) {
    this.region = region;
    this.root = root;
    this.kind = CollectionKind.of(root.kind());
    String fingerprint = root.fingerprint();
    this.parts = kind.isPresent() ? kind.get().codecs(fingerprint) : FormCodec.parts(fingerprint);
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
    return kind.isPresent() ? kind.get().order(root.fingerprint()) : "";
  }

  /// Whether elements are in the order of their keys, of 64 neighbours or fewer in any.
  public boolean isSorted() {
    return kind.isPresent() && kind.get().isSorted();
  }

  /// Whether keys are times: see {@link CollectionKind#isByTime}.
  public boolean isByTime() {
    return kind.isPresent() && kind.get().isByTime();
  }

  /// Whether this version can read the kind.
  public boolean isKnown() {
    return kind.isPresent() && kind.get().parts() == parts.size();
  }

  /// Reads all elements, until the visitor has seen enough.
  ///
  /// @throws io.holdfast.core.RegionDamagedException naming the place, if what is read can't be
  /// @throws IllegalStateException if the kind is not known
  public void forEach(Visitor visitor) {
    kind.orElseThrow(() -> new IllegalStateException("not a known kind: " + root.kind()))
        .forEach(region, root, entries -> visitor.visit(elements(entries)));
  }

  private static List<Element> elements(List<EncodedEntry> entries) {
    return entries.stream()
        .map(each -> new Element(bytes(each.key()), bytes(each.value())))
        .toList();
  }

  private static byte[] bytes(Encoded encoded) {
    byte[] bytes = encoded.bytes();
    return bytes.length == encoded.length() ? bytes : Arrays.copyOf(bytes, encoded.length());
  }
}
