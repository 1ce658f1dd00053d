package io.holdfast.core.persistence;

import io.holdfast.core.PersistenceCounts;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;

/// A domain whose media are slower: every fence takes so much longer (CSO paper, section 5: DRAM
/// with a delay stands for memory that is slower to write).
///
/// The thread spins on `System.nanoTime`, so a delay is late by up to its resolution, some 25 ns.
public final class EmulatedLatency extends PersistenceDomain {
  /// The longest delay of the paper's experiments.
  public static final int MAX_NANOS = 800;

  private final PersistenceDomain domain;
  private final int nanos;

  /// @param nanos how much longer a fence takes, 0 to 800 nanoseconds
  public EmulatedLatency(PersistenceDomain domain, int nanos) {
    if (nanos < 0 || nanos > MAX_NANOS) {
      throw new IllegalArgumentException(
          "added latency=%d ns, allowed=0 to %d".formatted(nanos, MAX_NANOS));
    }
    this.domain = domain;
    this.nanos = nanos;
  }

  @Override
  public MemorySegment map(FileChannel channel, long start, long length, Arena arena)
      throws IOException {
    return domain.map(channel, start, length, arena);
  }

  @Override
  public void flush(MemorySegment segment, long offset, long length) {
    domain.flush(segment, offset, length);
  }

  @Override
  public void fence() {
    domain.fence();
    if (nanos > 0) {
      // The thread itself does not wait for an sfence, only its next stores do. Without this one,
      // which does, the delay overlaps with the write-back: 200 ns added 80 (LogBenchmark.floor).
      VarHandle.fullFence();
      long fenced = System.nanoTime();
      while (System.nanoTime() - fenced < nanos) {
        Thread.onSpinWait();
      }
    }
  }

  @Override
  protected boolean syncWritesLinesBack() {
    return domain.syncWritesLinesBack();
  }

  @Override
  public boolean survivesPowerFailure() {
    return domain.survivesPowerFailure();
  }

  @Override
  public PersistenceCounts counts() {
    return domain.counts();
  }

  @Override
  public String toString() {
    return "%s, slower by %d ns".formatted(domain, nanos);
  }
}
