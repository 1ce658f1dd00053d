package io.holdfast.core.redo;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.DiskFile;
import io.holdfast.core.memory.BootId;
import io.holdfast.core.memory.FileRights;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The file of a region's streams, `NAME.live`: a shared mapping, whose bytes the system keeps
/// whoever dies. So what was stored and is in no batch yet survives a crash of the process, without
/// a system call. It is never synced, and counts in the run of the system that wrote it alone.
///
/// Little-endian:
///
/// | offset | bytes | content |
/// |---|---|---|
/// | 0 | 8 | magic, the bytes `HFLIVE01`; 0 while the file is being made |
/// | 8 | 8 | the log's number |
/// | 16 | 8 | the run of the system ({@link BootId}) |
/// | 64 | 8 | the last epoch whose stores are in the log |
/// | 72 | 8 | number of the log's next batch |
/// | 128 | 16 each | of a stream: DONE and FREED |
/// | 4,096 | 32 KiB each | the streams ({@link RedoStreams}) |
///
/// What is in a stream up to its ticket DONE the log has; up to FREED it is zeroed, to be used
/// again.
///
/// - **LIVE-1** The file counts if it is of this log and of this run of the system, and knows of
///   the log's last batch, or of all but that: the crash may have come before it was told. Test:
///   LiveFileTest.live1WhatIsAnothersDoesNotCount.
/// - **LIVE-2** DONE is stored before anything is zeroed, and FREED after that: between the two
///   there may be halves of records, and nobody reads there. Test:
///   LiveFileTest.live2WhatIsHalfZeroedIsNotRead.
/// - **LIVE-3** A record that is longer than a unit says how long before its bytes are there, so
///   that one which was cut off is skipped, and what others published after it is found. A shorter
///   one is zeros where its head would be. Tests: LiveFileTest.live3WhatWasCutOffIsSkipped,
///   LiveFileTest.live3ARecordIsAnnouncedBeforeItsBytes.
/// - **LIVE-4** What an opening finds becomes one batch, durably, before the file is made anew; a
///   batch whole or not at all, as the crash left the stores. Test:
///   DiskKillTest.whatReturnedSurvivesAKill.
final class LiveFile {
  /// Of all that comes before the streams.
  static final int HEADER_BYTES = 4096;

  static final int BYTES = HEADER_BYTES + RedoStreams.BYTES;

  static final int EPOCH = 64;
  static final int NEXT_BATCH = 72;

  private static final long MAGIC = 0x313045564C494648L; // HFLIVE01
  private static final int LOG = 8;
  private static final int BOOT = 16;
  private static final int STREAMS = 128;

  private static final int[] BEFORE_MAGIC = {LOG, BOOT, EPOCH, NEXT_BATCH};

  private LiveFile() {}

  static int done(int stream) {
    return STREAMS + 16 * stream;
  }

  static int freed(int stream) {
    return done(stream) + 8;
  }

  /// Where it is, of a region.
  static Path of(Path region) {
    return region.resolveSibling(region.getFileName() + ".live");
  }

  /// Makes a file of streams without a record, in place of one that was read. Its memory is there
  /// as long as anybody refers to it: a thread may store while the region is closed.
  ///
  /// @param epoch the last one whose stores are in the log
  /// @throws RegionFullException if there is no room
  /// @throws RegionFormatException if the name is taken by another file
  static MemorySegment create(Disk disk, Path region, BatchLog log, long epoch) throws IOException {
    Path path = of(region);
    if (!delete(disk, path)) {
      throw new RegionFormatException(
          "%s: the store's streams cannot be made, because their name is taken by another file: %s. Nothing was touched; move that file, or name the store otherwise"
              .formatted(region, path));
    }
    try (DiskFile file = disk.create(path)) {
      file.write(
          0, ByteBuffer.allocateDirect(BYTES)); // with its blocks: a store finds no full disk
    } catch (IOException e) {
      RegionFullException full =
          new RegionFullException(
              "%s: no room for the store's streams, %s: needed=%d bytes: %s. Make room and open it again"
                  .formatted(region, path, BYTES, e.getMessage()),
              e);
      try {
        delete(disk, path); // if it was made
      } catch (IOException suppressed) {
        full.addSuppressed(suppressed);
      }
      throw full;
    }
    FileRights.copy(region, path); // nobody reads there what he can't read in the file
    return begun(map(path), log, epoch);
  }

  /// Streams in memory alone, for closing: it needs no room on the disk then, where a deleted file
  /// keeps its own as long as it is mapped. A crash leaves what the log has, and that has all that
  /// the file of streams had (LIVE-4); the file stays until the end, and no record in it is newer
  /// than the log (LIVE-1). Test: FullFileSystemTest.aStoreOnAFullDisk.
  static MemorySegment inMemory(BatchLog log, long epoch) {
    return begun(Arena.ofAuto().allocate(BYTES, Long.BYTES), log, epoch);
  }

