package io.holdfast.jmh.domain;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.persistence.PersistenceDomain;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;

/// A domain over another one, to which it hands on what a subclass leaves as it is. Opening a file
/// writes nothing back: benchmarks make their files anew.
public abstract class ForwardingDomain extends PersistenceDomain {
  protected final PersistenceDomain domain;

  protected ForwardingDomain(PersistenceDomain domain) {
    this.domain = domain;
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
  }

  @Override
  public boolean survivesPowerFailure() {
    return domain.survivesPowerFailure();
  }

  @Override
  public PersistenceCounts counts() {
    return domain.counts();
  }
}
