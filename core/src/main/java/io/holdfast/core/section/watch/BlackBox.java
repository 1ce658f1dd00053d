package io.holdfast.core.section.watch;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What a region says of sections that were open for a while when its process died, besides their
/// logs: since when, in which thread, under which lock, and where the thread was. Written by {@link
/// SectionWatch}, which looks once a second or more often: sections take no notice, and one that is
/// younger than a look has no note.
///
/// Notes of two lines, from `RegionLayout.BLACK_BOX` on, 31 at most:
///
/// | word of a note | content |
/// |---|---|
/// | 0 | number of the section; 0: there is no further note |
/// | 1 | low half: slot of its log; high half: number of its stack, from 1 on; 0: it has none |
/// | 2 | when it was first seen, in milliseconds since 1970 |
/// | 3 | when it was last seen |
/// | 4 | low half: bytes of the thread's name; high half: of the class's name of its first lock |
/// | 5 to 15 | the two names, UTF-8 |
///
/// Stacks of 512 bytes, from `RegionLayout.STACKS` on, 7 at most: the length in bytes, then frames
/// from the innermost on, UTF-8, a line each.
///
/// A note counts if recovery undoes a section of its slot and number. It is for people: it is
/// stored plain and never flushed, so a crash may leave a part of it, and a loss of power none.
public final class BlackBox {
  static final int NOTE_BYTES = 2 * LINE_BYTES;

  /// 63 lines of the page after the header's copy, less a half note.
  static final int NOTES_MAX = 31;

  static final int STACK_BYTES = 512;

  /// 3,584 bytes of the first page.
  static final int STACKS_MAX = 7;

  static final int NUMBER = 0, SLOT = 8, SINCE = 16, SEEN = 24, LENGTHS = 32, NAMES = 40;
  private static final int THREAD_BYTES_MAX = 32;
  private static final int NAMES_BYTES = NOTE_BYTES - NAMES;
  private static final long LOW = 0xffff_ffffL;

  private final Memory memory;
  private int written;

  public BlackBox(Memory memory) {
    this.memory = memory.unordered();
  }

  /// A note.
  ///
  /// @param slot of its log
  /// @param number of the section in it
  /// @param since when it was first seen open; it is at most a look older
  /// @param seen when it was last seen open
  /// @param thread the name of its thread
  /// @param lock the name of its first lock's class; empty if that is not known, or there is none
  /// @param stack where the thread was at the first look; empty unless stacks are recorded
  public record Note(
      int slot,
      long number,
      Instant since,
      Instant seen,
      String thread,
      String lock,
      String stack) {}

  /// Replaces all notes. For one thread at a time.
  public void write(List<Note> notes) {
    int count = Math.min(notes.size(), NOTES_MAX);
    if (count == 0 && written == 0) {
      return; // a store in which nothing is open for long stores nothing here
    }
    int stacks = 0;
    for (int i = 0; i < count; i++) {
      boolean hasStack = !notes.get(i).stack().isEmpty() && stacks < STACKS_MAX;
      if (hasStack) {
        writeStack(stacks++, notes.get(i).stack());
      }
      write(at(i), notes.get(i), hasStack ? stacks : 0);
    }
    if (count < NOTES_MAX) {
      memory.writePlain(at(count) + NUMBER, 0);
    }
    written = count;
  }

  private static long at(int note) {
    return RegionLayout.BLACK_BOX + (long) note * NOTE_BYTES;
  }

  private void write(long at, Note note, int stack) {
    byte[] thread = bytes(note.thread(), THREAD_BYTES_MAX);
    byte[] lock = lastBytes(note.lock(), NAMES_BYTES - thread.length);
    byte[] names = new byte[NAMES_BYTES];
    System.arraycopy(thread, 0, names, 0, thread.length);
    System.arraycopy(lock, 0, names, thread.length, lock.length);
    memory.writeBytesPlain(at + NAMES, names, 0, names.length);
    memory.writePlain(at + SLOT, (long) stack << 32 | note.slot());
    memory.writePlain(at + SINCE, note.since().toEpochMilli());
    memory.writePlain(at + SEEN, note.seen().toEpochMilli());
    memory.writePlain(at + LENGTHS, (long) lock.length << 32 | thread.length);
    memory.writeRelease(at + NUMBER, note.number());
  }

  private void writeStack(int index, String stack) {
    long at = RegionLayout.STACKS + (long) index * STACK_BYTES;
    byte[] bytes = bytes(stack, STACK_BYTES - WORD_BYTES);
    memory.writePlain(at, bytes.length);
    memory.writeBytesPlain(at + WORD_BYTES, bytes, 0, bytes.length);
  }

  private static byte[] bytes(String text, int max) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return bytes.length <= max ? bytes : Arrays.copyOf(bytes, max);
  }

  /// The end of a class's name says more than its beginning.
  private static byte[] lastBytes(String text, int max) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return bytes.length <= max
        ? bytes
        : Arrays.copyOfRange(bytes, bytes.length - max, bytes.length);
  }

  /// The notes of a region, whether or not they count.
  public static List<Note> read(Memory memory) {
    List<Note> notes = new ArrayList<>();
    for (int i = 0; i < NOTES_MAX; i++) {
      long at = at(i);
      long number = memory.readPlain(at + NUMBER);
      if (number == 0) {
        break;
      }
      long lengths = memory.readPlain(at + LENGTHS);
      int thread = Math.clamp(lengths & LOW, 0, THREAD_BYTES_MAX);
      int lock = Math.clamp(lengths >>> 32, 0, NAMES_BYTES - thread);
      long slot = memory.readPlain(at + SLOT);
      notes.add(
          new Note(
              (int) slot,
              number,
              Instant.ofEpochMilli(memory.readPlain(at + SINCE)),
              Instant.ofEpochMilli(memory.readPlain(at + SEEN)),
              text(memory, at + NAMES, thread),
              text(memory, at + NAMES + thread, lock),
              stack(memory, (int) (slot >>> 32))));
    }
    return notes;
  }

  private static String stack(Memory memory, int number) {
    if (number < 1 || number > STACKS_MAX) {
      return "";
    }
    long at = RegionLayout.STACKS + (number - 1L) * STACK_BYTES;
    long length = Math.clamp(memory.readPlain(at), 0, STACK_BYTES - WORD_BYTES);
    return text(memory, at + WORD_BYTES, (int) length);
  }

  private static String text(Memory memory, long at, int length) {
    byte[] bytes = new byte[length];
    memory.readBytes(at, bytes, 0, length);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
