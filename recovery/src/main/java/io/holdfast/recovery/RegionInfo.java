package io.holdfast.recovery;

import io.holdfast.collections.kind.CollectionKind;
import io.holdfast.core.RecoveryReport;
import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.OpeningRecord;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.region.Region;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/// What a region is, without a look at its elements: header, geometry, roots, what its space is
/// used for. It is read from the header, the logs if the region was not closed, the directory of
/// roots, each collection's root, and the span table, a word for 64 KiB: so it takes as long for a
/// large file as for a small one, but for that table.
///
/// A sorted map knows no count on media. One of up to 2,000 leaves, some 100,000 entries, is
/// counted.
///
/// @param fileBytes the file's length, which may be more than the region's (LENGTH-1)
/// @param copies both copies of the header
/// @param header the copy that counts
/// @param holder which process has the store open
/// @param opening when and for what it was last opened, if that is known
/// @param recovery what opening the region now would find and do
/// @param spaces bytes by use
@SuppressWarnings("exports") // what core does not export is for Holdfast's own modules
public record RegionInfo(
    Path path,
    long fileBytes,
    List<RegionHeader.Copy> copies,
    RegionHeader header,
    Optional<String> holder,
    Optional<OpeningRecord> opening,
    RecoveryReport recovery,
    Map<Use, Long> spaces,
    List<RootInfo> roots) {

  /// A named collection.
  ///
  /// @param codec the fingerprint of what its elements are encoded by
  /// @param firstBlock where it begins
  /// @param entries how many it has, if that is known without counting
  public record RootInfo(
      String name,
      String kind,
      String codec,
      Instant created,
      long firstBlock,
      OptionalLong entries) {}

  /// Looks at a region.
  ///
  /// @throws io.holdfast.core.RegionDamagedException naming the place, if something can't be
  public static RegionInfo of(RegionView view) {
    return of(view, true);
  }

  /// The same, with sorted maps counted however large they are, and hash maps whose index the
  /// operating system has lost.
  ///
  /// @throws io.holdfast.core.RegionDamagedException naming the place, if something can't be
  public static RegionInfo counted(RegionView view) {
    return of(view, false);
  }

  private static RegionInfo of(RegionView view, boolean quickly) {
    long fileBytes;
    try {
      fileBytes = Files.size(view.path());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<RegionHeader.Copy> copies = RegionHeader.copies(view.memory());
    RegionHeader header = view.header();
    Region region = view.recovered();
    return new RegionInfo(
        view.path(),
        fileBytes,
        copies,
        header,
        view.holder(),
        view.opening(),
        region.report(),
        spaces(region.spans()),
        region.roots().all().stream().map(root -> info(region, root, quickly)).toList());
  }

  /// The region's random identity; a copy of the file has the same one.
  public UUID identity() {
    return header.identity();
  }

  private static Map<Use, Long> spaces(SpanTable spans) {
    Map<Use, Long> spaces = new EnumMap<>(Use.class);
    for (Use use : Use.values()) {
      spaces.put(use, 0L);
    }
    spans.forEach(
        (_, word) -> {
          Use use = SpanTable.useOf(word);
          long count = SpanTable.spansOf(word);
          spaces.merge(use, count * RegionLayout.SPAN_BYTES, Long::sum);
        });
    long used = spaces.values().stream().mapToLong(Long::longValue).sum();
    spaces.put(Use.FREE, spans.dataSpans() * RegionLayout.SPAN_BYTES - used);
    return spaces;
  }

  private static RootInfo info(Region region, Root root, boolean quickly) {
    return new RootInfo(
        root.name(),
        root.kind(),
        root.fingerprint(),
        Instant.ofEpochMilli(root.createdMillis()),
        root.firstBlock(),
        CollectionKind.of(root.kind())
            .map(kind -> kind.count(region, root, quickly))
            .orElseGet(OptionalLong::empty));
  }
}
