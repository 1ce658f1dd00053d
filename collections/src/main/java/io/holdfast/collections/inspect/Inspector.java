package io.holdfast.collections.inspect;

import io.holdfast.core.RegionDamagedException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;

/// Is told what a walk over a whole collection finds; for a time in which nobody changes it.
///
/// Thread-safe if it runs parts in several threads.
public interface Inspector {
  /// A block of the collection was reached: an allocated one, as large as it must be.
  ///
  /// @return whether for the first time; if not, the walk tells of a fault
  boolean reach(long block);

  /// Something can't be right; the walk goes on beside it.
  ///
  /// @param trail the part in which it is
  void fault(Trail trail, RegionDamagedException fault);

  /// Runs a part of the walk, now or later, in this thread or another one.
  void run(Runnable part);

  /// One that goes no further than the first fault, in the calling thread alone. Takes memory in
  /// proportion to the blocks.
  ///
  /// @param visitor called with each block
  static Inspector strict(LongConsumer visitor) {
    Set<Long> reached = new HashSet<>();
    return new Inspector() {
      @Override
      public boolean reach(long block) {
        visitor.accept(block);
        return reached.add(block);
      }

      @Override
      public void fault(Trail trail, RegionDamagedException fault) {
        throw fault;
      }

      @Override
      public void run(Runnable part) {
        part.run();
      }
    };
  }
}
