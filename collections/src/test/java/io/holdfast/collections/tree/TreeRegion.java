package io.holdfast.collections.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.tree.EntryTree.Page;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.Durability;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.heap.HeapValidator.Block;
import io.holdfast.core.heap.Root;
import io.holdfast.core.heap.RootDirectory.Disposal;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.OrderedMemory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.CrashExplorer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A region with a tree of texts: the store that crashes are explored with. A text of eight
/// characters is a word.
final class TreeRegion implements AutoCloseable {
  static final long BYTES = 1 << 20;

  private static final String NAME = "tree";
  private static final int SHOWN_MAX = 24;

  private final Region region;
  private EntryTree tree;

  private TreeRegion(Region region) {
    this.region = region;
    if (region.roots().find(NAME) != null) {
      tree = openTree();
    }
  }

  static TreeRegion open(Memory memory) {
    return new TreeRegion(Region.open(memory, BYTES));
  }

  /// Explores with states, and with all that must hold of any opened tree.
  static CrashExplorer<TreeRegion> explorer(String name, Durability durability) {
    boolean isOrdered = durability == Durability.POWER_FAILURE;
    return CrashExplorer.of(name, memory -> open(isOrdered ? new OrderedMemory(memory) : memory))
        .surviving(durability)
        .state(TreeRegion::state)
        .check((opened, point) -> opened.check());
  }

  private EntryTree openTree() {
    return new EntryTree(region, region.roots().find(NAME).firstBlock(), KeyOrder.BYTES);
  }

  TreeRegion create() {
    region.roots().create(NAME, "test", "", () -> EntryTree.create(region));
    tree = openTree();
    return this;
  }

  /// Deletes the tree and frees its blocks.
  boolean delete() {
    boolean isGone = tree.delete(() -> region.roots().delete(NAME));
    while (region
        .roots()
        .disposeSome(root -> EntryTree.freeSome(region, root.firstBlock(), Disposal.CHANGES_MAX))) {
      // some blocks at a time
    }
    return isGone;
  }

  Region region() {
    return region;
  }

  EntryTree tree() {
    return tree;
  }

  /// Opens the tree once more, in this process.
  void openAgain() {
    tree = openTree();
  }

  static Encoded encoded(String text) {
    return Encoded.of(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  static String text(Encoded encoded) {
    return encoded == null
        ? null
        : new String(encoded.bytes(), 0, encoded.length(), StandardCharsets.ISO_8859_1);
  }

  String put(String key, String value) {
    return text(tree.put(encoded(key), encoded(value)));
  }

  String remove(String key) {
    return text(tree.remove(encoded(key)));
  }

  String get(String key) {
    return text(tree.get(encoded(key)));
  }

  String key(int number) {
    return "key%05d".formatted(number);
  }

  /// Puts entries of a word each.
  TreeRegion fill(int from, int to) {
    for (int i = from; i < to; i++) {
      put(key(i), "v%07d".formatted(i));
    }
    return this;
  }

  /// Leaves behind the last record of the first leaf what a loss of power may of a long record that
  /// begins there: its second and third line; then opens the tree again.
  void leaveParts() {
    Memory memory = region.memory();
    long leaf = firstLeaf();
    memory.writeRelease(TreeLayout.lineAt(leaf, 2), TreeLayout.LINE_WORDS);
    memory.writeRelease(TreeLayout.lineAt(leaf, 3), TreeLayout.LINE_WORDS);
    memory.releaseFence();
    openAgain();
  }

  /// Leaves there the first of that record's lines; then opens the tree again.
  void leaveTheBeginning() {
    Memory memory = region.memory();
    long leaf = firstLeaf();
    long header = TreeLayout.header(TreeLayout.KIND_ENTRY, TreeLayout.NONE, 8, 150);
    memory.writeRelease(TreeLayout.at(leaf, TreeLayout.LINE_WORDS), header);
    memory.writeRelease(TreeLayout.lineAt(leaf, 1), TreeLayout.LINE_WORDS);
    memory.releaseFence();
    openAgain();
  }

  private long firstLeaf() {
    long root = region.roots().find(NAME).firstBlock();
    return region.memory().readPlain(root) & ~TreeLayout.HEIGHT_MASK;
  }

  /// All entries; long texts by their beginning, length and hash.
  Map<String, String> state() {
    Map<String, String> state = new TreeMap<>();
    if (tree != null) {
      all().forEach((key, value) -> state.put(shown(key), shown(value)));
    }
    return state;
  }

  Map<String, String> all() {
    Map<String, String> all = new TreeMap<>();
    for (EncodedEntry entry : entries(true)) {
      assertThat(all.put(text(entry.key()), text(entry.value()))).as("twice").isNull();
    }
    return all;
  }

  List<EncodedEntry> entries(boolean ascending) {
    List<EncodedEntry> entries = new ArrayList<>();
    Encoded from = null;
    boolean inclusive = true;
    do {
      Page page = tree.page(from, inclusive, ascending);
      entries.addAll(page.entries());
      from = page.next();
      inclusive = ascending;
    } while (from != null);
    return entries;
  }

  private static String shown(String text) {
    return text.length() <= SHOWN_MAX
        ? text
        : "%s~%d#%x".formatted(text.substring(0, 8), text.length(), text.hashCode());
  }

  /// Checks that the tree keeps its layout, that no block is leaked, and that it can be used.
  void check() {
    checkBlocks();
    // Opening may have freed what a clearing had left, and the log keeps a chunk.
    assertThat(Words.spans(region, Use.LOG_CHUNK)).as("chunks of logs").isLessThanOrEqualTo(1);
    if (tree == null) {
      return;
    }
    Map<String, String> before = all();
    assertThat(tree.validate()).isEqualTo(tree.size()).isEqualTo(before.size());
    use(before);
    assertThat(tree.validate()).isEqualTo(before.size());
    assertThat(all()).isEqualTo(before);
  }

  /// Checks that those blocks are in use that the root and the tree reach, and no others.
  void checkBlocks() {
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
    if (tree != null) {
      tree.forEachBlock(reachable::add);
    }
    assertThat(region.heap().validator().blocks())
        .extracting(Block::offset)
        .as("blocks in use")
        .containsExactlyElementsOf(reachable);
  }

  /// Goes on with some entries, in every way.
  private void use(Map<String, String> before) {
    int step = Math.max(1, before.size() / 4);
    int used = 0;
    for (Map.Entry<String, String> entry : before.entrySet()) {
      if (used++ % step == 0) {
        String key = entry.getKey();
        assertThat(get(key)).isEqualTo(entry.getValue());
        assertThat(put(key, "probe")).isEqualTo(entry.getValue());
        assertThat(put(key, "probe two, some longer, of several lines, so that it is not whole"))
            .isEqualTo("probe");
        assertThat(remove(key)).startsWith("probe two, some longer");
        assertThat(get(key)).isNull();
        assertThat(put(key, entry.getValue())).isNull();
      }
    }
    assertThat(put("no such!", "x")).isNull();
    assertThat(remove("no such!")).isEqualTo("x");
  }

  @Override
  public void close() {
    region.close();
  }
}
