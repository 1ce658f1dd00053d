package io.holdfast.jmh.stm;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.Checksum;

/// How a transaction that is whole in the log is told from one that a crash has cut off: by the
/// last word of its lines.
///
/// For one thread.
abstract class Seal {
  static final int LINE = RegionLayout.LINE_BYTES;

  /// Where in its line the word is that says whose it is.
  static final int PLACE = 48;

  /// Where the word is that is the seal's own.
  private static final int SEAL = 56;

  /// Seals lines that were stored but for their last words, and makes them durable.
  abstract void seal(Memory memory, long at, int lines);

  /// Whether a line is as it was sealed.
  ///
  /// @param index of the line in its transaction
  abstract boolean isWhole(Memory memory, long line, int index);

  /// Makes bytes durable, after everything that this thread stored before, and before everything
  /// that follows: a round trip.
  static void persist(Memory memory, long at, long bytes) {
    memory.releaseFence();
    memory.flush(at, bytes);
    memory.fence();
  }

  private static void repeatPlace(Memory memory, long line) {
    memory.writeRelease(line + SEAL, memory.readPlain(line + PLACE));
  }

  private static boolean repeatsPlace(Memory memory, long line) {
    return memory.readPlain(line + SEAL) == memory.readPlain(line + PLACE);
  }

  /// CSO-VB (3.1.1): each line says itself that it is whole, by a word that is stored last. No two
  /// transactions have the same word, so a bit that changes its meaning with each lap is not
  /// needed.
  static final class ValidityBit extends Seal {
    @Override
    void seal(Memory memory, long at, int lines) {
      for (int i = 0; i < lines; i++) {
        // **SEAL-1** After the rest of its line: stores to a line persist in order (MEDIA-2). Test:
        // WordStmCrashTest.transactionsAreWholeOrNotThere.
        repeatPlace(memory, at + (long) i * LINE);
      }
      persist(memory, at, (long) lines * LINE);
    }

    @Override
    boolean isWhole(Memory memory, long line, int index) {
      return repeatsPlace(memory, line);
    }
  }

  /// The baseline (5.1): all lines are durable before a word says so, in the first of them.
  static final class TwoRounds extends Seal {
    @Override
    void seal(Memory memory, long at, int lines) {
      // **SEAL-2** Else the word could be durable without all lines. Test:
      // WordStmCrashTest.transactionsAreWholeOrNotThere.
      persist(memory, at, (long) lines * LINE);
      repeatPlace(memory, at);
      persist(memory, at, LINE);
    }

    @Override
    boolean isWhole(Memory memory, long line, int index) {
      return index > 0 || repeatsPlace(memory, line);
    }
  }

  /// A checksum for each line. A torn line whose sum happens to be right is taken for a whole one.
  static final class Sum extends Seal {
    private static final VarHandle WORDS =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Checksum checksum;
    private final byte[] summed = new byte[SEAL];

    Sum(Checksum checksum) {
      this.checksum = checksum;
    }

    private long of(Memory memory, long line) {
      for (int i = 0; i < SEAL; i += Long.BYTES) {
        WORDS.set(summed, i, memory.readPlain(line + i));
      }
      checksum.reset();
      checksum.update(summed, 0, SEAL);
      return checksum.getValue();
    }

    @Override
    void seal(Memory memory, long at, int lines) {
      for (int i = 0; i < lines; i++) {
        long line = at + (long) i * LINE;
        memory.writePlain(line + SEAL, of(memory, line));
      }
      persist(memory, at, (long) lines * LINE);
    }

    @Override
    boolean isWhole(Memory memory, long line, int index) {
      return memory.readPlain(line + SEAL) == of(memory, line);
    }
  }
}
