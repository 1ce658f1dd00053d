package io.holdfast.core.memory;

import java.lang.foreign.MemorySegment;

/// A mapping to take the place of the one through which a process has a region for itself. A page
/// of that which was stored to is memory of the process's own until the mapping is closed; here it
/// is what the file has, which the system may forget and read again.
///
/// For one thread.
public final class FreshMapping implements AutoCloseable {
  private final MappedFile file;
  private final MemorySegment mapped;

  private Mappings notInUse;

  FreshMapping(MappedFile file, Mappings notInUse, MemorySegment mapped) {
    this.file = file;
    this.notInUse = notInUse;
    this.mapped = mapped;
  }

  /// Copies a page from the mapping in use. One that the region has grown by since is left out;
  /// then {@link #take} does nothing.
  public void copy(long page) {
    long at = page * RegionLayout.PAGE_BYTES;
    if (at < mapped.byteSize()) {
      MemorySegment.copy(file.bytes, at, mapped, at, RegionLayout.PAGE_BYTES);
    }
  }

  /// Has the region be accessed through this one. The caller sees to it that no store is under way,
  /// and that all pages are copied that differ.
  ///
  /// @return whether it is; not if it is too short by now
  /// @throws io.holdfast.core.StoreClosedException if the region was closed
  public boolean take() {
    Mappings old = file.replace(notInUse, mapped);
    if (old == null) {
      return false;
    }
    notInUse = old;
    return true;
  }

  /// Closes the mapping that is not in use: this one, or the one before. A thread that reads there
  /// is refused, and looks again (as MAPPING-3).
  @Override
  public void close() {
    notInUse.close();
  }
}
