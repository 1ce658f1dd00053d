package io.holdfast.core.memory;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.persistence.PersistenceDomain;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The file of a region, mapped, and how it grows and is cut off. What is read and stored goes
/// through {@link #bytes}: {@link MappedMemory}.
///
/// **MAPPING-1** Three lengths: `length` ≤ `prepared` ≤ the mapping's. What is below `length` is
/// the region's, and accessed. Up to `prepared` every page has its block on the device ({@link
/// FileSpace}), is zero, was stored to through the mapping, and is in the segment. Up to the
/// mapping's end there are addresses, for which the file is too short: an access would fault.
///
/// **MAPPING-2** A page is touched while it is nobody's, between `length` and `prepared`: storing a
/// zero to it changes nothing that anybody has written. It is touched because the first store to a
/// page is dear, also to one that was written: 8 µs or more on ext4 if it was only allocated, 1.6
/// if it was written, 0.03 if it was stored to as well (FACTS 16). {@link #prepare} does all that
/// in another thread, in pieces; a growth that finds its bytes prepared stores one field.
///
/// Addresses cost nothing, so they are mapped far ahead, with the first growth. When they are used
/// up, the file is mapped anew, and as far ahead again; the old mapping stays for who still has it.
/// The file is made longer for that and then short again, since mapping a file makes it as long as
/// the mapping. A crash in between leaves a tail without blocks. It is behind the length that the
/// header says, so it is nobody's (LENGTH-1).
///
/// **MAPPING-5** A mapping that is this process's alone has what no other one has. So it is made as
/// far ahead as can be, and replaced by one alone to which all that was copied, while no store is
/// under way ({@link FreshMapping}); a page of it is not touched before it is used, for that takes
/// memory.
///
/// **MAPPING-3** A page is cut off only when no thread can reach it: {@link #giveBack} maps what is
/// left, publishes a segment of that, closes the old mappings, for which all threads are stopped
/// (FACTS 9), and then truncates. A thread that held an old segment is refused there and looks
/// again. Write-backs have addresses, and are not refused; nobody has stores pending in space that
/// is free (SPAN-2). The JVM may leave a platform thread interrupted that it catches in the middle
/// of an access to a mapping that is closed; from a true interrupt that can't be told.
///
/// **MAPPING-4** While a {@link DirtyPages} is set, the segment that is published is read-only: who
/// stores sees that, and goes another way, on which the store is noted. Whether a segment is
/// read-only is asked by each store anyway, so asking before costs nothing. The old mapping is
/// closed before the watch counts, as in MAPPING-3, so no store goes the old way.
abstract class MappedFile extends Memory {
  private static final long PAGE_MASK = RegionLayout.PAGE_BYTES - 1;

  /// What is prepared at a time: 256 pages of some 2 µs. A thread that waits for it waits half a
  /// millisecond.
  private static final long PIECE_BYTES = 1L << 20;

  /// By how much more than needed addresses are mapped: as much again, and at least this. A process
  /// has 128 TiB of them.
  private static final long AHEAD_MIN_BYTES = 1L << 34;

  final Path path;
  final FileIdentity identity;
  final PersistenceDomain domain;
  private final Preparer preparer;

  /// Of those who change the file, the mappings or the lengths after `length`. A monitor: the JVM
  /// gives it back wherever the stack ends. It is not fair, and the preparer takes it again and
  /// again. So a thread that changes the file has the preparer stop first, and one that grows it
  /// waits for the preparer's pieces without the monitor.
  private final Object changing = new Object();

  private volatile Mappings inUse = new Mappings();

  /// The newest of them, guarded by CHANGING.
  private MemorySegment mapping;

  /// Its beginning, as far as it can be accessed.
  MemorySegment bytes;

  /// The same, to store to while a watch is set.
  volatile MemorySegment watched;

  volatile DirtyPages watch;

  volatile long length;
  private volatile long prepared;
  volatile boolean closed;

  /// Maps a file as it is.
  ///
  /// @param length the bytes to map; the file has at least as many
  MappedFile(FileIdentity identity, long length, PersistenceDomain domain) {
    this.identity = identity;
    this.path = identity.path();
    this.domain = domain;
    this.preparer = new Preparer(String.valueOf(path.getFileName()), this::prepareAPiece);
    this.prepared = length;
    this.length = length;
    Uninterrupted.run("map", path, this::mapFirst);
    publish(mapping.asSlice(0, length));
  }

