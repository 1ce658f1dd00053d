package io.holdfast.jmh.bench.program;

import io.holdfast.jmh.atlas.HandOverHandList;
import io.holdfast.jmh.atlas.LockedSwaps;
import io.holdfast.jmh.atlas.Program;
import io.holdfast.jmh.atlas.ProgramMemory;

/// The programs with fine locks of Gogte and others (PLDI 2018, Table 1).
public enum SfrProgram {
  /// *Linked list*: a region stores at the end of the walk.
  LIST {
    @Override
    public Program over(ProgramMemory memory, int threads, int stores) {
      return new HandOverHandList(memory, threads, stores, false);
    }
  },

  /// The same, and each node that is passed counts it: a region for each.
  LIST_OF_VISITS {
    @Override
    public Program over(ProgramMemory memory, int threads, int stores) {
      return new HandOverHandList(memory, threads, stores, true);
    }
  },

  /// *SPS*.
  SWAPS {
    @Override
    public Program over(ProgramMemory memory, int threads, int stores) {
      return new LockedSwaps(memory, threads, stores / 2);
    }
  };

  /// The program over a memory.
  ///
  /// @param stores of a put, or of a swap; even
  public abstract Program over(ProgramMemory memory, int threads, int stores);
}
