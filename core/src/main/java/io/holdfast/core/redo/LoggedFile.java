package io.holdfast.core.redo;

import io.holdfast.core.Durability;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.DiskFile;
import io.holdfast.core.memory.FileRights;
import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.memory.Medium.Opened;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.Uninterrupted;
import io.holdfast.core.persistence.LoggedDisk;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.persistence.PersistenceEvent;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/// A region's file on a disk with the log beside it, `NAME.log`: how the two are begun, opened
/// after whatever happened, and ended.
///
/// A file of format version 2 is complete only with the log whose number it has in a word of its
/// own (`RegionLayout.LOG`). Any other one is complete by itself, and a log beside it is nobody's.
///
/// - **BEGIN-1** The log is there, empty and durable, before the file says that it needs one; and
///   the file says so, durably, before anything else of the image is written to it, and before
///   anybody is told that something is durable. The header's first copy is in one sector with the
///   log's number, and is durable before the second copy is written. Tests:
///   DiskCrashTest.p6WhatReturnedIsThere, DiskFailureTest.begin1TheFileIsSyncedFirst.
/// - **END-1** Everything is in the file, durably, before it says that it is complete by itself;
///   and that is durable before the log is deleted, or the file cut. Test:
///   DiskCrashTest.p6WhatReturnedIsThere.
/// - **FOUND-1** What an opening finds the file to say may be in the page cache alone, if the
///   process before was killed, or a sync of its failed, in the middle of BEGIN-1 or END-1. So it
///   is written again, durably, before anything depends on it: a batch that is acknowledged, a page
///   of the image, the deletion of a log. Test: DiskCrashTest.found1WhatAnEarlierOpeningHasWritten.
/// - **LOG-N1** A log that has been used, and what streams have, are deleted only beside a file
///   that is a region, whole and complete by itself. Beside a file that is refused they stay, and a
///   file in which there is nothing yet is refused if the log beside it has been used: the region
///   was truncated, or was moved without its log. A creation that was cut off has none that was:
///   the file has its header, and both have their names, durably, before the log has a batch.
///   Tests: DiskPowerFailureTest.logN1*.
/// - **REACH-1** The file says which batch its log must go on with, and which one must be before
///   that. It is one that the log had, durably, when pages were written, and is written with them,
///   before START moves, so not before START. A log that has it and a file that says so are of one
///   history: the file has no store that is in neither it nor the log. Where the one was replaced
///   by a copy of an earlier moment, both are refused. Tests: DiskPowerFailureTest.reach1*,
///   DiskCrashTest.p6WhatReturnedIsThere.
/// - **NOTE-1** Who has the region open is noted in the file, not in the image: other processes
///   look there. So a checkpoint leaves the note alone.
///
/// Thread-safe as its callers are: {@link RedoMemory}, and one checkpoint at a time.
final class LoggedFile implements Checkpoint.Target {
  /// Of a new log.
  static final int LOG_BYTES = 1 << 23;

  /// Looks at a log that may be in use.
  private static final int ATTEMPTS = 5;

  private static final int PAGE = RegionLayout.PAGE_BYTES;

  /// Of a copy to which is replayed, at a time.
  private static final long GROWTH_BYTES = 1L << 20;

  private final Disk disk;
  private final Path path;
  private final LoggedDisk domain;
  private final int logBytes;
  private final ImageBudget budget;
  private final Durability acknowledged;
  private final DiskFile file;
  private final BatchLog log;
  private final RedoLog redo;
  private final MappedMemory image;
  private final RedoMemory memory;

  /// The file's beginning, in the page cache; `null` until the region is claimed.
  private MappedMemory note;

  /// Whether the file says that it needs the log, or may say so.
  private volatile boolean isBegun;

  /// Whether the file is to be cut off behind the region when it is complete.
  private boolean cuts;

  private boolean closed;

  private final long logNumber;

  /// What makes streams without a record.
  private interface Streams {
    Streams IN_MEMORY = (_, _, log, epoch) -> LiveFile.inMemory(log, epoch);

    /// @param epoch the last one whose stores are in the log
    MemorySegment make(Disk disk, Path path, BatchLog log, long epoch) throws IOException;
  }

