package io.holdfast.collections.map.write;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.SlotClass;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionLock;
import java.util.function.Consumer;

/// Stripes that a clearing has taken out of the map, with all their blocks: a list from the root,
/// linked by their NEXT words. They are freed some blocks at a time, each time in a section of its
/// own, so that clearing takes no log in proportion to the map.
///
/// **MAP-7** A block of a stripe in the list is freed in the section that unlinks it: a crash
/// leaves what is not freed in the list, and the next opening goes on.
///
/// Thread-safe.
public final class StripeGarbage {
  /// Changes in a section: an empty log holds them, so that it needs no room on the device.
  private static final int CHANGES_MAX = 48;

  /// What a call needs to free anything.
  public static final int CHANGES_MIN = 8;

  private final MapParts parts;
  private final Region region;
  private final Memory memory;
  private final Heap heap;

  /// The root's word that has the first of the list.
  private final long anchor;

  private final SectionLock lock;

  public StripeGarbage(MapParts parts, long anchor) {
    this.parts = parts;
    this.region = parts.region();
    this.memory = parts.memory();
    this.heap = parts.heap();
    this.anchor = anchor;
    this.lock = new SectionLock(region.sections(), new Object());
  }

  public boolean isEmpty() {
    return memory.readPlain(anchor) == 0;
  }

  /// Runs something that changes the list, in a section, and something else after its end.
  public void adding(Consumer<Section> action, Runnable after) {
    lock.inSection(
        section -> {
          region.sections().checkUsable();
          parts.deletion().check(); // MAP-8
          action.accept(section);
          return null;
        },
        after);
  }

  /// Adds a stripe, in the section that takes it out of the map.
  ///
  /// @throws RegionDamagedException if it is none: nothing is stored into what a damaged word leads
  ///   to
  public void add(Section section, long stripe) {
    heap.checkBlock(stripe, parts.slots().stripeBytes(), "a map's stripe");
    section.write(stripe + MapLayout.NEXT, memory.readPlain(anchor));
    section.write(stripe + MapLayout.OLD, 0);
    section.write(anchor, stripe);
  }

  /// Frees all that is in the list; call it outside of sections, or one section does it all.
  public void free() {
    while (!isEmpty()) {
      adding(
          section -> {
            section.reserve(CHANGES_MAX);
            freeSome(section, CHANGES_MAX);
          },
          () -> {});
    }
  }

  /// Frees some blocks of what is in the list, in the calling thread's section.
  ///
  /// @param changes how many it may log, at least CHANGES_MIN
  public void freeSome(Section section, int changes) {
    long stripe = memory.readPlain(anchor);
    if (stripe == 0) {
      return;
    }
    int left = changes - 3; // the last ones: a word, the directory and the stripe
    heap.checkBlock(stripe, parts.slots().stripeBytes(), "a map's stripe");
    for (int sizeClass = 0; sizeClass < SlotClass.COUNT; sizeClass++) {
      long newest = MapLayout.classAt(stripe, sizeClass) + MapLayout.CLASS_CHUNK;
      left = freeList(section, newest, left);
    }
    left = freeList(section, stripe + MapLayout.LARGE, left);
    // OLD says how many of the directory's words were dealt with.
    parts.index().checkDirectory(stripe);
    long directory = memory.readPlain(stripe + MapLayout.DIRECTORY);
    long words = 1L << (directory & 0xff);
    long at = memory.readPlain(stripe + MapLayout.OLD);
    if (at < 0 || at > words) {
      throw parts.blocks().damaged("a directory of which more was freed than it has", stripe, at);
    }
    for (; left > 0 && at < words; left--) {
      long segment = memory.readPlain((directory >>> 8) + at * WORD_BYTES);
      at += words >>> parts.index().depth(segment, (int) directory & 0xff);
      heap.free(segment);
    }
    if (left > 0) {
      section.write(anchor, memory.readPlain(stripe + MapLayout.NEXT));
      heap.free(directory >>> 8);
      heap.free(stripe);
    } else {
      section.write(stripe + MapLayout.OLD, at);
    }
  }

  /// Frees blocks of a list.
  ///
  /// @param first the word that has its first
  /// @param most how many changes may be logged
  /// @return how many are left
  private int freeList(Section section, long first, int most) {
    long block = memory.readPlain(first);
    if (block == 0 || most < 2) {
      return block == 0 ? most : 0;
    }
    int left = most - 1; // the word
    for (; left > 0 && block != 0; left--) {
      heap.checkBlock(block, LINE_BYTES, "a map's chunk");
      long older = memory.readPlain(block + MapLayout.CHUNK_OLDER);
      heap.free(block);
      block = older;
    }
    section.write(first, block);
    return left;
  }
}
