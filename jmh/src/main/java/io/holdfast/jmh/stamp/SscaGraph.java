package io.holdfast.jmh.stamp;

import io.holdfast.jmh.map.Draws;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;

/// The edges of SSCA2's graph: cliques of vertices with up to three parallel edges, and edges
/// between cliques that become rarer with the distance (`-i1.0 -u1.0 -l3 -p3`); vertices and edges
/// are shuffled.
public final class SscaGraph {
  private static final int PARALLEL_MAX = 3;

  private SscaGraph() {}

  /// An edge in a word.
  public static long edge(long from, long to) {
    return from << Integer.SIZE | to;
  }

  public static int from(long edge) {
    return (int) (edge >> Integer.SIZE);
  }

  public static int to(long edge) {
    return (int) edge;
  }

  /// @param scale of 2^scale vertices
  public static long[] edges(int scale) {
    return draw(scale).toArray();
  }

  private static LongStream draw(int scale) {
    int vertices = 1 << scale;
    int cliqueMax = 1 << scale / 3;
    Draws draws = new Draws(1);
    LongStream.Builder edges = LongStream.builder();
    int[] cliqueOf = new int[vertices];
    for (int from = 0; from < vertices; ) {
      int end = Math.min(vertices, from + 1 + (int) draws.item(cliqueMax));
      Arrays.fill(cliqueOf, from, end, from);
      for (int a = from; a < end; a++) {
        for (int b = from; b < end; b++) {
          for (long left = a == b ? 0 : 1 + draws.item(PARALLEL_MAX); left > 0; left--) {
            edges.add(edge(a, b));
          }
        }
      }
      from = end;
    }
    for (int distance = 1; distance < vertices; distance *= 2) {
      for (int a = 0; a < vertices; a++) {
        int b = (a + distance) % vertices;
        if (cliqueOf[a] != cliqueOf[b] && draws.item(distance) == 0) {
          edges.add(edge(a, b));
        }
      }
    }
    return shuffled(edges.build(), vertices);
  }

  private static LongStream shuffled(LongStream edges, int vertices) {
    Random random = new Random(1);
    long[] names = shuffle(LongStream.range(0, vertices).toArray(), random);
    return LongStream.of(
        shuffle(edges.map(edge -> edge(names[from(edge)], names[to(edge)])).toArray(), random));
  }

  private static long[] shuffle(long[] all, Random random) {
    for (int i = all.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      long held = all[i];
      all[i] = all[other];
      all[other] = held;
    }
    return all;
  }
}
