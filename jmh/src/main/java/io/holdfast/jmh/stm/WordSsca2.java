package io.holdfast.jmh.stm;

import io.holdfast.jmh.stamp.SscaGraph;
import io.holdfast.jmh.stamp.StampProgram;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// Kernel 1 of SSCA2, with an array of places for each vertex: of each edge a tiny transaction
/// counts it at the vertex that it leads to, and stores the one that it comes from, and 1, in that
/// vertex's next place.
///
/// SSCA-1 and SSCA-2 hold. Test: StmProgramTest.
final class WordSsca2 extends StampProgram {
  private final WordStm stm;
  private final int vertices;
  private final long[] edges;
  private final int places;

  WordSsca2(WordStm stm, int threads, int scale) {
    super(threads);
    this.stm = stm;
    this.vertices = 1 << scale;
    this.edges = SscaGraph.edges(scale);
    this.places = places(edges, vertices);
  }

  /// Words of data.
  static long words(int scale) {
    return (1L << scale) * (1 + places(SscaGraph.edges(scale), 1 << scale));
  }

  /// The most that lead to one vertex.
  private static int places(long[] edges, int vertices) {
    int[] degrees = new int[vertices];
    for (long edge : edges) {
      degrees[SscaGraph.to(edge)]++;
    }
    return IntStream.of(degrees).max().orElseThrow();
  }

  private long degree(int vertex) {
    return stm.dataAt() + (long) vertex * Long.BYTES;
  }

  private long place(int vertex, long number) {
    return degree(vertices) + ((long) vertex * places + number) * Long.BYTES;
  }

  @Override
  public int operations() {
    return edges.length;
  }

  @Override
  public void run(int thread, int operations) {
    WordTransaction transaction = stm.transaction(thread);
    for (int i = thread; i < operations; i += threads) {
      long edge = edges[i];
      transaction.run(t -> add(t, SscaGraph.from(edge), SscaGraph.to(edge)));
    }
  }

  private long add(WordTransaction transaction, int from, int to) {
    long number = transaction.read(degree(to));
    transaction.write(degree(to), number + 1);
    transaction.write(place(to, number), from + 1L);
    return number;
  }

  @Override
  public void check() {
    LongStream.Builder found = LongStream.builder();
    stm.transaction(0).run(t -> collect(t, found));
    require(
        Arrays.equals(found.build().sorted().toArray(), LongStream.of(edges).sorted().toArray()),
        "SSCA-2: listed=%d, or others",
        edges.length);
  }

  private long collect(WordTransaction transaction, LongStream.Builder found) {
    for (int vertex = 0; vertex < vertices; vertex++) {
      long degree = transaction.read(degree(vertex));
      for (int number = 0; number < places; number++) {
        long from = transaction.read(place(vertex, number));
        require(
            from != 0 == number < degree,
            "SSCA-1: vertex=%d, degree=%d, place=%d",
            vertex,
            degree,
            number);
        if (from != 0) {
          found.add(SscaGraph.edge(from - 1, vertex));
        }
      }
    }
    return 0;
  }
}
