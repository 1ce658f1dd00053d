package io.holdfast.core.memory;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.persistence.PersistenceDomain;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Path;

/// A region in a file that is mapped shared: what a store has written is in the kernel's page
/// cache, and stays there when the process dies.
///
/// The file is seen through one segment, from its beginning, so that an access has no table to go
/// through: a thread that follows links through the region waits for their words alone. Growing
/// publishes a longer segment; an old one stays valid for the offsets it knows. Whoever learns an
/// offset after its end learns it through a release that follows the publication. So nobody who
/// reads or stores waits for growth.
///
/// No restricted method is called, so no flag is needed (FACTS 10).
///
/// How the file grows, and is cut off: {@link MappedFile}.
///
/// **FAULT-1** A page that is missing all the same, because another program truncated the file, is
/// an `InternalError` in the thread that accesses it; the JVM lives. Compiled code throws it late,
/// at the next safepoint, anywhere in the thread, so it is not caught here: code that offers
/// operations to programs catches it there, the file's length is looked at once a second, and a
/// file that is too short is never mapped, since mapping would make it longer with zeros. No CAS is
/// done on the file's pages, because that would kill the JVM (FACTS 5).
///
/// The kernel lock is on another file ({@link RegionLock}, FACTS 6).
public final class MappedMemory extends MappedFile {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle WORDS = WORD.varHandle();

  /// Without a check of the alignment. Offsets of words that were checked when they were read from
  /// the file are aligned; of others a reader finds out that what it has read is none.
  private static final VarHandle PLAIN_WORDS =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

  private static final VarHandle ARRAY_WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle BYTES = ValueLayout.JAVA_BYTE.varHandle();

  /// Its note in the region; `null` before {@link #claim}.
  private volatile RegionOwner owner;

  /// Maps a file as it is.
  ///
  /// @param length the bytes to map; the file has at least as many
  ///
  /// @throws IOException if it can't be found
  public MappedMemory(Path path, long length, PersistenceDomain domain) throws IOException {
    this(FileIdentity.of(path), length, domain);
  }

  private MappedMemory(FileIdentity identity, long length, PersistenceDomain domain) {
    super(identity, length, domain);
  }

  @Override
  public void claim() {
    owner = RegionOwner.claim(this, identity);
  }

  @Override
  public void disclaim() {
    if (owner != null) {
      writePlain(RegionLayout.OWNER, 0);
      owner = null;
    }
  }

  /// Its note in the region; `null` if it made none.
  RegionOwner owner() {
    return owner;
  }

  @Override
  public RegionAccessException checkLength() {
    RegionAccessException truncated = checkLength((InternalError) null);
    return truncated == null && owner != null ? owner.look(this) : truncated;
  }

  @Override
  public boolean canBeRead() {
    return super.canBeRead() && FileSpace.isReadable(identity, length);
  }

  @Override
  public RegionAccessException faulted(InternalError fault) {
    RegionAccessException truncated = checkLength(fault);
    return truncated != null
        ? truncated
        : new RegionAccessException(
            "%s: a page of the file cannot be accessed (%s): the device has an error, or the file was truncated and is longer again. Close the store, look at the device, and open it again"
                .formatted(path, fault.getMessage()),
            fault);
  }

  private interface Store {
    void to(MemorySegment segment);
  }

  /// MAPPING-4. The segment is read before the watch: if another watch has begun since, it is
  /// closed, and this looks again. Test: BackupTest.oneBackupAfterTheOther.
  private void storeWatched(long offset, long count, Store store) {
    MemorySegment segment = watched;
    DirtyPages watching = watch;
    try {
      if (watching == null) { // it ended just now
        store.to(segment);
        return;
      }
      int counter = watching.begin();
      try {
        store.to(segment);
        watching.note(offset, count); // WATCH-1
      } finally {
        watching.end(counter);
      }
    } catch (IllegalStateException e) {
      lookAgain(e);
      storeWatched(offset, count, store);
    }
  }

  @Override
  public long readPlain(long offset) {
    try {
      return (long) PLAIN_WORDS.get(bytes, offset);
    } catch (IllegalStateException e) {
      lookAgain(e);
      return readPlain(offset);
    }
  }

  @Override
  public long readAcquire(long offset) {
    try {
      return (long) WORDS.getAcquire(bytes, offset);
    } catch (IllegalStateException e) {
      lookAgain(e);
      return readAcquire(offset);
    }
  }

