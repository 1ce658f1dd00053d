package io.holdfast.recovery;

import io.holdfast.codec.CodecException;
import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.kind.CollectionKind;
import io.holdfast.collections.kind.KeyCodecs;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.NewFile;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.region.Region;
import io.holdfast.recovery.RootReader.Element;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/// Makes a region of encoded elements.
///
/// **BUILD-1** It is made beside its place and gets its name when all is in it and durable ({@link
/// NewFile}): what has its name is whole. What was there before is refused. Test:
/// TransferTest.build1NothingIsLeftOfAnImportThatFails.
///
/// **BUILD-2** What has its name is marked as closed. While it is made, other threads' sections,
/// which are of all regions of the process, can be open in it too: they have stored nothing, but
/// closing leaves the region open to them, and what was stored here can wait for them. So all is
/// durable before the region is closed, and it is closed once more if such a section was in the
/// way. Test: TransferTest.build2AnothersOpenSectionIsNotInTheWay.
///
/// Not thread-safe.
final class RegionBuilder implements AutoCloseable {
  private final Path file;
  private final NewFile made;
  private final Memory memory;
  private final Region region;
  private final KeyCodecs codecs;

  /// @param origin what it is made of, whose permissions it gets; `null` makes it its owner's alone
  /// @param loader of the classes of sorted maps' keys; `null` for the JDK's alone
  /// @throws RegionAccessException if the file exists
  RegionBuilder(Path file, Path origin, ClassLoader loader) throws IOException {
    this.file = file;
    this.codecs = new KeyCodecs(loader);
    this.made = NewFile.of(file, origin);
    try {
      this.memory = new MappedMemory(made.part(), 0, new PageCache());
    } catch (IOException | RuntimeException | Error e) {
      made.close();
      throw e;
    }
    try {
      this.region = Region.open(memory, RegionFile.INITIAL_BYTES);
    } catch (RuntimeException | Error e) {
      memory.close();
      made.close();
      throw e;
    }
  }

  /// Takes a collection's elements.
  interface Sink {
    /// Elements in their order, as {@link RootReader} gives them.
    ///
    /// @throws CodecException if one of several has a key that can't be read and so not be sorted;
    ///   none of them was added then
    void add(List<Element> elements);
  }

  /// Adds a collection.
  ///
  /// @param created in milliseconds since 1970
  /// @throws RegionFormatException if this version does not know the kind, or the order of its keys
  Sink add(String name, String kind, String fingerprint, long created) {
    CollectionKind known =
        CollectionKind.of(kind)
            .orElseThrow(
                () ->
                    new RegionFormatException(
                        "%s: a root is of no kind that this version knows: name=%s, kind=%s. Use the version that made it"
                            .formatted(file, name, kind)));
    if (!known.takesElements(fingerprint, codecs)) {
      throw new RegionFormatException(
          "%s: the order of a sorted map's keys is not known: name=%s, codecs=%s. Give the classes of the keys and of the comparator by --class-path; a comparator is found if the order is named by its class"
              .formatted(file, name, fingerprint));
    }
    Root root =
        region
            .roots()
            .create(name, kind, fingerprint, created, () -> known.create(region, fingerprint));
    Consumer<List<EncodedEntry>> adder = known.adder(region, root, codecs);
    return elements -> {
      List<EncodedEntry> entries =
          elements.stream()
              .map(each -> new EncodedEntry(Encoded.of(each.key()), Encoded.of(each.value())))
              .toList();
      try {
        adder.accept(entries);
      } catch (CodecException e) {
        throw new CodecException(
            "%s: a key of the sorted map \"%s\" can't be read, and so not be sorted: %s. Have removeUnreadable of the map that it comes from move it out"
                .formatted(file, name, e.getMessage()),
            e);
      }
    };
  }

  /// All is in it: closes it and gives it its name. From then on it is durable.
  void finish() throws IOException {
    region.sections().sync();
    region.close();
    FileBackup.recover(made.part(), made.part()); // BUILD-2
    made.publish();
  }

  /// Lets go of it; of one that was not finished nothing is left.
  @Override
  public void close() {
    try {
      region.close();
      memory.close();
    } finally {
      made.close();
    }
  }
}