  /// @throws RegionFormatException if the file's log is missing, or is another one's
  private LoggedFile(
      Disk disk,
      Path path,
      LoggedDisk domain,
      int logBytes,
      ImageBudget budget,
      Durability acknowledged,
      Streams streams)
      throws IOException {
    this.disk = disk;
    this.path = path;
    this.domain = domain;
    this.logBytes = logBytes;
    this.budget = budget;
    this.acknowledged = acknowledged;
    createIfNew(disk, path);
    this.isBegun = isWithLog(path);
    long number = isBegun ? look(path, LoggedFile::number) : newNumber();
    this.log = isBegun ? existing(disk, path, number) : created(number);
    DiskFile opened = null;
    MappedMemory mapped = null;
    try {
      opened = disk.open(path);
      mapped = new MappedMemory(path, Files.size(path), domain);
      BitSet pages = new BitSet();
      long epoch = isBegun ? recover(opened, mapped, pages) : 0;
      MemorySegment live = streams.make(disk, path, log, epoch);
      String name = String.valueOf(path.getFileName());
      this.redo = new RedoLog(log, live, name, pages, this, budget.least(), domain);
    } catch (IOException | RuntimeException | Error e) {
      log.close();
      if (!isBegun) {
        deleteUnused(e);
      }
      if (mapped != null) {
        mapped.close();
      }
      if (opened != null) {
        opened.close();
      }
      throw e;
    }
    this.file = opened;
    this.image = mapped;
    this.memory = new RedoMemory(this, image, redo, acknowledged);
    this.logNumber = number;
  }

  /// Stores what the log has to the image, and what the streams have besides: that becomes a batch
  /// first.
  ///
  /// **OPEN-1** Where the log has less room than is kept for a checkpoint, opening makes one before
  /// it appends anything: so crashes of one opening after the other never fill the log up. Test:
  /// DiskKillTest.open1CrashesOfOpeningsDoNotFillTheLog.
  ///
  /// @return the last epoch of both
  private long recover(DiskFile file, MappedMemory image, BitSet pages) throws IOException {
    Replay replay = new Replay(image, pages);
    long[] epoch = {0};
    log.replay(
        (each, _, batch) -> {
          epoch[0] = each;
          RedoRecord.replay(batch, replay);
        });
    putHeader(file, image); // FOUND-1
    if (RedoLog.isStalled(log, pages.length())) {
      ByteBuffer page = ByteBuffer.allocateDirect(PAGE);
      for (int i = pages.nextSetBit(0); i >= 0; i = pages.nextSetBit(i + 1)) {
        copy(image, i, page.clear());
        put(file, i, page.flip());
      }
      putReach(file, image, log.mark());
      file.force();
      log.moveStart(log.mark()); // CHECK-3
    }
    ByteBuffer rest = log.payload();
    long last = LiveFile.read(disk, path, log.identity(), log.mark(), epoch[0], rest);
    if (rest.position() > 0) {
      ByteBuffer records = rest.duplicate().order(rest.order()).flip();
      log.append(last, true); // LIVE-4
      RedoRecord.replay(records, replay);
    }
    return last;
  }

  /// Opens a region's file, which is there and locked.
  ///
  /// @throws RegionFormatException if its log is missing, or is another one's
  static Opened open(
      Disk disk, Path path, int logBytes, ImageBudget budget, Durability acknowledged)
      throws IOException {
    LoggedDisk domain = new LoggedDisk(path);
    LoggedFile opened =
        new LoggedFile(disk, path, domain, logBytes, budget, acknowledged, LiveFile::create);
    return new Opened(
        opened.memory, () -> opened.note, domain::counts, PersistenceEvent.report(path, domain));
  }

  /// Makes a region's file complete by itself, which is there and locked.
  static void complete(Disk disk, Path path) throws IOException {
    if (isWithLog(path)) {
      LoggedFile opened =
          new LoggedFile(
              disk,
              path,
              new LoggedDisk(path),
              LOG_BYTES,
              ImageBudget.OF_MEMORY,
              Durability.POWER_FAILURE,
              Streams.IN_MEMORY);
      try {
        opened.settle();
      } finally {
        opened.memory.close();
      }
    } else {
      deleteLog(disk, path);
      LiveFile.delete(disk, LiveFile.of(path));
    }
  }

