package io.holdfast.collections.tree.leaf;

import static io.holdfast.collections.tree.node.TreeLayout.NONE;
import static io.holdfast.collections.tree.node.TreeLayout.WORDS;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.overlay.Claims;
import io.holdfast.collections.tree.leaf.LeafImage.Item;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.Torn;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// Changes leaves, one entry at a time.
///
/// Outside of sections, with one flush and one fence (TREE-1):
///
/// 1. the record, plain, and META of its lines, with release; the flush of its lines;
/// 2. hints, while the lines are on their way;
/// 3. the fence.
///
/// A value of eight bytes that replaces another one is a word, stored with release and flushed. In
/// a section the lines go through that, in one round trip; hints don't, and become stale if the
/// section is rolled back. What has no room in the leaf is the matter of `LeafRewrite`.
///
/// For whoever holds the leaf's lock.
public final class LeafWriter {
  private final Memory memory;
  private final Memory unordered;
  private final Heap heap;
  private final Leaf leafs;
  private final KeyOrder order;
  private final LeafHints hints;
  private final LeafRewrite rewrite;
  private final TreeCount count;
  private final TreeEpoch epoch;
  private final Claims claims;
  private final Consumer<Encoded> changing;
  private final RecordSink sink;

  /// @param changing is told the key of a leaf before the number of its entries changes
  public LeafWriter(TreeParts parts, Consumer<Encoded> changing) {
    this.memory = parts.memory();
    this.unordered = parts.unordered();
    this.heap = parts.region().heap();
    this.leafs = parts.leafs();
    this.hints = parts.hints();
    this.order = parts.order();
    this.rewrite = new LeafRewrite(parts);
    this.count = parts.count();
    this.epoch = parts.epoch();
    this.claims = parts.claims();
    this.changing = changing;
    this.sink = new MemorySink(unordered);
  }

  /// Puts a first, empty leaf in an empty tree, in the operation of its root's lock.
  public void makeFirst(Operation operation) {
    operation.holdReaders();
    rewrite.makeFirst(operation);
  }

  private record MemorySink(Memory memory) implements RecordSink {
    @Override
    public void word(long offset, long value) {
      memory.writePlain(offset, value);
    }

    @Override
    public void bytes(long offset, byte[] from, int at, int length) {
      memory.writeBytesPlain(offset, from, at, length);
    }

    @Override
    public void meta(long offset, long value) {
      memory.writeRelease(offset, value);
    }
  }

  /// Replaces a key's value by what a function makes of it; `null` stands for no entry. If an open
  /// section has claimed the key, that is made of what it will store (CLAIM-1).
  ///
  /// @return the value before, or `null`
  public Encoded change(
      Operation operation, long leaf, Encoded key, UnaryOperator<Encoded> function) {
    Claims.Claim claim = claims.isEmpty() ? null : claims.buildOn(operation.section, key);
    if (claim == null) {
      return changeInPlace(operation, leaf, key, function);
    }
    Encoded before = claim.value();
    boolean[] isBuiltOn = new boolean[1];
    changeInPlace(
        operation,
        leaf,
        key,
        inPlace -> {
          Encoded after = function.apply(before);
          isBuiltOn[0] = !isSame(after, before);
          return isBuiltOn[0] ? after : inPlace;
        });
    if (isBuiltOn[0]) {
      claims.cover(operation.section, claim);
    }
    return before;
  }

  /// The same, whatever is claimed.
  public Encoded changeInPlace(
      Operation operation, long leaf, Encoded key, UnaryOperator<Encoded> function) {
    try {
      hints.prepare(operation, leaf);
      int fingerprint = leafs.fingerprint(key);
      int slot = leafs.find(leaf, key, fingerprint);
      int old = slot < 0 ? NONE : leafs.place(leaf, slot);
      Encoded before = old == NONE ? null : leafs.value(leaf, old, true);
      Encoded after = function.apply(before);
      if (isSame(after, before)) {
        return before;
      }
      operation.holdReaders();
      if (before == null || after == null) {
        changing.accept(key); // RANK-1: after the holding, before the change
      }
      try {
        if (after == null) {
          remove(operation, leaf, key, slot, old);
        } else {
          put(operation, leaf, key, after, slot, old);
        }
      } catch (VirtualMachineError | LinkageError e) {
        operation.section.breakOff(e);
        throw e;
      } catch (RuntimeException | Error e) {
        hints.makeStale(leaf, e);
        throw e;
      }
      return before;
    } catch (Torn e) {
      throw hints.damaged(leaf); // under the lock nobody else has changed it
    }
  }

  @SuppressWarnings("ReferenceEquality") // the very same object is no change
  private static boolean isSame(Encoded after, Encoded before) {
    return after == before;
  }

  /// Puts whole leaves behind one, if that is the last, and has lesser keys only.
  ///
  /// @return whether it has
  public boolean append(Operation operation, long leaf, LeafBatch batch) {
    hints.prepare(operation, leaf);
    operation.holdReaders();
    changing.accept(batch.firstKey()); // RANK-1
    if (!rewrite.append(operation, leaf, batch)) {
      return false;
    }
    count.add(operation.line(), batch.entries());
    return true;
  }