  private static MemorySegment begun(MemorySegment live, BatchLog log, long epoch) {
    ByteBuffer header = live.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    header.putLong(LOG, log.identity()).putLong(BOOT, BootId.current());
    header.putLong(EPOCH, epoch).putLong(NEXT_BATCH, log.mark().number());
    RedoStreams.WORD.setRelease(live, 0L, MAGIC);
    return live;
  }

  private static MemorySegment map(Path path) throws IOException {
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(MapMode.READ_WRITE, 0, BYTES, Arena.ofAuto());
    }
  }

  /// Deletes what this class has made, or has begun to. Any other file of that name is not touched.
  ///
  /// @return whether there is no such file
  static boolean delete(Disk disk, Path path) throws IOException {
    if (!disk.exists(path)) {
      return true;
    }
    if (!Files.isRegularFile(path)) {
      return false; // a directory, a pipe
    }
    boolean isOurs;
    try (DiskFile file = disk.open(path)) {
      isOurs = isOurs(file);
    }
    if (isOurs) {
      disk.delete(path);
    }
    return isOurs;
  }

  private static boolean isOurs(DiskFile file) throws IOException {
    if (file.length() > BYTES) {
      return false;
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) file.length()).order(ByteOrder.LITTLE_ENDIAN);
    file.read(0, bytes);
    bytes.flip();
    return bytes.limit() == BYTES && bytes.getLong(0) == MAGIC || isUnfinished(bytes);
  }

  /// Whether there are zeros, but for words that are stored before the magic. Test:
  /// LiveFileTest.whatACrashLeftOfAMakingIsMadeAnew.
  private static boolean isUnfinished(ByteBuffer bytes) {
    if (bytes.limit() == BYTES) {
      for (int word : BEFORE_MAGIC) {
        bytes.putLong(word, 0);
      }
    }
    return bytes.equals(ByteBuffer.allocate(bytes.limit()));
  }

  /// Reads what a log does not have.
  ///
  /// @param log its number, its next batch's, and the epoch of its last one; 0 if it has none
  /// @param into gets the records; as long as the streams together
  /// @return the last epoch of these; that of the log if there are none
  /// @throws RegionDamagedException if the file contradicts itself
  static long read(Disk disk, Path region, long log, Mark next, long lastEpoch, ByteBuffer into)
      throws IOException {
    Path path = of(region);
    if (!disk.exists(path)) {
      return lastEpoch;
    }
    ByteBuffer live = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (DiskFile file = disk.open(path)) {
      if (file.length() != BYTES) {
        return lastEpoch;
      }
      file.read(0, live);
    }
    long behind = next.number() - live.getLong(NEXT_BATCH);
    if (live.getLong(0) != MAGIC
        || live.getLong(LOG) != log
        || live.getLong(BOOT) != BootId.current()
        || live.getLong(BOOT) == 0
        || behind != 0 && behind != 1) {
      return lastEpoch; // LIVE-1
    }
    long epoch = behind == 0 ? live.getLong(EPOCH) : lastEpoch;
    long last = epoch;
    for (int stream = 0; stream < RedoStreams.COUNT; stream++) {
      last = Math.max(last, read(path, live, stream, epoch, into));
    }
    return last;
  }

  private static long read(Path path, ByteBuffer live, int stream, long epoch, ByteBuffer into) {
    long done = live.getLong(done(stream));
    long freed = live.getLong(freed(stream));
    if (freed < 0 || done < freed || done - freed > RedoStreams.RING_UNITS) {
      throw damaged(path, "stream=%d, done=%d, freed=%d".formatted(stream, done, freed));
    }
    long last = epoch;
    long end = freed + RedoStreams.RING_UNITS;
    for (long ticket = done; ticket < end; ) {
      long head = unit(live, stream, ticket, 0);
      long second = unit(live, stream, ticket, Long.BYTES);
      if (!RedoRecord.isPossible(head, second)) {
        throw damaged(path, "stream=%d, ticket=%d, head=0x%016X".formatted(stream, ticket, head));
      }
      int units = RedoRecord.units(head, second);
      long newer = RedoRecord.epoch(head) - epoch & RedoRecord.EPOCH_MASK;
      if (RedoRecord.isPublished(head) && newer != 0 && newer <= RedoRecord.EPOCH_MASK / 2) {
        into.putLong(RedoRecord.bare(head)).putLong(second);
        for (int i = 1; i < units; i++) {
          into.putLong(unit(live, stream, ticket + i, 0));
          into.putLong(unit(live, stream, ticket + i, Long.BYTES));
        }
        last = Math.max(last, epoch + newer);
      }
      ticket += units;
    }
    return last;
  }

  private static long unit(ByteBuffer live, int stream, long ticket, int at) {
    int place = (int) (ticket % RedoStreams.RING_UNITS) * RedoRecord.UNIT_BYTES;
    return live.getLong(HEADER_BYTES + stream * RedoStreams.RING_BYTES + place + at);
  }

  private static RegionDamagedException damaged(Path path, String why) {
    return new RegionDamagedException(
        "%s: what the store had not written to its log when its process ended is damaged: %s. Nothing was touched; without this file the store opens as it was up to a moment before"
            .formatted(path, why));
  }
}
