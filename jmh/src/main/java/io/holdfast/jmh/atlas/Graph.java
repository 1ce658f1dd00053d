package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A graph without directions in lists of neighbours (thesis, Table 4.2, *sdg*): an operation
/// searches an edge, and inserts it or, if it is there, deletes it, at both of its ends.
///
/// | block | word 0 | word 1 | word 2 to 63 |
/// |---|---|---|---|
/// | root | the first neighbours of 64 vertices | | |
/// | neighbour | its vertex | the next neighbour | its vertex |
///
/// **SDG-1** If one is the other's neighbour, the other is the one's, once each, and whole.
public final class Graph extends OneLock {
  private static final int VERTICES = 64;

  /// Few enough for edges to be found.
  private static final int APART = 4;

  private static final int NEXT = 8;

  private final long root;

  public Graph(ProgramMemory memory) {
    super(memory);
    root = memory.root(VERTICES * Long.BYTES);
  }

  private long neighbours(int vertex) {
    return root + (long) vertex * Long.BYTES;
  }

  @Override
  void change(long draw) {
    int one = below(draw, VERTICES);
    int other = (one + 1 + below(draw >>> 7 | draw << 57, APART)) % VERTICES;
    toggle(one, other);
    toggle(other, one);
  }

  private void toggle(int at, int vertex) {
    long link = neighbours(at);
    long found = memory.read(link);
    while (found != 0 && memory.read(found) != vertex) {
      link = found + NEXT;
      found = memory.read(link);
    }
    if (found != 0) {
      memory.write(link, memory.read(found + NEXT));
      memory.free(found, ENTRY_BYTES);
      return;
    }
    long neighbour = memory.allocate(ENTRY_BYTES);
    for (int i = 0; i < ENTRY_WORDS; i++) {
      memory.writeNew(neighbour + (long) i * Long.BYTES, vertex);
    }
    memory.writeNew(neighbour + NEXT, memory.read(neighbours(at)));
    memory.write(neighbours(at), neighbour);
  }

  /// Edges, each twice: from × vertices + to.
  @Override
  public List<Long> content() {
    List<Long> edges = new ArrayList<>();
    for (int from = 0; from < VERTICES; from++) {
      long neighbour = memory.read(neighbours(from));
      for (; neighbour != 0; neighbour = memory.read(neighbour + NEXT)) {
        long to = memory.read(neighbour);
        for (int word = 2; word < ENTRY_WORDS; word++) {
          require(
              memory.read(neighbour + (long) word * Long.BYTES) == to,
              "SDG-1: torn, from=%d, to=%d",
              from,
              to);
        }
        edges.add(from * (long) VERTICES + to);
      }
    }
    Collections.sort(edges);
    require(edges.stream().distinct().count() == edges.size(), "SDG-1: edges=%s", edges);
    for (long edge : edges) {
      long back = edge % VERTICES * VERTICES + edge / VERTICES;
      require(Collections.binarySearch(edges, back) >= 0, "SDG-1: one way, edge=%d", edge);
    }
    return edges;
  }

  @Override
  public int blocks() {
    return 1 + content().size();
  }
}