  private void put(Operation operation, long leaf, Encoded key, Encoded value, int slot, int old) {
    Section section = operation.section;
    long oldHeader = old == NONE ? 0 : leafs.header(leaf, old);
    boolean isWord =
        value.length() == WORD_BYTES
            && TreeLayout.kind(oldHeader) == TreeLayout.KIND_ENTRY
            && TreeLayout.valueLength(oldHeader) == WORD_BYTES;
    Encoded kept = old == NONE || order.isExact() ? key : leafs.key(leaf, old);
    Item item = Item.of(kept, value);
    boolean wasOutside = TreeLayout.kind(oldHeader) == TreeLayout.KIND_OUTSIDE;
    boolean alone = section.isAlone() && !item.isOutside() && !wasOutside;
    if (isWord) {
      int at = old + 1 + TreeLayout.wordsOf(TreeLayout.keyLength(oldHeader));
      replaceWord(alone ? null : section, TreeLayout.at(leaf, at), value.word());
    } else if (item.isOutside()) {
      putOutside(operation, leaf, item, slot, old);
    } else if (!append(alone ? null : section, leaf, item, slot, old)) {
      rewrite.rewrite(operation, leaf, key, old, item);
    }
    if (wasOutside) {
      freeOutside(leaf, old);
    }
    if (old == NONE) {
      count.add(operation.line(), 1);
    }
    if (!alone) {
      section.enlist(epoch);
    }
  }

  private void replaceWord(Section section, long at, long value) {
    if (section != null) {
      section.write(at, value);
    } else {
      unordered.writeRelease(at, value);
      unordered.flush(at, WORD_BYTES);
      // TREE-5. Test: TreeCrashTest.updateInPlace.
      unordered.fence();
    }
  }

  private void putOutside(Operation operation, long leaf, Item item, int slot, int old) {
    Encoded value = item.stored();
    Section section = operation.section;
    long block = heap.allocate(value.length());
    try {
      memory.writeBytesPlain(block, value.bytes(), 0, value.length());
      section.reserve(8);
      if (!append(section, leaf, item.in(block), slot, old)) {
        rewrite.rewrite(operation, leaf, item.key(), old, item.in(block));
      }
    } catch (RuntimeException | Error e) {
      if (!section.isUndone()) {
        heap.free(block);
      }
      throw e;
    }
  }

  private void freeOutside(long leaf, int place) {
    heap.free(leafs.stored(leaf, place).word());
  }

  /// Appends an entry, or a removal, which is no item.
  ///
  /// @param section `null` outside of sections
  /// @param slot of the key, -1 if it is not there
  /// @param old the place of the key's record, `NONE` if there is none
  /// @return false if the leaf has no room
  private boolean append(Section section, long leaf, Item item, int slot, int old) {
    long live = leafs.live(leaf);
    Item its = item == null ? null : shortened(leaf, item);
    int words = its == null ? 1 : its.words();
    int place = TreeLayout.place(leafs.tail(leaf), words);
    if (place + words > WORDS || slot < 0 && live == -1L) {
      return false;
    }
    long header =
        its == null ? TreeLayout.header(TreeLayout.KIND_REMOVAL, old, 0, 0) : its.header(old);
    int from = LeafImage.from(place);
    int bytes = LeafImage.to(place, words) - from;
    if (section == null) {
      write(sink, leaf, place, header, its);
      unordered.flush(leaf + from, bytes);
    } else {
      LeafImage image = new LeafImage();
      image.load(unordered, leaf, place, words);
      write(image, 0, place, header, its);
      section.enlist(epoch); // hints are not logged
      section.copy(leaf + from, image.array(), from, bytes);
    }
    int liveWords = leafs.liveWords(leaf);
    if (old != NONE) {
      liveWords -= TreeLayout.words(leafs.header(leaf, old));
    }
    if (item == null) {
      leafs.clearSlot(leaf, slot);
    } else {
      liveWords += words;
      int taken = slot >= 0 ? slot : Long.numberOfTrailingZeros(~live);
      leafs.setSlot(leaf, taken, leafs.fingerprint(item.key()), place);
    }
    leafs.setFilled(leaf, place + words, liveWords);
    if (section == null) {
      // TREE-5: after this, readers are let in. Test: TreeCrashTest.tree1RecordOfOneLine.
      unordered.fence();
    }
    return true;
  }

  private Item shortened(long leaf, Item item) {
    return order.isOfWords() ? item : leafs.prefix(leaf).shortened(item);
  }

  private static void write(RecordSink to, long leaf, int place, long header, Item item) {
    if (item == null) {
      to.record(leaf, place, header, null, null);
    } else {
      to.record(leaf, place, header, item.key(), item.stored());
    }
  }

  private void remove(Operation operation, long leaf, Encoded key, int slot, int old) {
    Section section = operation.section;
    boolean wasOutside = TreeLayout.kind(leafs.header(leaf, old)) == TreeLayout.KIND_OUTSIDE;
    boolean alone = section.isAlone() && !wasOutside;
    boolean appended = append(alone ? null : section, leaf, null, slot, old);
    if (!appended) {
      rewrite.rewrite(operation, leaf, key, old, null);
    }
    if (wasOutside) {
      freeOutside(leaf, old);
    }
    count.add(operation.line(), -1);
    if (!alone) {
      section.enlist(epoch);
    }
    if (appended) {
      mergeIfSparse(operation, leaf, key, alone);
    }
  }

  private void mergeIfSparse(Operation operation, long leaf, Encoded key, boolean alone) {
    if (leafs.liveWords(leaf) < WORDS / 4) {
      try {
        rewrite.merge(operation, leaf, key);
      } catch (RegionFullException e) {
        if (!alone) {
          throw e;
        }
        // The removal is done, and is durable; the leaf stays as it is.
      }
    }
  }
}
