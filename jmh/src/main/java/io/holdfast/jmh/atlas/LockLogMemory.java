package io.holdfast.jmh.atlas;

import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;

/// A region in which a lock that is acquired or released takes an entry of the log, which is waited
/// for, as Atlas's do (3.2): recovery there works out from them which sections depend on which.
/// Ours goes by dependencies that sections log when they have some, so here the entries tell
/// nothing.
///
/// An entry is that of a word that stays 0, at the end of the program's root.
final class LockLogMemory extends SectionMemory {
  private long word;

  LockLogMemory(Region region, Runnable release) {
    super(region, release);
  }

  @Override
  public long root(int bytes) {
    long root = super.root(bytes + Long.BYTES);
    word = root + bytes;
    return root;
  }

  @Override
  public void acquired(Object lock) {
    super.acquired(lock);
    log();
  }

  @Override
  public void releasing(Object lock) {
    log();
    super.releasing(lock);
  }

  private void log() {
    Section section = region.sections().current();
    section.reserve(1); // begins it
    section.willStore(word);
    memory.releaseFence();
  }
}
