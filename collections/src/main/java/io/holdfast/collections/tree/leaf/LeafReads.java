package io.holdfast.collections.tree.leaf;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.overlay.KeyedStore;
import io.holdfast.collections.tree.node.Inner.Side;
import io.holdfast.collections.tree.node.NodeLocks;
import io.holdfast.collections.tree.node.Path;
import io.holdfast.collections.tree.node.Seqlocks;
import io.holdfast.collections.tree.node.Torn;
import io.holdfast.collections.tree.node.TreeReader;
import io.holdfast.collections.tree.node.TreeStructure;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Sections;

/// Has something read from the leaf of a key: without a lock, some times (TREE-5), and then under
/// the leaf's.
///
/// Thread-safe.
public final class LeafReads {
  /// How often a reader tries without a lock.
  private static final int ATTEMPTS = 3;

  /// How often, while nobody changes the structure, before what can't be is damage.
  private static final int ATTEMPTS_MAX = 1_000;

  private final Memory memory;
  private final long root;
  private final TreeReader reader;
  private final TreeStructure structure;
  private final NodeLocks locks;
  private final Leaf leafs;
  private final LeafHints hints;
  private final TreeEpoch epoch;
  private final Sections sections;
  private final Runnable usable;

  public LeafReads(TreeParts parts) {
    this.memory = parts.memory();
    this.root = parts.root();
    this.reader = parts.reader();
    this.structure = parts.structure();
    this.locks = parts.locks();
    this.leafs = parts.leafs();
    this.hints = parts.hints();
    this.epoch = parts.epoch();
    this.sections = parts.region().sections();
    this.usable = parts.usable();
  }

  /// Reads a leaf that may be changed meanwhile: then it is run again.
  public interface LeafAction<R> {
    /// @param leaf 0 if there is none
    R run(long leaf, Path path, boolean isLocked);
  }

  /// @param path is filled, unless it is `null`
  /// @param step to the leaf beside that to which the path leads, if that is the key's as long as
  ///   nothing was changed: 1 to the next one, -1 to the one before; 0 to search for it
  public <R> R read(Encoded key, Side side, Path path, int step, LeafAction<R> action) {
    return read(key, side, path, step, new TreeReader.Found(), action);
  }

  /// Reads a leaf, and fills `found` with what led to it.
  public <R> R read(
      Encoded key, Side side, Path path, int step, TreeReader.Found found, LeafAction<R> action) {
    for (int attempt = 0; ; attempt++) {
      usable.run();
      boolean isBeside = step != 0 && attempt == 0 && reader.step(step, found, path);
      if (!isBeside && !find(key, side, found, path, attempt)) {
        continue;
      }
      if (found.leaf == 0) {
        structure.observe();
        return action.run(0, path, false);
      }
      int index = locks.indexOf(found.leaf);
      long current = epoch.current();
      long number = locks.seqlocks().read(index);
      if (attempt < ATTEMPTS) {
        if (!Seqlocks.isHeld(number)
            && reader.isStill(found)
            && leafs.epoch(found.leaf) == current) {
          R result = null;
          RuntimeException thrown = null;
          try {
            result = action.run(found.leaf, path, false);
          } catch (RuntimeException e) {
            thrown = e;
          }
          usable.run(); // its blocks may have been freed meanwhile
          if (!(thrown instanceof Torn) && locks.seqlocks().isStill(index, number)) {
            locks.observe(index); // TREE-6. Test: TreeSectionCrashTest.p2WhatIsSeenIsDependedOn.
            structure.observe();
            if (epoch.current() == current) {
              if (thrown != null) {
                throw thrown;
              }
              return result;
            }
          }
        }
      } else {
        Operation operation = Operation.reading(locks, structure, found.leaf);
        try {
          if (reader.isStill(found)) {
            usable.run();
            structure.observe();
            hints.prepare(operation, found.leaf);
            return action.run(found.leaf, path, true);
          }
        } catch (Torn e) {
          checkNotDamaged(found, attempt);
        } finally {
          try {
            operation.end();
          } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
            sections.breakOff(e); // where the very call fails, a lock is kept (LOCK-4)
          }
        }
      }
    }
  }

  /// The part that a leaf is in ({@link KeyedStore}).
  ///
  /// @param leaf 0 for an empty tree's
  public int part(long leaf) {
    return locks.indexOf(leaf == 0 ? root : leaf);
  }

  /// A number of a part that is another one when a leaf in it was changed; in an action.
  public long numberOf(int part) {
    return locks.seqlocks().read(part);
  }

  /// Whether a leaf that was read is as it was, and still in the tree. If not, what was read may be
  /// gone.
  ///
  /// @param number the leaf's, when it was read
  public boolean isStill(TreeReader.Found found, long number) {
    return reader.isStill(found) && locks.seqlocks().isStill(locks.indexOf(found.leaf), number);
  }

  /// What can't be is damage, if nobody has changed what led there.
  private void checkNotDamaged(TreeReader.Found found, int attempt) {
    if (attempt > 100 * ATTEMPTS && reader.isStill(found)) {
      throw new RegionDamagedException(
          "%s: the region is damaged: a tree's leaf contradicts itself: offset=0x%X. Restore it from a backup"
              .formatted(memory.name(), found.leaf));
    }
  }

  /// Goes from the top to a leaf; not without a lock for ever.
  ///
  /// @param attempt how often that was tried before
  /// @return false if something was changed on the way: look again
  public boolean find(Encoded key, Side side, TreeReader.Found found, Path path, int attempt) {
    boolean isFound = structure.find(key, side, found, path, attempt);
    if (!isFound && attempt > ATTEMPTS_MAX) {
      throw new RegionDamagedException(
          "%s: the region is damaged: a tree's node can't be one, root offset=0x%X. Restore it from a backup"
              .formatted(memory.name(), root));
    }
    return isFound;
  }
}
