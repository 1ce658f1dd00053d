package io.holdfast.collections.kind;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.codec.FormCodec;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.collections.inspect.Rescue;
import io.holdfast.collections.inspect.Trail;
import io.holdfast.collections.tree.EntryTree;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.repair.TreeListing;
import io.holdfast.collections.tree.repair.TreeRescue;
import io.holdfast.core.heap.Root;
import io.holdfast.core.heap.RootDirectory.Disposal;
import io.holdfast.core.region.Region;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// Sorted maps. They are read leaf by leaf: the leaves in order, and the entries of one, 64 at
/// most, in an order of their own, since only the program may know how its keys are compared.
///
/// @param name as roots say it
record TreeMapKind(String name, boolean isByTime) implements CollectionKind {
  /// A leaf takes some 2 µs to count if it is in memory, so all of them take a few milliseconds.
  private static final long LEAVES_MAX = 2_000;

  @Override
  public String layout() {
    return PersistentTreeMap.KIND;
  }

  @Override
  public List<String> codecs(String fingerprint) {
    return FormCodec.parts(SortedFingerprint.of(fingerprint).codecs());
  }

  @Override
  public int parts() {
    return 2;
  }

  @Override
  public String order(String fingerprint) {
    return SortedFingerprint.of(fingerprint).order();
  }

  @Override
  public boolean isSorted() {
    return true;
  }

  @Override
  public long create(Region region, String fingerprint) {
    return EntryTree.create(region);
  }

  @Override
  public boolean freeSome(Region region, Root root) {
    return EntryTree.freeSome(region, root.firstBlock(), Disposal.CHANGES_MAX);
  }

  @Override
  public OptionalLong count(Region region, Root root, boolean quickly) {
    long most = quickly ? LEAVES_MAX : Long.MAX_VALUE;
    long counted = new TreeListing(region, root.firstBlock()).count(most);
    return counted < 0 ? OptionalLong.empty() : OptionalLong.of(counted);
  }

  @Override
  public Walk open(Region region, Root root, KeyCodecs codecs) {
    return new EntryTree(region, root.firstBlock(), codecs.order(root.fingerprint()))::inspect;
  }

  @Override
  public void forEach(Region region, Root root, Visitor visitor) {
    new TreeListing(region, root.firstBlock()).forEachLeaf(visitor::visit);
  }

  @Override
  public boolean takesElements(String fingerprint, KeyCodecs codecs) {
    return codecs.order(fingerprint).isKnown();
  }

  /// Whole leaves at a time, as long as each call's keys are greater than all before.
  @Override
  public Consumer<List<EncodedEntry>> adder(Region region, Root root, KeyCodecs codecs) {
    KeyOrder order = codecs.order(root.fingerprint());
    EntryTree tree = new EntryTree(region, root.firstBlock(), order);
    return elements -> {
      if (elements.size() == 1) { // is compared with nothing, so what can't be read would not show
        Encoded key = elements.getFirst().key();
        order.compare(key, key);
      }
      List<EncodedEntry> entries =
          elements.stream().sorted((one, other) -> order.compare(one.key(), other.key())).toList();
      try {
        tree.load(entries.iterator());
      } catch (IllegalArgumentException e) { // others come between those that are there
        entries.forEach(each -> tree.put(each.key(), each.value()));
      }
    };
  }

  @Override
  public void rescue(Region region, Root root, Trail trail, boolean isAlone, Rescue rescue) {
    new TreeRescue(region, root.firstBlock(), rescue)
        .run(
            trail,
            visitor -> {
              if (isAlone) {
                region.heap().validator().forEach(visitor::visit, fault -> {});
              }
            });
  }
}