  private void mapFirst() throws IOException {
    identity.check();
    long found = Files.size(path);
    if (found < length) {
      throw truncated(found, length, null);
    }
    mapping = domain.isPrivate() ? mapAhead(length, inUse) : map(length, inUse);
  }

  private FileChannel openChannel() throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      identity.check(); // FILE-1. Test: TwoProcessesTest.theFileOfAnOpenStoreIsReplaced.
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void grow(long newLength) {
    checkOpen(); // first: a trim that the closing has cut off leaves a length that fits nothing
    long oldLength = length;
    if (newLength <= oldLength) {
      throw new IllegalArgumentException(
          "a region only grows: length=%d, newLength=%d".formatted(oldLength, newLength));
    }
    if (newLength > prepared) {
      checkNotTruncated();
      prepareNow(oldLength, newLength);
    }
    checkOpen();
    length = newLength;
  }

  /// Prepares what a growth finds missing. The file is as long as before if that fails: a full disk
  /// should not stay fuller for our attempt.
  private void prepareNow(long oldLength, long newLength) {
    while (prepared < newLength) {
      // Its time is not the caller's, and two are no faster.
      if (!preparer.awaitPieceTo(newLength)) {
        prepareAPieceNow(oldLength, newLength);
      }
      checkOpen();
    }
  }

  private void prepareAPieceNow(long oldLength, long newLength) {
    synchronized (changing) {
      try {
        checkOpen();
        if (prepared < newLength) {
          extend(newLength);
        }
      } catch (RegionAccessException e) {
        throw full(oldLength, newLength, e.getCause());
      } catch (IOException e) {
        throw full(oldLength, newLength, e);
      }
    }
  }

  private RegionFullException full(long oldLength, long newLength, Throwable cause) {
    cutOff(oldLength);
    return new RegionFullException(
        "%s: cannot grow the region: from=%d bytes, to=%d bytes (%s). Nothing is lost; %s, and call again"
            .formatted(path, oldLength, newLength, cause.getMessage(), MapFailure.remedy(cause)),
        cause);
  }

  @Override
  public void prepare(long newLength) {
    preparer.prepare(newLength);
  }

  private boolean prepareAPiece(long newLength) {
    synchronized (changing) {
      try {
        if (closed || prepared >= newLength) {
          return false;
        }
        checkNotTruncated();
        extend(newLength);
        return true;
      } catch (IOException | RuntimeException | Error e) { // a fault is an error
        cutOff(prepared);
        System.getLogger("io.holdfast")
            .log(
                Level.DEBUG,
                () -> path + ": cannot grow ahead; who needs the space will try, and be told why",
                e);
        return false;
      }
    }
  }

  /// Prepares a piece (MAPPING-1, MAPPING-2), guarded by CHANGING.
  private void extend(long newLength) throws IOException {
    long from = prepared;
    long to = Math.min(newLength, from + PIECE_BYTES);
    if (to > mapping.byteSize()) {
      if (domain.isPrivate()) {
        throw new IOException(
            "this opening has mapped %d bytes, and what is stored in them is in no other mapping: close the store and open it again"
                .formatted(mapping.byteSize()));
      }
      mapping = mapAhead(to, inUse);
    }
    FileSpace.allocate(identity, from, to);
    if (domain.survivesPowerFailure()) {
      FileSpace.force(identity); // the length is durable before anything speaks of it
    }
    if (!domain.isPrivate()) { // a page of one's own takes memory, and has no block to find
      for (long at = (from + PAGE_MASK) & ~PAGE_MASK; at < to; at += RegionLayout.PAGE_BYTES) {
        mapping.set(ValueLayout.JAVA_LONG, at, 0L);
      }
    }
    DirtyPages watching = watch;
    if (watching != null) {
      watching.note(from, to - from); // what was there before is in the copy, perhaps
    }
    publish(mapping.asSlice(0, to));
    prepared = to;
  }

