package io.holdfast.collections.tree;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.keyed.KeyedRegion;
import io.holdfast.collections.tree.leaf.LeafEntries;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.heap.RootDirectory.Disposal;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/// A region with a tree of texts.
final class TreeRegion extends KeyedRegion {
  private static final String NAME = "tree";

  private final Region region;
  private EntryTree tree;

  private TreeRegion(Region region) {
    super(region);
    this.region = region;
    if (region.roots().find(NAME) != null) {
      tree = openTree();
    }
  }

  static TreeRegion open(Memory memory) {
    return new TreeRegion(Region.open(memory, BYTES));
  }

  private EntryTree openTree() {
    return new EntryTree(region, region.roots().find(NAME).firstBlock(), KeyOrder.BYTES);
  }

  @Override
  public TreeRegion create() {
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

  EntryTree tree() {
    return tree;
  }

  /// Opens the tree once more, in this process.
  void openAgain() {
    tree = openTree();
  }

  @Override
  protected boolean isCreated() {
    return tree != null;
  }

  @Override
  protected Encoded put(Encoded key, Encoded value) {
    return tree.put(key, value);
  }

  @Override
  protected Encoded remove(Encoded key) {
    return tree.remove(key);
  }

  @Override
  protected Encoded get(Encoded key) {
    return tree.get(key);
  }

  @Override
  protected List<EncodedEntry> entries() {
    return entries(true);
  }

  @Override
  protected long size() {
    return tree.size();
  }

  @Override
  protected long validate() {
    return tree.validate();
  }

  @Override
  protected void forEachBlock(LongConsumer visitor) {
    tree.forEachBlock(visitor);
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

  /// How many levels of inner nodes the tree has.
  int height() {
    long top = region.memory().readPlain(region.roots().find(NAME).firstBlock());
    return (int) (top & TreeLayout.HEIGHT_MASK);
  }

  private long firstLeaf() {
    long root = region.roots().find(NAME).firstBlock();
    return region.memory().readPlain(root) & ~TreeLayout.HEIGHT_MASK;
  }

  List<EncodedEntry> entries(boolean ascending) {
    List<EncodedEntry> entries = new ArrayList<>();
    TreeWalk walk = tree.walk(ascending);
    for (LeafEntries page = walk.from(null, true); page != null; page = walk.next()) {
      entries.addAll(page);
    }
    return entries;
  }
}
