package io.holdfast.core.memory;

import static io.holdfast.core.memory.RegionLayout.OWNER;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionLockedException;
import io.holdfast.core.memory.ProcessIdentity.State;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/// The store that has a region open, noted in the region itself. The kernel lock ({@link
/// RegionLock}) can be lost without a word (FACTS 6, 21); the note can't, since it is in the very
/// bytes that a second process would change.
///
/// Two lines, at `RegionLayout.OWNER`:
///
/// | word | content |
/// |---|---|
/// | 0 | token of this opening, random and never 0; 0: nobody has the region open |
/// | 1 | its process |
/// | 2 | when that started ({@link ProcessIdentity}) |
/// | 3 | the run of the system; 0: unknown |
/// | 4 | the namespace of process numbers; 0: unknown |
/// | 5 | a hash of what the system knows the file by: a copy has another one |
/// | 6 | 0 |
/// | 7 | high half: `0xC5C32C00`; low half: CRC32C of words 0 to 6 |
/// | 8 | question of a process that does not see whether the owner lives: a random number |
/// | 9 | the owner's answer: the same number |
///
/// - **OWNER-1** While the note names a process that lives, nobody else opens the region, whatever
///   became of the kernel lock. The note of a process that is dead, of another run of the system,
///   or of another file keeps nobody out, and neither does one that was cut off: its checksum is
///   wrong. So no crash between two of the stores keeps the next one out (P7).
/// - **OWNER-2** An owner that can't be seen, in another container, is asked. It answers at its
///   next look, within a second. If it is silent for {@link #ANSWER_NANOS}, it is taken for dead.
/// - **OWNER-3** An owner that finds another token is fenced: its store takes no more changes, and
///   is not marked as closed. It looks once a second, before it grows the file, and before it marks
///   the region as closed.
///
/// All is stored plain, through the mapping or the page cache, and never flushed: after the end of
/// the system the note names another run of it.
///
/// @param token of the opening
/// @param process that has it open
record RegionOwner(long token, ProcessIdentity process) {
  private static final int TOKEN = 0, PID = 1, START = 2, BOOT = 3, NAMESPACE = 4, FILE = 5;
  private static final int CHECKSUM = 7, QUESTION = 8, ANSWER = 9;

  /// Of the first line.
  private static final int WORDS = 8;

  /// Three looks of the owner.
  static final long ANSWER_NANOS = 3_000_000_000L;

  /// Notes that this process has the region open. It holds the lock, and has looked; if the lock
  /// was lost since, somebody may have been faster.
  ///
  /// @throws RegionLockedException if another process has it open
  static RegionOwner claim(Memory memory, FileIdentity file) {
    RegionOwner other = ofWords(words(memory), file);
    if (other != null && other.isOther() && other.process.state() == State.ALIVE) {
      throw other.locked(file.path());
    }
    RegionOwner owner =
        new RegionOwner(ThreadLocalRandom.current().nextLong() | 1, ProcessIdentity.self());
    long[] words = owner.words(file);
    // OWNER-1: without the old checksum before all else, with the new one last.
    // Test: RegionOwnerTest.owner1ANoteThatWasCutOffKeepsNobodyOut.
    memory.writePlain(at(CHECKSUM), 0);
    memory.releaseFence();
    for (int i = 0; i < CHECKSUM; i++) {
      memory.writePlain(at(i), words[i]);
    }
    memory.writeRelease(at(CHECKSUM), words[CHECKSUM]);
    return owner;
  }

  private static long[] words(Memory memory) {
    long[] words = new long[WORDS];
    for (int i = 0; i < WORDS; i++) {
      words[i] = memory.readPlain(at(i));
    }
    return words;
  }

  /// Whether a region's note is that of another file: so it is a copy, made while that was open, or
  /// was moved from another file system.
  static boolean isOfAnother(Memory memory, Path path) {
    long[] words = words(memory);
    try {
      return isNote(words) && words[FILE] != FileIdentity.of(path).hash();
    } catch (IOException e) {
      throw Uninterrupted.refused("look at", path, e);
    }
  }

  private static boolean isNote(long[] words) {
    return words[TOKEN] != 0 && words[CHECKSUM] == RegionHeader.checksum(words);
  }

