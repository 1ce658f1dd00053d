package io.holdfast.jmh.atlas;

/// Shows SDG-1.
class GraphTest extends OneLockContract<Graph> {
  @Override
  Graph over(ProgramMemory memory) {
    return new Graph(memory);
  }
}
