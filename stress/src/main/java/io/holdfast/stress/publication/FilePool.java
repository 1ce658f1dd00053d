package io.holdfast.stress.publication;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Queues of a store whose file grows under its threads, and is trimmed when they are done.
final class FilePool {
  /// Trimming once for each state would be most of the work.
  private static final int GIVEN_BACK_BEFORE_A_TRIM = 16;

  private static final Holdfast STORE = open();
  private static final AtomicInteger MADE = new AtomicInteger();
  private static final AtomicInteger GIVEN_BACK = new AtomicInteger();
  private static final Queue<PersistentQueue<byte[]>> IDLE = new ConcurrentLinkedQueue<>();
  private static final byte[] STEADY_BYTES = element(5_000);
  private static final PersistentQueue<byte[]> STEADY = STORE.queue("steady", byte[].class);

  static {
    STEADY.add(STEADY_BYTES);
  }

  private static Holdfast open() {
    try {
      return Holdfast.open(Files.createTempDirectory("holdfast-jcstress-").resolve("file.hf"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Bytes that are unlike those of the element before.
  static byte[] element(int bytes) {
    byte[] element = new byte[bytes];
    Arrays.fill(element, (byte) (1 + MADE.incrementAndGet() % 100));
    return element;
  }

  /// An empty queue that nobody else uses.
  static PersistentQueue<byte[]> take() {
    PersistentQueue<byte[]> idle = IDLE.poll();
    return idle != null ? idle : STORE.queue("file-" + MADE.incrementAndGet(), byte[].class);
  }

  /// Whether what was there from the beginning is.
  static boolean isSteady() {
    return Arrays.equals(STEADY.peek(), STEADY_BYTES);
  }

  static void giveBack(PersistentQueue<byte[]> queue) {
    queue.clear();
    IDLE.add(queue);
    if (GIVEN_BACK.incrementAndGet() % GIVEN_BACK_BEFORE_A_TRIM == 0) {
      STORE.trim();
    }
  }

  private FilePool() {}
}
