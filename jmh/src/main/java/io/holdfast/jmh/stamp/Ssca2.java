package io.holdfast.jmh.stamp;

import static io.holdfast.jmh.stamp.StampProgram.require;

import io.holdfast.Holdfast;
import io.holdfast.jmh.map.Draws;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;

/// Kernel 1 of SSCA2: makes a graph of a list of edges. For each edge a tiny transaction counts it
/// at the vertex that it leads to, and stores the one that it comes from in that vertex's next
/// place. The graph is the benchmark's: cliques of vertices with up to three parallel edges, and
/// edges between cliques that become rarer with the distance (`-i1.0 -u1.0 -l3 -p3`); vertices and
/// edges are shuffled.
///
/// **SSCA-1** A vertex's places are filled from 0 up to its count, and no others are. **SSCA-2**
/// The places hold the edges of the list, each as often as it is there.
///
/// Test: StampTest.
final class Ssca2 implements StampProgram {
  private static final int PARALLEL_MAX = 3;

  /// A place's number in its key; a vertex has fewer edges than 2^20, as all together have.
  private static final int PLACE_BITS = 20;

  private final Holdfast store;
  private final int threads;
  private final long[] edges;
  final Map<Long, Integer> degrees;
  final Map<Long, Long> places;

  /// @param scale of 2^scale vertices
  Ssca2(Holdfast store, int threads, int scale) {
    this.store = store;
    this.threads = threads;
    degrees = store.hashMap("degrees", Long.class, Integer.class);
    places = store.hashMap("places", Long.class, Long.class);
    edges = draw(scale).toArray();
  }

  private static long edge(long from, long to) {
    return from << Integer.SIZE | to;
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
        shuffle(
            edges
                .map(edge -> edge(names[(int) (edge >> Integer.SIZE)], names[(int) edge]))
                .toArray(),
            random));
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

  @Override
  public int threads() {
    return threads;
  }

  @Override
  public int operations() {
    return edges.length;
  }

  @Override
  public long transactions() {
    return edges.length;
  }

  @Override
  public void run(int thread, int operations) {
    for (int i = thread; i < operations; i += threads) {
      long from = edges[i] >> Integer.SIZE;
      long to = (int) edges[i];
      store.transaction(() -> add(from, to));
    }
  }

  private void add(long from, long to) {
    int degree = degrees.getOrDefault(to, 0);
    degrees.put(to, degree + 1);
    places.put(place(to, degree), from);
  }

  private static long place(long vertex, int number) {
    return vertex << PLACE_BITS | number;
  }

  @Override
  public void check() {
    long[] found =
        degrees.entrySet().stream()
            .flatMapToLong(
                entry ->
                    LongStream.range(0, entry.getValue())
                        .map(number -> edgeAt(entry.getKey(), (int) number)))
            .sorted()
            .toArray();
    require(
        places.size() == found.length, "SSCA-1: places=%d, edges=%d", places.size(), found.length);
    require(
        Arrays.equals(found, LongStream.of(edges).sorted().toArray()),
        "SSCA-2: edges=%d, listed=%d, or others",
        found.length,
        edges.length);
  }

  private long edgeAt(long vertex, int number) {
    Long from = places.get(place(vertex, number));
    require(from != null, "SSCA-1: empty: vertex=%d, place=%d", vertex, number);
    return edge(from, vertex);
  }
}
