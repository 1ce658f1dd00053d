package io.holdfast.core.memory;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.RegionAccessException;
import java.nio.file.Path;
import java.util.Arrays;

/// The bytes of a region, and the seam at the media: production maps a file ({@link MappedMemory}),
/// the crash explorer records. Every access says its ordering in its name; there is no access that
/// is just "write".
///
/// What is assumed of the media, and by the explorer not exceeded:
///
/// - **MEDIA-1** an aligned 8-byte word does not tear;
/// - **MEDIA-2** stores to one line persist in the order in which they reach the cache;
/// - **MEDIA-3** between lines nothing holds without a flush and a fence. A process crash loses
///   nothing that has reached the cache, so there it is the Java memory model alone that reorders:
///   plain stores are unordered among themselves, a release store comes after every store before
///   it, and a plain store may move above a release store that it follows, but not above a {@link
///   #releaseFence()}.
///
/// Offsets are from the region's first byte; those of words are multiples of 8. Thread-safe as
/// memory is: what is ordered is what the names say. An abstract class, not an interface, so that
/// with one implementation loaded every call is inlined.
public abstract class Memory {
  /// Bytes in the region; every offset below it can be accessed.
  public abstract long length();

  /// Makes the region longer; the new bytes are zero and have space on the device. For one thread
  /// at a time, as {@link #shrink} and {@link #giveBack}; others read and store meanwhile.
  ///
  /// @throws io.holdfast.core.RegionFullException if the device has none; nothing has changed then
  public abstract void grow(long newLength);

  /// Says that the region will soon {@link #grow} to a length, so that most of it may be done ahead
  /// and by another thread. A hint, which waits for nothing and never fails.
  public void prepare(long newLength) {
    // Growing does it.
  }

  /// Makes the region shorter: what lies behind is nobody's, and nobody accesses it. The file stays
  /// as long as it is.
  public abstract void shrink(long newLength);

  /// Gives the device back what the file has after the region's length.
  ///
  /// @throws io.holdfast.core.RegionAccessException if the system refuses; the region is as it was
  public abstract void giveBack();

  public abstract long readPlain(long offset);

  /// Reads a word; no later access moves before it.
  public abstract long readAcquire(long offset);

  public abstract void writePlain(long offset, long value);

  /// Writes a word after everything that this thread did before. Orders nothing that follows. Where
  /// the power may fail it is durable after all that was stored before, but for data that undo
  /// entries protect ({@link #writeLogged}).
  public abstract void writeRelease(long offset, long value);

  /// Writes a word of data that an undo entry protects; for others as {@link #writeRelease}. The
  /// memory may let its line be durable as late as it likes, until {@link #makeDataDurable} or
  /// {@link #writeEnd}, and may keep the word from other threads until one of these, a release or
  /// {@link #publishData}.
  public void writeLogged(long offset, long value) {
    writeRelease(offset, value);
  }

  /// Writes a byte as {@link #writeLogged} writes a word. Its neighbours in the word are other
  /// threads' to write at the same time.
  public abstract void writeLoggedByte(long offset, byte value);

  /// Others may see from here on what this thread stored by {@link #writeLogged}: a memory that
  /// held some of it back stores that.
  public void publishData() {
    // Others see it.
  }

  /// Waits until what this thread stored by {@link #writeLogged}, or took over by {@link
  /// EndMark#takeData}, is durable. Orders nothing: where a store is durable by itself, it is
  /// nothing.
  public void makeDataDurable() {
    // No data is late.
  }

  /// Writes the word by which a section says that it has ended, though it can't be durable yet:
  /// after its data, and durable before this returns. A memory that lets data be late beyond a
  /// section's end lets the word be late with them.
  ///
  /// @return what has been held back
  public EndMark writeEnd(long offset, long value) {
    makeDataDurable();
    writeRelease(offset, value);
    releaseFence();
    return EndMark.STORED;
  }

  /// Writes four words, the last with release: a log entry and its validity, in one call because
  /// this is the hot path of every section.
  public abstract void writeEntryRelease(long offset, long w0, long w1, long w2, long last);

  /// Reads bytes, plain.
  public abstract void readBytes(long offset, byte[] into, int at, int length);

  /// Whether the first bytes of an array are what {@link #readBytes} would read.
  public boolean hasBytes(long offset, byte[] expected, int length) {
    byte[] found = new byte[length];
    readBytes(offset, found, 0, length);
    return Arrays.equals(found, 0, length, expected, 0, length);
  }