  @Override
  public void writePlain(long offset, long value) {
    MemorySegment region = bytes;
    if (region.isReadOnly()) {
      storeWatched(offset, Long.BYTES, to -> WORDS.set(to, offset, value));
      return;
    }
    try {
      WORDS.set(region, offset, value);
    } catch (IllegalStateException e) {
      lookAgain(e);
      writePlain(offset, value);
    }
  }

  @Override
  public void writeRelease(long offset, long value) {
    MemorySegment region = bytes;
    if (region.isReadOnly()) {
      storeWatched(offset, Long.BYTES, to -> WORDS.setRelease(to, offset, value));
      return;
    }
    try {
      WORDS.setRelease(region, offset, value);
    } catch (IllegalStateException e) {
      lookAgain(e);
      writeRelease(offset, value);
    }
  }

  @Override
  public void writeLoggedByte(long offset, byte value) {
    MemorySegment region = bytes;
    if (region.isReadOnly()) {
      storeWatched(offset, 1, to -> BYTES.setRelease(to, offset, value));
      return;
    }
    try {
      BYTES.setRelease(region, offset, value);
    } catch (IllegalStateException e) {
      lookAgain(e);
      writeLoggedByte(offset, value);
    }
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    MemorySegment region = bytes;
    if (region.isReadOnly()) {
      storeWatched(offset, 32, to -> storeEntry(to, offset, w0, w1, w2, last));
      return;
    }
    try {
      storeEntry(region, offset, w0, w1, w2, last);
    } catch (IllegalStateException e) {
      lookAgain(e);
      writeEntryRelease(offset, w0, w1, w2, last);
    }
  }

  private static void storeEntry(
      MemorySegment region, long offset, long w0, long w1, long w2, long last) {
    WORDS.set(region, offset, w0);
    WORDS.set(region, offset + 8, w1);
    WORDS.set(region, offset + 16, w2);
    WORDS.setRelease(region, offset + 24, last);
  }

  @Override
  public void readBytes(long offset, byte[] into, int at, int count) {
    try {
      MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, offset, into, at, count);
    } catch (IllegalStateException e) {
      lookAgain(e);
      readBytes(offset, into, at, count);
    }
  }

  @Override
  public boolean hasBytes(long offset, byte[] expected, int count) {
    try {
      MemorySegment region = bytes;
      boolean has = true;
      int done = 0;
      for (; has && done + Long.BYTES <= count; done += Long.BYTES) {
        has =
            (long) PLAIN_WORDS.get(region, offset + done) == (long) ARRAY_WORDS.get(expected, done);
      }
      for (; has && done < count; done++) {
        has = (byte) BYTES.get(region, offset + done) == expected[done];
      }
      return has;
    } catch (IllegalStateException e) {
      lookAgain(e);
      return hasBytes(offset, expected, count);
    }
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int count) {
    MemorySegment region = bytes;
    if (region.isReadOnly()) {
      storeWatched(
          offset,
          count,
          to -> MemorySegment.copy(from, at, to, ValueLayout.JAVA_BYTE, offset, count));
      return;
    }
    try {
      MemorySegment.copy(from, at, region, ValueLayout.JAVA_BYTE, offset, count);
    } catch (IllegalStateException e) {
      lookAgain(e);
      writeBytesPlain(offset, from, at, count);
    }
  }

  @Override
  public void zeroPlain(long offset, long count) {
    MemorySegment region = bytes;
    if (region.isReadOnly()) {
      storeWatched(offset, count, to -> to.asSlice(offset, count).fill((byte) 0));
      return;
    }
    try {
      region.asSlice(offset, count).fill((byte) 0);
    } catch (IllegalStateException e) {
      lookAgain(e);
      zeroPlain(offset, count);
    }
  }

  @Override
  public void releaseFence() {
    VarHandle.releaseFence();
  }

  @Override
  public void flush(long offset, long count) {
    if (!domain.survivesPowerFailure()) {
      return; // an append to the page cache took 6.8 ns with a call for nothing, and 6.0 without
    }
    try {
      domain.flush(watched, offset, count);
    } catch (IllegalStateException e) {
      lookAgain(e);
      flush(offset, count);
    }
  }

  @Override
  public void fence() {
    domain.fence();
  }

  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public Memory reopen() {
    MappedMemory again = new MappedMemory(identity, length, domain);
    // OWNER-3. Test: RegionOwnerTest.owner3WhatIsAnothersIsNotMarkedAsClosed.
    RegionAccessException lost = owner == null ? null : owner.look(again);
    if (lost != null) {
      again.close();
      throw lost;
    }
    again.owner = owner;
    return again;
  }

  @Override
  public String toString() {
    return "%s (%d bytes%s)".formatted(path, length, closed ? ", closed" : "");
  }
}
