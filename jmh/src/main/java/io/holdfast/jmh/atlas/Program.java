package io.holdfast.jmh.atlas;

import java.util.List;

/// A program whose data is in a {@link ProgramMemory}: continues what it finds there.
///
/// Its operations are critical sections of monitors, and are never inlined
/// (`CompilerControl.DONT_INLINE`): C2 would merge the monitors of neighbouring operations, which
/// it can't do where calls for durability stand between them, and it is not what is measured.
///
/// Operations are thread-safe; all else is for times in which none runs.
public abstract class Program implements Crew.Work, AutoCloseable {
  final ProgramMemory memory;

  Program(ProgramMemory memory) {
    this.memory = memory;
  }

  /// Undoes what a run has added for good, if it does that.
  public void clear() {
    // As a rule a run leaves as much as it found.
  }

  /// Everything that is in the program's data.
  ///
  /// @throws IllegalStateException if its invariant does not hold
  public abstract List<Long> content();

  /// The blocks that it has allocated, its root included.
  public abstract int blocks();

  static void require(boolean holds, String message, Object... values) {
    if (!holds) {
      throw new IllegalStateException(message.formatted(values));
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