  /// Writes bytes, plain; they may become visible in any order and in pieces.
  public abstract void writeBytesPlain(long offset, byte[] from, int at, int length);

  /// Whether any crash leaves all of some bytes, or none, when one call of {@link #writeBytesPlain}
  /// writes them. Other threads can see them in pieces all the same.
  public boolean storesWhole(long offset, long length) {
    return false;
  }

  /// Writes zeros, plain.
  public abstract void zeroPlain(long offset, long length);

  /// No store before it is seen after a store after it. It does not wait for data that an undo
  /// entry protects.
  public abstract void releaseFence();

  /// The same bytes without any order but that of the media: for structures that see to their own
  /// durability. A store is durable when its line was flushed and the flush fenced, by the same
  /// thread through this view; a thread that only needs it to outlive the process does neither.
  ///
  /// @return itself, where stores are not made durable in order anyway
  public Memory unordered() {
    return this;
  }

  /// What the calling thread has flushed and fenced so far.
  public PersistenceCounts threadCounts() {
    return PersistenceCounts.NONE;
  }

  /// Starts writing back the lines that hold some bytes, as the region's persistence domain does.
  public abstract void flush(long offset, long length);

  /// Waits until everything that this thread flushed is durable.
  public abstract void fence();

  /// Has all that was ever stored on the device when this returns, if that is the system's to do:
  /// not where stores become durable one by one, or in a memory that is no file.
  ///
  /// @throws RegionAccessException if the device refuses
  public void force() {}

  /// Waits until all is durable that this thread has stored, where that is the memory's to do for
  /// many at once; elsewhere it is already, and this returns. Whoever calls it holds no lock.
  ///
  /// @throws RegionAccessException if the device refuses
  public void awaitDurable() {}

  /// Ends an operation: waits until its stores survive the failure that they are to survive when
  /// the operation returns. Whoever calls it holds no lock.
  ///
  /// @throws RegionAccessException if the device refuses
  public void acknowledge() {}

  /// Sees to it that what the thread has stored is durable soon, and waits for nothing.
  public void makeDurableSoon() {}

  /// Whether all is durable that this thread has stored. `false` may be a mistake, for a moment.
  public boolean isDurable() {
    return true;
  }

  /// Whether what is durable survives a loss of power.
  public boolean survivesPowerFailure() {
    return false;
  }

  /// Whether the file is complete only together with its log, so that its header has to say so.
  public boolean hasLog() {
    return false;
  }

  /// What is thrown for an access that the system could not do, because a page of the file is
  /// missing (FAULT-1).
  public RegionAccessException faulted(InternalError fault) {
    return new RegionAccessException(
        "%s: a page of the region cannot be accessed: %s".formatted(name(), fault.getMessage()),
        fault);
  }

  /// Notes in the region who has it open (OWNER-1): once, before anything else is stored to a
  /// region that exists, and after everything that may refuse it.
  ///
  /// @throws io.holdfast.core.RegionLockedException if it is open in another process
  public void claim() {
    // It is no file, so nobody else can open it.
  }

  /// Whether all of the region can be read, as far as that is found out within a second.
  public boolean canBeRead() {
    return checkLength() == null;
  }

  /// Takes that note away, where nobody can lose a region that is closed.
  public void disclaim() {
    // There is none.
  }

  /// Looks whether the file still has all of the region, and is still this process's (OWNER-3).
  ///
  /// @return `null` if so, else what is to be thrown
  public RegionAccessException checkLength() {
    return null;
  }

  /// What makes a copy of the region's file while others use the region.
  ///
  /// @param from the file
  public RegionCopy copy(Path from, CopyPace pace) {
    return new LiveCopy(this, from, pace);
  }

  /// Begins to note which pages are stored to, for a copy that is made while the memory is in use;
  /// until {@link #endWatch}.
  ///
  /// @throws IllegalStateException if somebody else does
  /// @throws UnsupportedOperationException if it is no file
  DirtyPages watchStores() {
    throw new UnsupportedOperationException("%s: this is no file".formatted(name()));
  }

  /// Ends the noting.
  void endWatch() {
    // There is none.
  }

  /// Which region this is, for messages: its path.
  public abstract String name();

  /// Lets go of the region: when this returns no thread can access it through this object.
  /// Idempotent.
  public abstract void close();

  /// The same bytes, to be accessed after {@link #close()}; closed on its own.
  public abstract Memory reopen();
}
