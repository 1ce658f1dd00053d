package io.holdfast.stress.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Set;

/// A file in which each thread of a worker says what it does, by one store: a message would take
/// longer than what it tells of. The kernel keeps the file's pages, so after a kill the parent
/// reads what each thread was at when it was stopped.
///
/// For each thread a word in a line of its own: 0, or an activity's ordinal and 1.
final class Board {
  private static final int LINE_BYTES = 64;
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private final MemorySegment words;

  private Board(MemorySegment words) {
    this.words = words;
  }

  private static Path file(Path region) {
    return region.resolveSibling(region.getFileName() + ".board");
  }

  /// A blank one, in the worker.
  ///
  /// @param region of the worker's store
  static Board make(Path region, int threads) {
    try (FileChannel channel =
        FileChannel.open(
            file(region),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      return new Board(
          channel.map(MapMode.READ_WRITE, 0, (long) LINE_BYTES * threads, Arena.global()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What the threads of a worker were at, and then forgets it: in the parent, when the worker is
  /// gone.
  static Set<Activity> take(Path region) {
    Set<Activity> found = EnumSet.noneOf(Activity.class);
    try {
      if (Files.exists(file(region))) {
        MemorySegment words = MemorySegment.ofArray(Files.readAllBytes(file(region)));
        for (long at = 0; at < words.byteSize(); at += LINE_BYTES) {
          long word = words.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
          if (word != 0) {
            found.add(Activity.values()[(int) word - 1]);
          }
        }
        Files.delete(file(region));
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Opaque, and no stronger: a fence here would be one more than the code under test has.
  private void set(int thread, long word) {
    WORD.setOpaque(words, (long) LINE_BYTES * thread, word);
  }

  void enter(int thread, Activity activity) {
    set(thread, activity.ordinal() + 1L);
  }

  void leave(int thread) {
    set(thread, 0);
  }
}
