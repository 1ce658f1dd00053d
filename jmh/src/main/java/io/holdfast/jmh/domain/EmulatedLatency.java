package io.holdfast.jmh.domain;

import io.holdfast.core.persistence.PersistenceDomain;
import java.lang.invoke.VarHandle;

/// A domain whose media are slower: every fence takes so much longer (CSO paper, section 5: DRAM
/// with a delay stands for memory that is slower to write).
///
/// The thread spins on `System.nanoTime`, so a delay is late by up to its resolution, some 25 ns.
public final class EmulatedLatency extends ForwardingDomain {
  /// The longest delay of the paper's experiments.
  private static final int MAX_NANOS = 800;

  private final int nanos;

  /// @param nanos how much longer a fence takes, 0 to 800 nanoseconds
  public EmulatedLatency(PersistenceDomain domain, int nanos) {
    super(domain);
    if (nanos < 0 || nanos > MAX_NANOS) {
      throw new IllegalArgumentException(
          "added latency=%d ns, allowed=0 to %d".formatted(nanos, MAX_NANOS));
    }
    this.nanos = nanos;
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
  public String toString() {
    return "%s, slower by %d ns".formatted(domain, nanos);
  }
}
