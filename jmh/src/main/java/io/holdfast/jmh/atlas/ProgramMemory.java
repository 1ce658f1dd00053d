package io.holdfast.jmh.atlas;

import java.util.function.ObjLongConsumer;

/// The memory that a program keeps its data in, as little of it as the programs need, so that the
/// same code runs with durability ({@link SectionMemory}) and without ({@link PlainMemory}).
///
/// What is stored, allocated and freed is so under a lock, a monitor, whose holder tells this
/// memory: {@link #acquired} first, {@link #releasing} last. These are the calls that the agent
/// would weave in.
///
/// Thread-safe as memory is: the programs' locks say who may write what. An abstract class, not an
/// interface, so that with one implementation loaded every call is inlined.
public abstract class ProgramMemory implements AutoCloseable {
  /// The program's first block, as it was left; zeros when it is new.
  ///
  /// @param bytes its size, the same each time
  public abstract long root(int bytes);

  /// Reads a word, plain.
  public abstract long read(long offset);

  /// Reads a word that is written under a lock which the reader does not hold. No later access
  /// moves before it.
  public abstract long readAcquire(long offset);

  /// Writes a word, after everything that this thread wrote before.
  public abstract void write(long offset, long value);

  /// Writes a word of a block that was allocated under the lock which is still held: nobody finds
  /// it yet. A {@link #write} publishes it.
  public abstract void writeNew(long offset, long value);

  /// Copies words to such a block.
  public abstract void copyNew(long from, long to, int bytes);

  /// Allocates a block, of arbitrary content.
  ///
  /// @return its offset: a multiple of 64 if it has 64 bytes or more, else of 16
  public abstract long allocate(int bytes);

  /// Frees a block of such a size.
  public abstract void free(long block, int bytes);

  /// A lock was acquired.
  public abstract void acquired(Object lock);

  /// What the section executes that has just begun: for a memory that does so again after a crash.
  ///
  /// @param function its name in the program
  public void starting(String function, long argument) {
    // Other memories undo it.
  }

  /// Has the section executed again that a crash has interrupted, where sections are not undone.
  /// The program calls it before it reads its data or begins a section.
  ///
  /// @param sections executes a function as a section
  /// @throws IllegalStateException if that is another one than was interrupted
  public void resume(ObjLongConsumer<String> sections) {
    // Other memories undo it.
  }

  /// A lock is about to be released.
  public abstract void releasing(Object lock);

  /// Lets go of the memory's file.
  @Override
  public abstract void close();
}