  private MemorySegment mapAhead(long least, Mappings owner) throws IOException {
    if (least <= RegionFile.INITIAL_BYTES && !domain.isPrivate()) {
      // HEADER-2: a file that is longer is not taken for a creation that was cut off.
      // Test: MappedMemoryTest.aRegionThatIsCreatedIsNeverLonger.
      return mapTo(least, owner);
    }
    identity.check(); // whose exception says more than that of a file that is not there
    long fileLength = Files.size(path);
    try {
      return mapAsFarAsPossible(least, owner);
    } finally {
      FileSpace.truncate(identity, fileLength);
    }
  }

  /// There may be a limit to addresses, or to the length of files.
  private MemorySegment mapAsFarAsPossible(long least, Mappings owner) {
    for (long ahead = Math.max(least, AHEAD_MIN_BYTES); ; ahead /= 2) {
      try {
        return mapTo(least + ahead, owner);
      } catch (RegionAccessException e) {
        if (ahead == 0) {
          throw e;
        }
      }
    }
  }

  private MemorySegment mapTo(long end, Mappings owner) {
    MemorySegment[] mapped = new MemorySegment[1];
    Uninterrupted.run("map", path, () -> mapped[0] = map(end, owner));
    return mapped[0];
  }

  /// Maps the file's beginning, and makes it as long.
  private MemorySegment map(long end, Mappings owner) throws IOException {
    try (FileChannel channel = openChannel()) {
      return domain.map(channel, 0, end, owner.arena);
    } catch (IllegalStateException e) {
      throw asClosed(e);
    }
  }

  @Override
  public void shrink(long newLength) {
    preparer.forget();
    synchronized (changing) {
      checkOpen();
      if (newLength > length) {
        throw new IllegalArgumentException(
            "not shorter: length=%d, newLength=%d".formatted(length, newLength));
      }
      DirtyPages watching = watch;
      if (watching != null) {
        watching.note(newLength, length - newLength); // if it grows again, that is zero
      }
      preparer.forget();
      // What is behind holds what it held, so it is not prepared any more (LENGTH-1).
      // Test: MappedMemoryTest.whatIsBehindTheEndIsZeroWhenTheRegionGrowsAgain. A log may still
      // need it: there it is zeroed by stores (LENGTH-2).
      prepared = domain.isPrivate() ? prepared : newLength;
      length = newLength;
    }
  }

  @Override
  public void giveBack() {
    preparer.forget();
    synchronized (changing) {
      checkOpen();
      Uninterrupted.run(
          "trim",
          path,
          () -> {
            if (Files.size(path) > length && watch == null) { // else the next one, or the closing
              preparer.forget();
              remap(length);
              FileSpace.truncate(identity, length);
            }
          });
    }
  }

  /// MAPPING-3. Test: MappedMemoryTest.nobodyFaultsWhenSpaceIsGivenBack.
  private void remap(long end) throws IOException {
    Mappings fresh = new Mappings();
    try {
      mapping = map(end, fresh);
    } catch (IOException | RuntimeException | Error e) {
      fresh.close();
      throw e;
    }
    publish(mapping);
    prepared = end;
    use(fresh).close();
  }

  private Mappings use(Mappings fresh) {
    Mappings old = inUse;
    inUse = fresh; // orders the segment before it, for those who find the old mappings gone
    return old;
  }

  /// A further mapping of a file that is mapped for this process alone: of what the file has.
  ///
  /// @throws RegionAccessException if there are too few addresses, or too little memory
  /// @throws StoreClosedException if it was closed
  public FreshMapping mapAgain() {
    synchronized (changing) {
      checkOpen();
      Mappings fresh = new Mappings();
      MemorySegment[] mapped = new MemorySegment[1];
      try {
        Uninterrupted.run("map", path, () -> mapped[0] = mapAhead(prepared, fresh));
      } catch (RuntimeException | Error e) {
        fresh.close();
        throw e;
      }
      return new FreshMapping(this, fresh, mapped[0]);
    }
  }

  /// Has accesses go through another mapping. No store is under way.
  ///
  /// @return the mappings that were in use, still open; `null` if the other one is too short
  Mappings replace(Mappings fresh, MemorySegment mapped) {
    synchronized (changing) {
      checkOpen();
      if (prepared > mapped.byteSize()) {
        return null;
      }
      mapping = mapped;
      publish(mapped.asSlice(0, prepared));
      return use(fresh);
    }
  }

