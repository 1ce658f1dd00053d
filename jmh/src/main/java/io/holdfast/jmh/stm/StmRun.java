package io.holdfast.jmh.stm;

import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.memory.RegionFile.DomainFinder;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.stamp.StampProgram;
import io.holdfast.jmh.stm.WordStm.Shape;

/// A program over a transactional memory in a file of its own, to be run once.
///
/// Confined to its thread.
public final class StmRun implements AutoCloseable {
  private final Scratch scratch = new Scratch();
  private final MappedMemory memory;
  private final StampProgram program;

  /// @param size as {@link StmProgram#size} is one
  /// @param finder of the file
  public StmRun(StmProgram program, StmLog log, int threads, int size, DomainFinder finder) {
    Shape shape = Shape.of(threads);
    long words = program.words(threads, size);
    memory = scratch.memory(WordStm.bytes(shape, words), finder);
    this.program = program.over(WordStm.open(memory, log, shape, words), threads, size);
  }

  /// Runs it, by its threads.
  ///
  /// @return nanoseconds
  public long run() {
    return program.run();
  }

  /// Transactions of a run.
  public long transactions() {
    return program.transactions();
  }

  /// Looks at what the program has left.
  ///
  /// @throws IllegalStateException if one of its invariants does not hold
  public void check() {
    program.check();
  }

  @Override
  public void close() {
    memory.close();
    scratch.close();
  }
}
