package io.holdfast.core.explorer;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/// Bytes as they are in the cache and on media, for what the explorer's images can't show: a
/// process is killed, another one goes on with what is in the cache, and then the power fails.
///
/// A flush takes a line as it is, and the fence of the same thread that follows puts it on media;
/// unless another thread's has put a newer one there. Any other store is written back at once, or
/// never. Nothing is reordered.
///
/// For threads that take turns.
public final class CachedMemory extends Memory {
  /// The process is dead.
  public static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /// A line as it was in the cache.
  ///
  /// @param taken a number that grows with time
  private record Line(byte[] bytes, long taken) {}

  private final RecordingMemory cache;
  private final RecordingMemory media;
  private final Random random;

  /// By thread, the lines that it has flushed since its last fence.
  private final Map<Thread, Map<Long, Line>> flushed = new HashMap<>();

  /// By line, when what is on media was taken.
  private final Map<Long, Long> onMedia = new HashMap<>();

  private long taken;
  private long left = Long.MAX_VALUE;
  private int odds = 4;

  public CachedMemory(long seed) {
    this(new RecordingMemory(), new RecordingMemory(), new Random(seed));
  }

  private CachedMemory(RecordingMemory cache, RecordingMemory media, Random random) {
    this.cache = cache;
    this.media = media;
    this.random = random;
  }

  /// Of so many stores one is written back at once; four unless this is called.
  public CachedMemory writingBackOneOf(int stores) {
    odds = stores;
    return this;
  }

  /// The process is killed after so many stores, flushes and fences; and does none behind them.
  public void killAfter(long calls) {
    left = calls;
  }

  /// The memory as the next process sees it.
  public CachedMemory restarted() {
    return new CachedMemory(cache, media, random).writingBackOneOf(odds);
  }

  /// The memory as the next process sees it that forces the file before it maps it, as opening does
  /// for a region that is to survive a loss of power.
  public CachedMemory restartedAndForced() {
    media.become(cache);
    return restarted();
  }

  /// The memory as it is after the power has failed.
  public RecordingMemory afterPowerFailure() {
    return media.copy();
  }

  private void step() {
    if (left == 0) {
      throw new Killed();
    }
    left--;
  }

  private Line line(long line) {
    byte[] bytes = new byte[RegionLayout.LINE_BYTES];
    cache.readBytes(line, bytes, 0, bytes.length);
    return new Line(bytes, ++taken);
  }

  private void writeBack(long line, Line content) {
    if (onMedia.getOrDefault(line, 0L) < content.taken) {
      onMedia.put(line, content.taken);
      media.writeBytesPlain(line, content.bytes, 0, content.bytes.length);
    }
  }

  private void stored(long offset) {
    if (random.nextInt(odds) == 0) {
      long line = offset & -RegionLayout.LINE_BYTES;
      writeBack(line, line(line));
    }
  }

  @Override
  public long length() {
    return cache.length();
  }

  @Override
  public void grow(long newLength) {
    cache.grow(newLength);
    media.grow(newLength);
  }

  @Override
  public void shrink(long newLength) {
    cache.shrink(newLength);
    media.shrink(newLength);
  }

  @Override
  public void giveBack() {
    cache.giveBack();
    media.giveBack();
  }

  @Override
  public long readPlain(long offset) {
    return cache.readPlain(offset);
  }

  @Override
  public long readAcquire(long offset) {
    return cache.readAcquire(offset);
  }

  @Override
  public void writePlain(long offset, long value) {
    step();
    cache.writePlain(offset, value);
    stored(offset);
  }

  @Override
  public void writeRelease(long offset, long value) {
    writePlain(offset, value);
  }

  @Override
  public void writeLoggedByte(long offset, byte value) {
    step();
    cache.writeLoggedByte(offset, value);
    stored(offset);
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    writePlain(offset, w0);
    writePlain(offset + 8, w1);
    writePlain(offset + 16, w2);
    writePlain(offset + 24, last);
  }

  @Override
  public void readBytes(long offset, byte[] into, int at, int length) {
    cache.readBytes(offset, into, at, length);
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int length) {
    step();
    cache.writeBytesPlain(offset, from, at, length);
    for (long each = offset; each < offset + length; each += 8) {
      stored(each);
    }
  }

  @Override
  public void zeroPlain(long offset, long length) {
    writeBytesPlain(offset, new byte[(int) length], 0, (int) length);
  }

  @Override
  public void releaseFence() {
    // Nothing is reordered.
  }

  @Override
  public void flush(long offset, long length) {
    step();
    Map<Long, Line> mine =
        flushed.computeIfAbsent(Thread.currentThread(), thread -> new HashMap<>());
    for (long line = offset & -RegionLayout.LINE_BYTES;
        line < offset + length;
        line += RegionLayout.LINE_BYTES) {
      mine.put(line, line(line));
    }
  }

  @Override
  public void fence() {
    step();
    Map<Long, Line> mine = flushed.remove(Thread.currentThread());
    if (mine != null) {
      mine.forEach(this::writeBack);
    }
  }

  @Override
  public String name() {
    return "cached";
  }

  @Override
  public void close() {
    // The bytes outlive the region.
  }

  @Override
  public Memory reopen() {
    return this;
  }
}