  /// Has accesses go through a segment from now on (MAPPING-4). Guarded by CHANGING.
  private void publish(MemorySegment segment) {
    watched = segment;
    bytes = watch == null ? segment : segment.asReadOnly();
  }

  @Override
  DirtyPages watchStores() {
    if (domain.isPrivate()) {
      throw new UnsupportedOperationException( // MAPPING-5
          "%s: no copy can be made of a store that is open for POWER_FAILURE on a disk. Close it and copy its file, or open it for PROCESS_CRASH"
              .formatted(path));
    }
    preparer.forget();
    synchronized (changing) {
      checkOpen();
      if (watch != null) {
        throw new IllegalStateException(
            "%s: a copy of the store is being made already. Wait until it is there"
                .formatted(path));
      }
      return beginWatch();
    }
  }

  private DirtyPages beginWatch() {
    DirtyPages set = new DirtyPages();
    watch = set;
    try {
      // All that is prepared: a growth may be on its way that has found it so.
      // Test: BackupTest.whileItGrowsAndIsTrimmed.
      Uninterrupted.run("map", path, () -> remap(prepared));
      long end = length;
      if (prepared > end) {
        set.note(end, prepared - end); // becomes the region's without a store
      }
      return set;
    } catch (RuntimeException | Error e) {
      endWatch();
      throw e;
    }
  }

  @Override
  void endWatch() {
    synchronized (changing) {
      watch = null;
      if (!closed) {
        publish(watched);
      }
    }
  }

  /// Cuts off what nobody has been given.
  private void cutOff(long from) {
    long end = domain.isPrivate() ? prepared : from; // an earlier cut may have been longer
    preparer.forget();
    prepared = end;
    try {
      FileSpace.truncate(identity, end);
    } catch (IOException e) {
      warn(": cannot give back what was allocated in vain", e);
    }
  }

  /// What the program's logger throws, for want of files say, must not take the place of what the
  /// caller is about to be told.
  private void warn(String what, IOException cause) {
    try {
      System.getLogger("io.holdfast").log(Level.WARNING, () -> path + what, cause);
    } catch (RuntimeException | Error e) {
      cause.addSuppressed(e);
    }
  }

  private void checkOpen() {
    if (closed) {
      // By now the file may be another store's, and what lies behind this length its data.
      throw new StoreClosedException(closedMessage());
    }
  }

  /// Before anything makes the file longer.
  private void checkNotTruncated() {
    RegionAccessException truncated = checkLength();
    if (truncated != null) {
      throw truncated; // or what is lost would come to be zeros
    }
  }

  private RegionAccessException truncated(long found, long expected, Throwable cause) {
    return new RegionAccessException(
        "%s: the file was truncated by another program while it was open: length=%d bytes, expected=%d bytes. What was after that is lost; close the store and restore the file from a backup"
            .formatted(path, found, expected),
        cause);
  }

  RegionAccessException checkLength(InternalError fault) {
    long expected = length;
    try {
      identity.check(); // else it is another file's length
      long found = Files.size(path);
      return found < expected && expected == length && !closed
          ? truncated(found, expected, fault)
          : null;
    } catch (IOException e) {
      return null; // it has not this name any more: nobody can truncate it by that
    }
  }

  /// What a thread is told that finds the memory gone: the store was closed while it was on its way
  /// here.
  private RuntimeException asClosed(IllegalStateException e) {
    return closed ? new StoreClosedException(closedMessage(), e) : e;
  }

  /// A thread has found its mapping gone: if the store is open, there is a new one (MAPPING-3).
  void lookAgain(IllegalStateException e) {
    Mappings now = inUse;
    if (closed || !now.areOpen() && now == inUse) { // else it was trimmed once more
      throw asClosed(e);
    }
  }

  private String closedMessage() {
    return "%s: the store is closed. Open it again".formatted(path);
  }

  @Override
  public void force() {
    if (!domain.survivesPowerFailure()) {
      Uninterrupted.run("make durable", path, () -> FileSpace.force(identity));
    }
  }

  /// Waits for a piece of growth that is under way, no more. Idempotent, and to be repeated if it
  /// was cut off.
  @Override
  public void close() {
    preparer.stop();
    synchronized (changing) {
      closed = true;
      inUse.close();
    }
  }
}
