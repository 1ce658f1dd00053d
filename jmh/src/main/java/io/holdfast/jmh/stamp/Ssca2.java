package io.holdfast.jmh.stamp;

import io.holdfast.Holdfast;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.LongStream;

/// Kernel 1 of SSCA2: makes a graph of a list of edges. For each edge a tiny transaction counts it
/// at the vertex that it leads to, and stores the one that it comes from in that vertex's next
/// place. The graph is the benchmark's ({@link SscaGraph}).
///
/// **SSCA-1** A vertex's places are filled from 0 up to its count, and no others are. **SSCA-2**
/// The places hold the edges of the list, each as often as it is there.
///
/// Test: StampTest.
final class Ssca2 extends StampProgram {
  /// A place's number in its key; a vertex has fewer edges than 2^20, as all together have.
  private static final int PLACE_BITS = 20;

  private final Holdfast store;
  private final long[] edges;
  final Map<Long, Integer> degrees;
  final Map<Long, Long> places;

  /// @param scale of 2^scale vertices
  Ssca2(Holdfast store, int threads, int scale) {
    super(threads);
    this.store = store;
    degrees = store.hashMap("degrees", Long.class, Integer.class);
    places = store.hashMap("places", Long.class, Long.class);
    edges = SscaGraph.edges(scale);
  }

  @Override
  public int operations() {
    return edges.length;
  }

  @Override
  public void run(int thread, int operations) {
    for (int i = thread; i < operations; i += threads) {
      long from = SscaGraph.from(edges[i]);
      long to = SscaGraph.to(edges[i]);
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
    return SscaGraph.edge(from, vertex);
  }
}
