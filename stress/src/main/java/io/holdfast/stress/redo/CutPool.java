package io.holdfast.stress.redo;

import io.holdfast.core.Durability;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.DiskFile;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.redo.BatchWords;
import io.holdfast.core.redo.Disks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/// Pairs of places in a region on a disk, in pages of different streams; and which values the log
/// has of them, batch for batch. The disk waits for no device.
final class CutPool {
  private static final int LOG_BYTES = 8 << 20;
  private static final int PAGE = RegionLayout.PAGE_BYTES;
  private static final int PAGES = 2_048; // of several times the states at a time
  private static final long START = RegionFile.INITIAL_BYTES;

  private static final int LOOKS = 100;

  /// What replay of all batches so far would leave, by pages; changed by a whole batch at a time,
  /// under its monitor.
  private static final long[] REPLAYED = new long[PAGES];

  private static final Memory MEMORY = open();
  private static final AtomicLong MADE = new AtomicLong();

  /// Two pages, and a value that no other pair has, which their first words have when it was
  /// stored.
  record Pair(int a, int b, long value) {
    void storeA() {
      MEMORY.writePlain(offset(a), value);
    }

    /// A page, of which the first word is the value: that takes a while.
    void storePageA() {
      byte[] bytes = new byte[PAGE];
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(value);
      MEMORY.writeBytesPlain(offset(a), bytes, 0, PAGE);
    }

    void storeB() {
      MEMORY.writePlain(offset(b), value);
    }

    /// Looks for it for a moment.
    boolean seesA() {
      boolean seen = false;
      for (int i = 0; i < LOOKS && !seen; i++) {
        seen = MEMORY.readAcquire(offset(a)) == value;
      }
      return seen;
    }

    /// Makes what was stored a cut, and looks at that, or at a later one.
    ///
    /// @return 1 if it has A's store, and 2 if it has B's
    int cut() {
      MEMORY.awaitDurable();
      synchronized (REPLAYED) {
        return (REPLAYED[a] == value ? 1 : 0) + (REPLAYED[b] == value ? 2 : 0);
      }
    }
  }

  private CutPool() {}

  static Pair pair() {
    long number = MADE.incrementAndGet();
    int a = (int) (number % (PAGES / 2)) * 2;
    return new Pair(a, a + 1, number);
  }

  private static long offset(int page) {
    return START + (long) page * PAGE;
  }

  private static void replay(long at, ByteBuffer blocks) {
    synchronized (REPLAYED) {
      BatchWords.read(
          at,
          blocks.slice().order(ByteOrder.LITTLE_ENDIAN),
          (offset, value) -> {
            if (offset >= START) {
              REPLAYED[(int) ((offset - START) / PAGE)] = value;
            }
          });
    }
  }

  private static Memory open() {
    try {
      Path path = Files.createTempDirectory("holdfast-jcstress-").resolve("r.hf");
      Disk disk = proxy(Disk.class, Disk.local(), CutPool::watched);
      Memory memory =
          RegionFile.openOn(path, Disks.logged(disk, LOG_BYTES, Durability.POWER_FAILURE)).memory();
      memory.claim(); // or no checkpoint could be made
      memory.grow(START + (long) PAGES * PAGE);
      return memory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Object watched(Object opened) {
    return opened instanceof DiskFile file
        ? proxy(DiskFile.class, file, UnaryOperator.identity())
        : opened;
  }

  /// The log alone is written durably.
  private static <T> T proxy(Class<T> type, T of, UnaryOperator<Object> result) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              switch (method.getName()) {
                case "writeDurably" -> replay((long) arguments[0], (ByteBuffer) arguments[1]);
                case "force", "forceNames" -> {}
                default -> {
                  try {
                    return result.apply(method.invoke(of, arguments));
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                }
              }
              return null;
            }));
  }
}