  /// Deletes a log that is nobody's: of a region that was closed since, or of a creation that was
  /// cut off. Any other file of that name is not touched.
  ///
  /// @return whether there is no such file
  /// @throws RegionFormatException if the file beside it is no region that is complete (LOG-N1)
  /// @throws RegionDamagedException if that is damaged
  private static boolean deleteLog(Disk disk, Path path) throws IOException {
    Path log = logOf(path);
    if (disk.exists(log) && isLog(disk, log)) {
      MappedMemory plain = new MappedMemory(path, Files.size(path), new PageCache());
      try {
        if (RegionHeader.isUnfinishedCreation(plain, RegionFile.INITIAL_BYTES)) {
          requireUnused(disk, path);
        } else {
          RegionHeader.read(plain);
          try (DiskFile file = disk.open(path)) {
            putHeader(file, plain); // FOUND-1
          }
        }
      } finally {
        plain.close();
      }
      disk.delete(log);
    }
    return !disk.exists(log);
  }

  /// What is no file, a pipe say, is somebody's.
  private static boolean isLog(Disk disk, Path log) throws IOException {
    return Files.isRegularFile(log) && BatchLog.isLog(disk, log);
  }

  /// LOG-N1, of a file in which there is nothing.
  static void requireUnused(Disk disk, Path path) throws IOException {
    Path log = logOf(path);
    if (disk.exists(log) && isLog(disk, log) && BatchLog.isUsed(disk, log)) {
      throw new RegionFormatException(
          "%s: there is nothing in the file, and the log of a region beside it has what was committed there: %s. The file was truncated, or the region was moved without its log. The log was not touched; put the region's file here again or its log beside it, or restore both from a backup. For a new store, move the log away"
              .formatted(path, log));
    }
  }

