package io.holdfast.collections.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.heap.HeapValidator.Block;
import io.holdfast.core.heap.Root;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.region.Region;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/// A region with a collection of texts by keys: the store that crashes are explored with. A text of
/// eight characters is a word.
public abstract class KeyedRegion implements AutoCloseable {
  public static final long BYTES = 1 << 20;

  private static final int SHOWN_MAX = 24;

  private final Region region;

  protected KeyedRegion(Region region) {
    this.region = region;
  }

  /// Creates the collection.
  public abstract KeyedRegion create();

  /// Whether there is one.
  protected abstract boolean isCreated();

  protected abstract Encoded put(Encoded key, Encoded value);

  protected abstract Encoded remove(Encoded key);

  protected abstract Encoded get(Encoded key);

  protected abstract List<EncodedEntry> entries();

  protected abstract long size();

  /// Checks the collection's layout.
  ///
  /// @return how many entries it has
  protected abstract long validate();

  protected abstract void forEachBlock(LongConsumer visitor);

  public final Region region() {
    return region;
  }

  public static Encoded encoded(String text) {
    return Encoded.of(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  public static String text(Encoded encoded) {
    return encoded == null
        ? null
        : new String(encoded.bytes(), 0, encoded.length(), StandardCharsets.ISO_8859_1);
  }

  public final String put(String key, String value) {
    return text(put(encoded(key), encoded(value)));
  }

  public final String remove(String key) {
    return text(remove(encoded(key)));
  }

  public final String get(String key) {
    return text(get(encoded(key)));
  }

  /// All entries; long texts by their beginning, length and hash.
  public final Map<String, String> state() {
    Map<String, String> state = new TreeMap<>();
    if (isCreated()) {
      all().forEach((key, value) -> state.put(shown(key), shown(value)));
    }
    return state;
  }

  public final Map<String, String> all() {
    Map<String, String> all = new TreeMap<>();
    for (EncodedEntry entry : entries()) {
      assertThat(all.put(text(entry.key()), text(entry.value()))).as("twice").isNull();
    }
    return all;
  }

  /// A text as {@link #state} has it.
  public static String shown(String text) {
    return text.length() <= SHOWN_MAX
        ? text
        : "%s~%d#%x".formatted(text.substring(0, 8), text.length(), text.hashCode());
  }

  /// Checks that the collection keeps its layout, that no block is leaked, and that it can be used.
  public final void check() {
    checkBlocks();
    // Opening may have freed what a clearing had left, and the log keeps a chunk.
    assertThat(Words.spans(region, Use.LOG_CHUNK)).as("chunks of logs").isLessThanOrEqualTo(1);
    if (!isCreated()) {
      return;
    }
    Map<String, String> before = all();
    assertThat(validate()).isEqualTo(size()).isEqualTo(before.size());
    use(before);
    assertThat(validate()).isEqualTo(before.size());
    assertThat(all()).isEqualTo(before);
  }

  /// Checks that those blocks are in use that the root and the collection reach, and no others.
  public final void checkBlocks() {
    Set<Long> reachable = new TreeSet<>();
    Memory memory = region.memory();
    for (long root = memory.readPlain(RegionLayout.ANCHOR_ROOTS);
        root != 0;
        root = memory.readPlain(root)) {
      reachable.add(root);
    }
    for (Root root : region.roots().all()) {
      reachable.add(root.firstBlock());
    }
    if (isCreated()) {
      forEachBlock(reachable::add);
    }
    assertThat(region.heap().validator().blocks())
        .extracting(Block::offset)
        .as("blocks in use")
        .containsExactlyElementsOf(reachable);
  }

  /// Goes on with some entries, in every way.
  private void use(Map<String, String> before) {
    int step = Math.max(1, before.size() / 5);
    int used = 0;
    for (Map.Entry<String, String> entry : before.entrySet()) {
      if (used++ % step == 0) {
        String key = entry.getKey();
        assertThat(get(key)).isEqualTo(entry.getValue());
        assertThat(put(key, "a probe.")).isEqualTo(entry.getValue());
        assertThat(put(key, secondProbe())).isEqualTo("a probe.");
        assertThat(remove(key)).isEqualTo(secondProbe());
        assertThat(get(key)).isNull();
        assertThat(put(key, entry.getValue())).isNull();
      }
    }
    assertThat(put("no such!", "its own.")).isNull();
    assertThat(remove("no such!")).isEqualTo("its own.");
  }

  /// A value that every entry can have.
  protected String secondProbe() {
    return "probe two, some longer, of several lines, so that it is not whole";
  }

  @Override
  public final void close() {
    region.close();
  }
}
