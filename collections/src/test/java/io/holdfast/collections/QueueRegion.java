package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.queue.QueueBlocks;
import io.holdfast.collections.queue.QueueChain;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.heap.HeapValidator.Block;
import io.holdfast.core.heap.Root;
import io.holdfast.core.heap.RootDirectory.Disposal;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A region with queues of strings: the store that crashes are explored with.
final class QueueRegion implements AutoCloseable {
  /// Room enough that no test grows it by accident.
  static final long BYTES = 1 << 20;

  private static final int SHOWN_MAX = 24;

  private final Region region;
  private final Map<String, PersistentQueue<String>> queues = new HashMap<>();

  private QueueRegion(Region region) {
    this.region = region;
  }

  static QueueRegion open(Memory memory) {
    return open(memory, BYTES);
  }

  static QueueRegion open(Memory memory, long initialBytes) {
    QueueRegion opened = new QueueRegion(Region.open(memory, initialBytes));
    opened.freeDeleted();
    return opened;
  }

  /// Renames a root, and knows its queue by the new name.
  void rename(String name, String newName) {
    region.roots().rename(name, newName);
    queues.remove(name);
  }

  /// Deletes a root and frees its blocks.
  void delete(String name) {
    queue(name).delete(() -> region.roots().delete(name));
    queues.remove(name);
    freeDeleted();
  }

  private void freeDeleted() {
    boolean more = region.roots().hasDeleted();
    while (more) {
      more =
          region
              .roots()
              .disposeSome(
                  root -> QueueChain.freeSome(region, root.firstBlock(), Disposal.CHANGES_MAX));
    }
  }

  Region region() {
    return region;
  }

  PersistentQueue<String> create(String name) {
    region
        .roots()
        .create(
            name,
            PersistentQueue.KIND,
            RawCodec.RAW.fingerprint(),
            () -> QueueChain.create(region));
    return queue(name);
  }

  /// A queue whose blocks are not fresh: they hold what is left of elements that were there before,
  /// at every line.
  PersistentQueue<String> createUsed(String name) {
    PersistentQueue<String> queue = create(name);
    for (int i = 0; i < 3 * QueueBlocks.LINES + 1; i++) {
      queue.add(RawCodec.text("former", 56));
      queue.remove();
    }
    return queue;
  }

  /// Elements that leave the given number of lines of a block.
  static String[] elementsLeaving(int lines) {
    List<String> elements = new ArrayList<>();
    // createUsed leaves three blocks and one line behind
    int used = QueueBlocks.LINES - 1 - lines;
    while (used > 0) {
      int taken = Math.min(used, 30);
      elements.add(RawCodec.text("e" + elements.size(), taken * RegionLayout.LINE_BYTES - 8));
      used -= taken;
    }
    return elements.toArray(String[]::new);
  }

  /// Leaves blocks as a queue's, freed and full of what is neither zero nor right.
  void dirty() {
    atomically(
        () -> {
          for (long size : new long[] {QueueBlocks.ROOT_BYTES, QueueBlocks.BLOCK_BYTES}) {
            long block = region.heap().allocate(size);
            for (long at = block; at < block + size; at += RegionLayout.WORD_BYTES) {
              region.memory().writePlain(at, 0x0BAD_0BAD_0BAD_0BADL);
            }
            region.heap().free(block);
          }
        });
  }

  PersistentQueue<String> queue(String name) {
    return queues.computeIfAbsent(
        name,
        found ->
            new PersistentQueue<>(
                region, RawCodec.RAW, region.roots().find(found).firstBlock(), Integer.MAX_VALUE));
  }

  /// Lets go of a queue that was never created.
  void forget(String name) {
    queues.remove(name);
  }

  /// What each queue holds; long elements by their beginning, length and hash.
  Map<String, List<String>> state() {
    Map<String, List<String>> state = new TreeMap<>();
    for (Root root : region.roots().all()) {
      List<String> elements = new ArrayList<>();
      queue(root.name()).forEach(element -> elements.add(shown(element)));
      state.put(root.name(), elements);
    }
    return state;
  }

  static String shown(String element) {
    return element.length() <= SHOWN_MAX
        ? element
        : "%s~%d#%x".formatted(element.substring(0, 8), element.length(), element.hashCode());
  }

  /// Checks that the queues keep their layout, that no block is leaked, and that the queues can be
  /// used.
  void check() {
    checkBlocks();
    assertThat(Words.spans(region, Use.LOG_CHUNK)).as("chunks of logs").isZero();
    Map<String, List<String>> before = state();
    for (Root root : region.roots().all()) {
      use(root.name(), before.get(root.name()));
    }
    assertThat(state()).isEqualTo(before);
  }

  /// Checks that those blocks are in use that roots and queues reach, and no others.
  void checkBlocks() {
    Set<Long> reachable = new TreeSet<>();
    Memory memory = region.memory();
    for (long root = memory.readPlain(RegionLayout.ANCHOR_ROOTS);
        root != 0;
        root = memory.readPlain(root)) {
      reachable.add(root);
    }
    for (Root root : region.roots().all()) {
      reachable.addAll(QueueBlocks.of(region, root.firstBlock()));
    }
    assertThat(region.heap().validator().blocks())
        .extracting(Block::offset)
        .as("blocks in use")
        .containsExactlyElementsOf(reachable);
  }

  /// Offers, and takes all, a second time across a block's end.
  private void use(String name, List<String> before) {
    PersistentQueue<String> queue = queue(name);
    assertThat(queue.validate()).isEqualTo(queue.size()).isEqualTo(before.size());
    List<String> elements = new ArrayList<>(queue);
    assertThat(queue.offer("probe")).isTrue();
    for (String element : elements) {
      assertThat(queue.poll()).isEqualTo(element);
    }
    assertThat(queue.poll()).isEqualTo("probe");
    assertThat(queue.poll()).isNull();
    queue.addAll(elements);
    assertThat(queue.validate()).isEqualTo(before.size());
  }

  /// Runs something in a section without a lock.
  static void atomically(Runnable action) {
    SectionHooks.enter();
    try {
      action.run();
    } finally {
      SectionHooks.exit();
    }
  }

  @Override
  public void close() {
    region.close();
  }
}
