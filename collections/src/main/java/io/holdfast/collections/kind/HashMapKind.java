package io.holdfast.collections.kind;

import io.holdfast.codec.EncodedEntry;
import io.holdfast.codec.FormCodec;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.inspect.Rescue;
import io.holdfast.collections.inspect.Trail;
import io.holdfast.collections.map.EntryMap;
import io.holdfast.collections.map.MapOpening;
import io.holdfast.collections.map.repair.MapRescue;
import io.holdfast.collections.map.slot.MapRoot;
import io.holdfast.core.heap.Root;
import io.holdfast.core.heap.RootDirectory.Disposal;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/// Hash maps. They are read segment by segment, in no order.
///
/// @param name as roots say it
record HashMapKind(String name) implements CollectionKind {
  /// The fingerprints of those codecs of the JDK's classes whose values are of eight bytes each.
  private static final Set<String> WORDS = Set.of("Long", "Double", "LocalDate", "LocalTime");

  @Override
  public String layout() {
    return PersistentHashMap.KIND;
  }

  @Override
  public List<String> codecs(String fingerprint) {
    return FormCodec.parts(fingerprint);
  }

  @Override
  public int parts() {
    return 2;
  }

  @Override
  public long create(Region region, String fingerprint) {
    boolean ofWords = codecs(fingerprint).stream().allMatch(WORDS::contains);
    return MapRoot.create(region, ofWords);
  }

  @Override
  public boolean freeSome(Region region, Root root) {
    return EntryMap.freeSome(region, root.firstBlock(), Disposal.CHANGES_MAX);
  }

  /// A map whose index must be made anew takes as long as it is large.
  @Override
  public OptionalLong count(Region region, Root root, boolean quickly) {
    return quickly && MapOpening.wouldRebuild(region, root.firstBlock())
        ? OptionalLong.empty()
        : OptionalLong.of(new EntryMap(region, root.firstBlock()).size());
  }

  @Override
  public Walk open(Region region, Root root, KeyCodecs codecs) {
    return EntryMap.asLeft(region, root.firstBlock())::inspect;
  }

  @Override
  public void forEach(Region region, Root root, Visitor visitor) {
    EntryMap map = new EntryMap(region, root.firstBlock());
    boolean goesOn = true;
    for (EntryMap.Place at = EntryMap.Place.START; goesOn && at != null; ) {
      List<EncodedEntry> entries = new ArrayList<>();
      at = map.walk(at, entries);
      goesOn = visitor.visit(entries);
    }
  }

  @Override
  public Consumer<List<EncodedEntry>> adder(Region region, Root root, KeyCodecs codecs) {
    EntryMap map = new EntryMap(region, root.firstBlock());
    return entries -> entries.forEach(each -> map.put(each.key(), each.value()));
  }

  @Override
  public void rescue(Region region, Root root, Trail trail, boolean isAlone, Rescue rescue) {
    new MapRescue(region, root.firstBlock())
        .run(trail, visitor -> visitChunks(region, isAlone, visitor), rescue);
  }

  private static void visitChunks(Region region, boolean isAlone, LongConsumer visitor) {
    if (isAlone) {
      region
          .heap()
          .validator()
          .forEach(
              (block, bytes) -> {
                if (bytes >= RegionLayout.LINE_BYTES) {
                  visitor.accept(block);
                }
              },
              fault -> {}); // what has no marks is not visited; the counts tell
    }
  }
}