  long[] words(FileIdentity file) {
    long[] words = new long[WORDS];
    words[TOKEN] = token;
    words[PID] = process.pid();
    words[START] = process.start();
    words[BOOT] = process.boot();
    words[NAMESPACE] = process.namespace();
    words[FILE] = file.hash();
    words[CHECKSUM] = RegionHeader.checksum(words);
    return words;
  }

  /// Reads the note of a file.
  ///
  /// @return `null` if there is none, or that of another file
  private static RegionOwner read(Path path) throws IOException {
    FileIdentity file = FileIdentity.of(path);
    try (FileChannel region = FileChannel.open(path, StandardOpenOption.READ)) {
      long[] words = new long[WORDS];
      for (int i = 0; i < WORDS; i++) {
        words[i] = get(region, at(i));
      }
      return ofWords(words, file);
    }
  }

  private static RegionOwner ofWords(long[] words, FileIdentity file) {
    return isNote(words) && words[FILE] == file.hash()
        ? new RegionOwner(
            words[TOKEN],
            new ProcessIdentity(words[PID], words[START], words[BOOT], words[NAMESPACE]))
        : null;
  }

  /// The owner of a file, if it is another process that is seen to live; else `null`. Of its own
  /// process the JVM's locks know more than the note (LOCK-1).
  static RegionOwner living(Path path) throws IOException {
    RegionOwner owner = read(path);
    return owner != null && owner.isOther() && owner.process.state() == State.ALIVE ? owner : null;
  }

  /// Whether a file has an owner that is seen to live.
  static boolean isSeenAlive(Path path) throws IOException {
    RegionOwner owner = read(path);
    return owner != null && owner.process.state() == State.ALIVE;
  }

  private boolean isOther() {
    return !process.isSelf();
  }

  /// Refuses a file that has an owner, which is asked if it can't be seen (OWNER-2). The caller
  /// holds the lock.
  ///
  /// @throws RegionLockedException if it has one
  static void refuse(Path path) throws IOException {
    RegionOwner owner = read(path);
    if (owner == null || !owner.isOther()) {
      return;
    }
    State state = owner.process.state();
    if (state == State.ALIVE || state == State.UNSEEN && owner.answers(path)) {
      throw owner.locked(path);
    }
  }

  RegionLockedException locked(Path path) {
    return new RegionLockedException(
        "%s: the region is open in another process: holder=[%s]. Wait for it to end, or end it"
            .formatted(path, process));
  }

  private boolean answers(Path path) throws IOException {
    System.getLogger("io.holdfast")
        .log(
            Level.INFO,
            () ->
                "%s: the region was not closed, and its last owner can't be seen from here: %s. Waiting for a sign of life, for %d s at most"
                    .formatted(path, process, ANSWER_NANOS / 1_000_000_000));
    long question = ThreadLocalRandom.current().nextLong() | 1;
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      put(channel, at(QUESTION), question);
      long start = System.nanoTime();
      while (System.nanoTime() - start < ANSWER_NANOS) {
        if (get(channel, at(ANSWER)) == question) {
          return true;
        }
        LockSupport.parkNanos(10_000_000);
      }
      return false;
    }
  }

  /// Answers whoever asks, and looks whether the region is still this owner's (OWNER-3).
  ///
  /// @return `null` if it is, else what is to be thrown
  RegionAccessException look(Memory memory) {
    if (memory.readPlain(OWNER) != token) {
      return new RegionAccessException(
          "%s: the region is not this store's any more: another process has opened it, or another file was copied over it, while it was open. This store takes no more changes. Close it, let one process use the file, and verify the file"
              .formatted(memory.name()));
    }
    long question = memory.readPlain(at(QUESTION));
    if (question != memory.readPlain(at(ANSWER))) {
      memory.writePlain(at(ANSWER), question);
    }
    return null;
  }

  /// Takes the note away if it is still this owner's.
  void clear(FileChannel region) throws IOException {
    if (get(region, OWNER) == token) {
      put(region, OWNER, 0);
    }
  }

  private static long at(int word) {
    return OWNER + (long) word * WORD_BYTES;
  }

  private static long get(FileChannel channel, long at) throws IOException {
    ByteBuffer word = ByteBuffer.allocate(WORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return channel.read(word, at) == WORD_BYTES ? word.getLong(0) : 0;
  }

  private static void put(FileChannel channel, long at, long value) throws IOException {
    channel.write(
        ByteBuffer.allocate(WORD_BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value), at);
  }
}
