package io.holdfast.collections.map;

import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.recovery.Region;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionLock;

/// Stripes that a clearing has taken out of the map, with all their blocks: a list from the root,
/// linked by their NEXT words. They are freed some blocks at a time, each time in a section of its
/// own, so that clearing takes no log in proportion to the map.
///
/// **MAP-7** A block of a stripe in the list is freed in the section that unlinks it: a crash
/// leaves what is not freed in the list, and the next opening goes on.
///
/// Thread-safe.
final class StripeGarbage {
  /// Changes in a section: a log's first chunk holds them.
  private static final int CHANGES_MAX = 1_000;

  private final Region region;
  private final Memory memory;
  private final Heap heap;

  /// The root's word that has the first of the list.
  private final long anchor;

  private final Deletion deletion;
  private final SectionLock lock;

  StripeGarbage(Region region, Deletion deletion, long anchor) {
    this.region = region;
    this.deletion = deletion;
    this.memory = region.memory();
    this.heap = region.heap();
    this.anchor = anchor;
    this.lock = new SectionLock(region.sections(), new Object());
  }

  boolean isEmpty() {
    return memory.readPlain(anchor) == 0;
  }

  /// Runs something that adds to the list, in a section.
  void adding(Runnable action) {
    locked(section -> action.run());
  }

  /// Adds a stripe, in the section that takes it out of the map.
  void add(Section section, long stripe) {
    section.write(stripe + MapLayout.NEXT, memory.readPlain(anchor));
    section.write(stripe + MapLayout.OLD, 0);
    section.write(anchor, stripe);
  }

  /// Frees all that is in the list; call it outside of sections, or one section does it all.
  void free() {
    while (!isEmpty()) {
      locked(
          section -> {
            section.reserve(CHANGES_MAX);
            freeSome(section, CHANGES_MAX);
          });
    }
  }

  private interface Action {
    void run(Section section);
  }

  private void locked(Action action) {
    Section section = lock.lock();
    try {
      region.sections().checkUsable();
      deletion.check(); // MAP-8
      action.run(section);
    } finally {
      lock.endSection(section);
      lock.unlock();
    }
    region.sections().checkKept();
  }

  /// Frees some blocks of what is in the list, in the calling thread's section.
  ///
  /// @param changes how many it may log, at least 4
  void freeSome(Section section, int changes) {
    long stripe = memory.readPlain(anchor);
    if (stripe == 0) {
      return;
    }
    int left = changes - 3; // the last ones: a word, the directory and the stripe
    for (int sizeClass = 0; sizeClass < SlotClass.COUNT; sizeClass++) {
      left = freeChunks(section, stripe, sizeClass, left);
    }
    // OLD says how many of the directory's words were dealt with.
    long directory = memory.readPlain(stripe + MapLayout.DIRECTORY);
    long words = 1L << (directory & 0xff);
    long at = memory.readPlain(stripe + MapLayout.OLD);
    for (; left > 0 && at < words; left--) {
      long segment = memory.readPlain((directory >>> 8) + at * WORD_BYTES);
      at += words >>> memory.readPlain(segment + MapLayout.SEGMENT_DEPTH);
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

  /// @param most how many changes may be logged
  /// @return how many are left
  private int freeChunks(Section section, long stripe, int sizeClass, int most) {
    long itsClass = MapLayout.classAt(stripe, sizeClass);
    long chunk = memory.readPlain(itsClass + MapLayout.CLASS_CHUNK);
    if (chunk == 0 || most < 2) {
      return chunk == 0 ? most : 0;
    }
    int left = most - 1; // the word
    for (; left > 0 && chunk != 0; left--) {
      long older = memory.readPlain(chunk + MapLayout.CHUNK_OLDER);
      heap.free(chunk);
      chunk = older;
    }
    section.write(itsClass + MapLayout.CLASS_CHUNK, chunk);
    return left;
  }
}
