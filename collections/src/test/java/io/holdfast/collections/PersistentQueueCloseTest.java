package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.StoreClosedException;
import io.holdfast.core.explorer.RecordingMemory;
import io.holdfast.core.memory.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A store that is closed under an operation, at each of its stores: what returns is done, and what
/// throws is undone by the next opening, or done (P1, P6).
class PersistentQueueCloseTest {
  private static final Logger RECOVERIES = Logger.getLogger("io.holdfast");

  static Stream<Arguments> operations() {
    return Stream.of(
        operation("offer", queue -> queue.offer("x")),
        operation("offer outside", queue -> queue.offer(RawCodec.text("x", 5_000))),
        operation("poll", queue -> queue.poll()),
        operation("poll outside", queue -> queue.remove()),
        operation("drainTo", queue -> queue.drainTo(new ArrayList<>(), 3)),
        operation("remove(Object)", queue -> queue.remove("b")));
  }

  private static Arguments operation(String name, Consumer<PersistentQueue<String>> operation) {
    return Arguments.of(name, operation);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void p6WhatReturnsIsKept(String name, Consumer<PersistentQueue<String>> operation) {
    Level level = RECOVERIES.getLevel();
    RECOVERIES.setLevel(Level.WARNING);
    try {
      int stores = 0;
      while (isRefused(name, operation, stores)) {
        stores++;
      }
      assertThat(stores).isPositive();
    } finally {
      RECOVERIES.setLevel(level);
    }
  }

  /// @return whether the operation stored, or would have, more often than it was let
  private static boolean isRefused(
      String name, Consumer<PersistentQueue<String>> operation, int stores) {
    RecordingMemory bytes = new RecordingMemory();
    ClosingMemory memory = new ClosingMemory(bytes);
    QueueRegion store = QueueRegion.open(memory);
    PersistentQueue<String> queue = fill(store, name);
    Map<String, List<String>> before = store.state();
    memory.closeAt(stores, store);
    boolean returned = false;
    try {
      operation.accept(queue);
      returned = true;
    } catch (StoreClosedException e) {
      // As it should.
    }
    boolean refused = memory.isClosed();
    store.close();
    try (QueueRegion again = QueueRegion.open(bytes)) {
      Map<String, List<String>> after = after(name, operation);
      if (returned) {
        assertThat(again.state()).as("returned, %d stores", stores).isEqualTo(after);
      } else {
        assertThat(again.state()).as("threw, %d stores", stores).isIn(before, after);
      }
      again.check();
    }
    return refused;
  }

  private static PersistentQueue<String> fill(QueueRegion store, String name) {
    PersistentQueue<String> queue = store.createUsed("q");
    int length = name.endsWith("outside") ? 5_000 : 3;
    queue.addAll(List.of(RawCodec.text("a", length), "b", "c", "d"));
    return queue;
  }

  private static Map<String, List<String>> after(
      String name, Consumer<PersistentQueue<String>> operation) {
    try (QueueRegion store = QueueRegion.open(new RecordingMemory())) {
      operation.accept(fill(store, name));
      return store.state();
    }
  }

  /// Bytes that are taken away at a store, as by another thread.
  private static final class ClosingMemory extends Memory {
    private final Memory bytes;
    private int storesLeft = Integer.MAX_VALUE;
    private QueueRegion store;
    private boolean closed;

    ClosingMemory(Memory bytes) {
      this.bytes = bytes;
    }

    void closeAt(int stores, QueueRegion closing) {
      storesLeft = stores;
      store = closing;
    }

    boolean isClosed() {
      return closed;
    }

    private Memory store() {
      if (storesLeft-- == 0) {
        store.close();
      }
      return read();
    }

    private Memory read() {
      if (closed) {
        throw new StoreClosedException("closed");
      }
      return bytes;
    }

    @Override
    public long length() {
      return bytes.length();
    }

    @Override
    public void grow(long newLength) {
      store().grow(newLength);
    }

    @Override
    public long readPlain(long offset) {
      return read().readPlain(offset);
    }

    @Override
    public long readAcquire(long offset) {
      return read().readAcquire(offset);
    }

    @Override
    public void writePlain(long offset, long value) {
      store().writePlain(offset, value);
    }

    @Override
    public void writeRelease(long offset, long value) {
      store().writeRelease(offset, value);
    }

    @Override
    public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
      store().writeEntryRelease(offset, w0, w1, w2, last);
    }

    @Override
    public void readBytes(long offset, byte[] into, int at, int length) {
      read().readBytes(offset, into, at, length);
    }

    @Override
    public void writeBytesPlain(long offset, byte[] from, int at, int length) {
      store().writeBytesPlain(offset, from, at, length);
    }

    @Override
    public void zeroPlain(long offset, long length) {
      store().zeroPlain(offset, length);
    }

    @Override
    public void releaseFence() {
      bytes.releaseFence();
    }

    @Override
    public String name() {
      return "closing";
    }

    @Override
    public void close() {
      closed = true;
    }

    @Override
    public Memory reopen() {
      return bytes;
    }
  }
}
