package io.holdfast.jmh.atlas;

class GraphTest extends OneLockContract<Graph> {
  @Override
  Graph over(ProgramMemory memory) {
    return new Graph(memory);
  }
}