  /// Stores what the log beside a region's file has to a memory that has the file's bytes. Writes
  /// nothing to either file.
  static void replay(Path path, Memory memory) throws IOException {
    Replay replay = new Replay(memory, new BitSet());
    for (int attempt = 1; ; attempt++) {
      try (BatchLog log = existing(Disk.localToRead(), path, number(memory))) {
        long[] epoch = {0};
        Mark next =
            log.look(
                (each, _, batch) -> {
                  epoch[0] = each;
                  RedoRecord.replay(batch, replay);
                });
        if (!RegionFile.isInUse(path)) { // else its streams are of no one moment
          ByteBuffer rest = log.payload();
          LiveFile.read(Disk.localToRead(), path, log.identity(), next, epoch[0], rest);
          RedoRecord.replay(rest.flip(), replay);
        }
        return;
      } catch (RegionDamagedException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        } // else somebody has the region open, and wrote a batch that was looked for before
      }
    }
  }

  /// Replays some of the batches of a log in use to a copy of its region.
  ///
  /// @param end number of the first one that is not replayed
  /// @param longest how long the copy may become
  static void replay(BatchLog log, Mark start, long end, Memory copy, long longest)
      throws IOException {
    Replay replay = new Replay(copy, new BitSet(), longest);
    log.look(start, end, (_, _, batch) -> RedoRecord.replay(batch, replay));
  }

  /// Where the log of a region is.
  static Path logOf(Path path) {
    return path.resolveSibling(path.getFileName() + ".log");
  }

  /// A new region's header is there, durably, before a mapping makes the file longer for a moment.
  private static void createIfNew(Disk disk, Path path) throws IOException {
    if (Files.size(path) > RegionFile.INITIAL_BYTES) {
      return;
    }
    MappedMemory plain = new MappedMemory(path, Files.size(path), new PageCache());
    try {
      if (RegionHeader.isUnfinishedCreation(plain, RegionFile.INITIAL_BYTES)) {
        requireUnused(disk, path);
        if (plain.length() < RegionFile.INITIAL_BYTES) {
          plain.grow(RegionFile.INITIAL_BYTES);
          plain.force(); // or the header could name bytes that the file has not
        }
        RegionHeader.create(plain, UUID.randomUUID());
        plain.force();
      }
    } finally {
      plain.close();
    }
  }

  private static boolean isWithLog(Path path) throws IOException {
    return look(path, RegionHeader::isWithLog);
  }

  private static long number(Memory begin) {
    return begin.readPlain(RegionLayout.LOG);
  }

  /// From the file itself, which somebody may have open, and which need not be writable.
  private static Mark reach(Path path) throws IOException {
    ByteBuffer words = ByteBuffer.allocate(2 * RegionLayout.WORD_BYTES);
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      while (words.hasRemaining()) {
        if (file.read(words, RegionLayout.REACH + words.position()) < 0) {
          throw new EOFException(path + ": the file was truncated");
        }
      }
    }
    words.flip().order(ByteOrder.LITTLE_ENDIAN);
    return new Mark(0, words.getLong(), (int) words.getLong());
  }

  private static long newNumber() {
    return ThreadLocalRandom.current().nextLong() | 1;
  }

  private static <T> T look(Path path, Function<Memory, T> at) throws IOException {
    long length = Math.min(Files.size(path), 2 * PAGE); // mapped further it would be longer
    MappedMemory begin = new MappedMemory(path, length, new PageCache());
    try {
      return at.apply(begin);
    } finally {
      begin.close();
    }
  }

  private static BatchLog existing(Disk disk, Path path, long number) throws IOException {
    Path log = logOf(path);
    if (!disk.exists(log)) {
      throw new RegionFormatException(
          "%s: the region was open for POWER_FAILURE on a disk and was not closed, and its log is missing: %s. Nothing was touched; move that file here as well, or restore both from a backup"
              .formatted(path, log));
    }
    BatchLog found = BatchLog.open(disk, log);
    if (found.identity() != number) {
      found.close();
      throw new RegionFormatException(
          "%s: the log beside the region is another one's: found=0x%016X, expected=0x%016X in %s. Nothing was touched; put the region's own log there, or restore both from a backup"
              .formatted(path, found.identity(), number, log));
    }
    found.mustReach(reach(path)); // not before START, which was read
    return found;
  }

  private BatchLog created(long number) throws IOException {
    Path log = logOf(path);
    if (!deleteLog(disk, path)) {
      throw new RegionFormatException(
          "%s: the store's log cannot be made, because its name is taken by another file: %s. Nothing was touched; move that file, or name the store otherwise"
              .formatted(path, log));
    }
    BatchLog made = BatchLog.create(disk, log, number, logBytes);
    try {
      FileRights.copy(path, log); // nobody reads there what he can't read in the file
      return made;
    } catch (IOException | RuntimeException | Error e) {
      made.close();
      deleteUnused(e);
      throw e;
    }
  }

  /// Deletes the log that this opening has made, in which nothing was ever stored.
  private void deleteUnused(Throwable cause) {
    try {
      disk.delete(logOf(path));
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /// What the log has goes to the image.
  ///
  /// @param longest how long that may become
  private record Replay(Memory image, BitSet pages, long longest) implements RedoRecord.Target {
    Replay(Memory image, BitSet pages) {
      this(image, pages, image.length());
    }

    private void note(long offset) {
      if (offset >= longest) {
        throw new RegionDamagedException(
            "%s: the region was truncated: length=%d bytes, and its log has changes at offset 0x%X. The file was not touched; restore it from a backup"
                .formatted(image.name(), image.length(), offset));
      }
      if (offset >= image.length()) {
        image.grow(Math.min((offset / GROWTH_BYTES + 1) * GROWTH_BYTES, longest));
      }
      pages.set((int) (offset / PAGE));
    }

    @Override
    public void word(long offset, long value) {
      note(offset);
      image.writePlain(offset, value);
    }

    @Override
    public void byteAt(long offset, byte value) {
      note(offset);
      image.writeLoggedByte(offset, value);
    }

    @Override
    public void bytes(long offset, byte[] from, int count) {
      note(offset);
      image.writeBytesPlain(offset, from, 0, count);
    }

    @Override
    public void zeros(long offset, long count) {
      note(offset);
      image.zeroPlain(offset, count);
    }
  }

  /// Notes who has the region open, and begins the log (BEGIN-1).
  void claim() {
    Uninterrupted.run("open", path, () -> note = new MappedMemory(path, 2 * PAGE, new PageCache()));
    note.claim();
    if (!isBegun) {
      memory.writePlain(RegionLayout.LOG, logNumber);
      RegionHeader.rewrite(memory);
      redo.await();
      Uninterrupted.run("begin the log of", path, this::begin);
    }
  }

  private void begin() throws IOException {
    file.force(); // what it was open for before may have left it to the system
    // A write that fails may have changed the file all the same: from here on the log must stay.
    // Test: DiskFailureTest.whatReturnedIsThereBehindEachFailedCall.
    isBegun = true;
    storeReach(image, log.mark());
    putHeader(file, image);
  }

  /// Of this process's image, and by no log: a store of the file's, not of the region's.
  private static void storeReach(Memory image, Mark mark) {
    image.writePlain(RegionLayout.REACH, mark.number());
    image.writePlain(RegionLayout.REACH + RegionLayout.WORD_BYTES, mark.crc());
  }

  /// REACH-1.
  private static void putReach(DiskFile file, Memory image, Mark mark) throws IOException {
    storeReach(image, mark);
    ByteBuffer words = ByteBuffer.allocateDirect(2 * RegionLayout.WORD_BYTES);
    words.order(ByteOrder.LITTLE_ENDIAN).putLong(mark.number()).putLong(mark.crc());
    file.write(RegionLayout.REACH, words.flip());
  }

  /// BEGIN-1, END-1.
  private static void putHeader(DiskFile file, Memory image) throws IOException {
    ByteBuffer page = ByteBuffer.allocateDirect(PAGE);
    for (int number = 0; number < 2; number++) {
      copy(image, number, page.clear());
      put(file, number, page.flip());
      file.force();
    }
  }

  /// Has the file be cut off behind the region when it is complete by itself.
  void cutLater() {
    cuts = true;
  }

  /// Makes the file complete by itself (END-1), and takes the note away. Nobody stores any more.
  void settle() {
    redo.checkpoint();
    Uninterrupted.run("end the log of", path, this::end);
    isBegun = false;
  }

  private void end() throws IOException {
    long length = RegionHeader.rewrite(image); // and not by the log
    putHeader(file, image);
    if (cuts && file.length() > length) {
      file.setLength(length);
    }
    if (note != null) {
      note.disclaim();
    }
  }

  @Override
  public void copy(long page, ByteBuffer into) {
    copy(image, page, into);
  }

  private static void copy(Memory image, long page, ByteBuffer into) {
    byte[] bytes = new byte[PAGE];
    image.readBytes(page * PAGE, bytes, 0, PAGE);
    into.put(bytes);
  }

  @Override
  public void write(long page, ByteBuffer from) throws IOException {
    if (!isBegun) {
      throw new IllegalStateException("%s: a checkpoint before the log was begun".formatted(path));
    }
    put(file, page, from);
  }

  /// NOTE-1. Of the header's sector the log's number first (BEGIN-1): the system may write the
  /// sector in between.
  private static void put(DiskFile file, long page, ByteBuffer from) throws IOException {
    if (page > 0) {
      file.write(page * PAGE, from);
      return;
    }
    int start = from.position();
    int end = from.limit();
    file.write(RegionLayout.RUN, from.position(start + (int) RegionLayout.RUN));
    file.write(0, from.limit(start + (int) RegionLayout.OWNER).position(start));
    from.limit(end).position(end);
  }

  @Override
  public void mustReach(Mark mark) throws IOException {
    putReach(file, image, mark);
  }

  @Override
  public void force() throws IOException {
    file.force();
  }

  @Override
  public long renew(RedoLog log, NamedPages unwritten) {
    return new ImageRenewal(image, log, unwritten, budget).run();
  }

  /// What is to be thrown if the region is not this process's any more, or the log has failed.
  RegionAccessException lost() {
    RegionAccessException lost = note == null ? null : note.checkLength();
    return lost == null ? redo.failure() : lost;
  }

  void endCheckpoints() {
    redo.endCheckpoints();
  }

  /// Idempotent, and to be repeated if it was cut off.
  void close() {
    if (closed) {
      return;
    }
    redo.close();
    if (note != null) {
      note.close();
    }
    Uninterrupted.run("close", path, this::closeFiles);
    closed = true;
  }

  private void closeFiles() throws IOException {
    file.close();
    if (!isBegun) {
      if (isLog(disk, logOf(path))) {
        disk.delete(logOf(path));
      }
      LiveFile.delete(disk, LiveFile.of(path));
    }
  }

  /// The same region again, to be closed in order.
  Memory reopen() {
    // FILE-1: the look whether the file is still this one comes first. Beside another file, which
    // needs no log, this one's would be nobody's, and be deleted. Test:
    // TwoProcessesTest.theFileOfAnOpenStoreOnADiskIsReplaced.
    MappedMemory noted = note == null ? null : (MappedMemory) note.reopen();
    LoggedFile[] again = new LoggedFile[1];
    try {
      Uninterrupted.run(
          "open",
          path,
          () ->
              again[0] =
                  new LoggedFile(
                      disk, path, domain, logBytes, budget, acknowledged, Streams.IN_MEMORY));
    } catch (RuntimeException | Error e) {
      if (noted != null) {
        noted.close();
      }
      throw e;
    }
    again[0].note = noted;
    return again[0].memory;
  }
}
